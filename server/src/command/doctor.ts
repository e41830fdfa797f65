import type { Command } from 'commander'
import type { Config } from '../config.ts'
import type { Answer } from './answer.ts'
import { examineDatabase } from './doctor/database.ts'
import type { Finding } from './doctor/finding.ts'
import { examineInvariants } from './doctor/invariants.ts'
import { examineMachine } from './doctor/machine.ts'
import { examineMedia } from './doctor/media.ts'
import { examineWays } from './doctor/ways.ts'

export function doctorCommand(
  program: Command,
  config: () => Config,
  run: (work: () => Promise<Answer>) => Promise<void>,
): void {
  program
    .command('doctor')
    .description('look at everything that the service stands on, and say what to do')
    .option('--thorough', 'read every file and recount every count as well: as long as reading all media takes')
    .action(({ thorough }: { thorough?: boolean }) => run(() => examine(config(), thorough === true)))
}

const marks = { good: '  good   ', warning: '  mind   ', fault: '  FAULT  ' }

async function examine(config: Config, thorough: boolean): Promise<Answer> {
  const findings: Finding[] = []
  const looks = [examineMachine, examineDatabase, examineMedia, examineWays, ...(thorough ? [examineInvariants] : [])]
  for (const look of looks) findings.push(...(await look(config)))
  const lines = findings.map(({ about, state, found, advice }) => {
    const below = advice ? `\n${' '.repeat(23)}→ ${advice}` : ''
    return `${marks[state]}${about.padEnd(14)}${found}${below}`
  })
  const faults = findings.filter(({ state }) => state === 'fault').length
  const summary = faults === 0 ? 'Nothing stands in the way.' : `${faults} faults: see above what to do.`
  return { say: [...lines, summary].join('\n'), json: { faults, findings }, failed: faults > 0 }
}

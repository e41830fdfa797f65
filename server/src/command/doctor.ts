import type { Command } from 'commander'
import { version } from '../platform/process/version.ts'
import type { Config } from '../settings/config.ts'
import type { GivenSettings } from '../settings/settings-file.ts'
import { type Answer, columns } from './answer.ts'
import { examineWays } from './doctor/connections.ts'
import { examineDatabase } from './doctor/database.ts'
import { examinePages } from './doctor/database-pages.ts'
import type { Finding } from './doctor/finding.ts'
import { examineInvariants } from './doctor/invariants.ts'
import { examineMachine } from './doctor/machine.ts'
import { examineMedia } from './doctor/media.ts'
import { examinePromises } from './doctor/promises.ts'
import { settingsInEffect } from './doctor/settings.ts'

export function doctorCommand(
  program: Command,
  { config, given }: { config: () => Config; given: () => GivenSettings },
  run: (work: () => Promise<Answer>) => Promise<void>,
): void {
  program
    .command('doctor')
    .description('look at everything that the service stands on, and say what to do')
    .option(
      '--thorough',
      'read every file and every row and recount every count as well: as long as reading all media takes',
    )
    .action(({ thorough }: { thorough?: boolean }) => run(() => examine(config(), given(), thorough === true)))
}

const marks = { good: '  good   ', warning: '  mind   ', fault: '  FAULT  ' }

async function examine(config: Config, given: GivenSettings, thorough: boolean): Promise<Answer> {
  const findings: Finding[] = []
  const looks = [
    examineMachine,
    examineDatabase,
    examineMedia,
    examineWays,
    ...(thorough ? [examinePages, examineInvariants] : []),
    examinePromises,
  ]
  for (const look of looks) findings.push(...(await look(config)))
  const lines = findings.map(({ about, state, found, advice }) => {
    const below = advice ? `\n${' '.repeat(23)}→ ${advice}` : ''
    return `${marks[state]}${about.padEnd(14)}${found}${below}`
  })
  const faults = findings.filter(({ state }) => state === 'fault').length
  const summary = faults === 0 ? 'Nothing stands in the way.' : `${faults} faults: see above what to do.`
  const settings = settingsInEffect(given)
  const isGiven = settings.filter(({ from }) => from !== 'default')
  const say = [
    `Afterglow ${version}, Node ${process.version}`,
    '',
    columns(isGiven, 'Every setting has its default.'),
    '',
    ...lines,
    summary,
  ]
  return { say: say.join('\n'), json: { version, faults, findings, settings }, failed: faults > 0 }
}

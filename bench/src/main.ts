import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freshData } from './data.ts'
import { type Duel, Void } from './figures.ts'
import { sizes } from './fill/size.ts'
import { type Fixture, openFixture, type RowGroup } from './fixture.ts'
import type { Goal } from './goals.ts'
import { writePlans } from './plans/plans.ts'
import { fight } from './rounds.ts'
import { beside } from './rows/beside.ts'
import { crowd } from './rows/crowd.ts'
import { evening } from './rows/evening.ts'
import { files } from './rows/files.ts'
import { growth } from './rows/growth.ts'
import { lists } from './rows/lists.ts'
import { endurance, starts } from './rows/memory.ts'
import { rooms } from './rows/rooms.ts'
import { sends } from './rows/sends.ts'
import { tableOf } from './table.ts'
import { judge, type Verdict } from './verdict.ts'

const usage = `npm run bench -- [options]
  --quick           tiny data, few people and short rounds: whether it runs
  --only send,page  only these rows; crowd and endurance are measured only so
  --plans           instead of measuring: write bench/plans/ and say which list reads too much
  --write file      writes the table to this file too, instead of docs/performance-figures.md
  --seed 7          whom and what the load picks; printed with the table
  --rounds 3        rounds of every row
  --seconds 3       length of each side's turn in a round
  --processes 4     of the crowd's service`

/** Every row, in the order of the table. */
const groups: RowGroup[] = [evening, sends, lists, rooms, beside, files, growth, starts, endurance, crowd]

const command = commandOf(process.argv.slice(2))
const directory = new URL(`../data/${command.quick ? 'quick' : 'full'}`, import.meta.url).pathname
const wanted = { large: command.quick ? sizes.quick : sizes.large, small: command.quick ? sizes.tiny : sizes.small }
process.exitCode = await (command.plans ? plan() : compare())

function commandOf(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string', default: '' },
        plans: { type: 'boolean', default: false },
        write: { type: 'string' },
        seed: { type: 'string', default: '20261120' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        processes: { type: 'string', default: '1' },
      },
    })
    const { quick, plans } = values
    const number = (name: string, text: string) => {
      if (!(Number(text) > 0)) throw new Error(`--${name} must be a number above 0, not ${text}.`)
      return Number(text)
    }
    const only = values.only.split(',').filter(Boolean)
    // A part of the rows, or tiny ones, must not take the place of the figures that the docs show.
    const file =
      only.length || quick ? undefined : new URL('../../docs/performance-figures.md', import.meta.url).pathname
    return {
      quick,
      plans,
      only,
      write: values.write ?? file,
      seed: number('seed', values.seed),
      rounds: number('rounds', values.rounds ?? (quick ? '2' : '3')),
      seconds: number('seconds', values.seconds ?? (quick ? '2' : '3')),
      processes: number('processes', values.processes),
    }
  } catch (fault) {
    console.error(`${(fault as Error).message}\n${usage}`)
    process.exit(2)
  }
}

/** Exit code: 1 when a list reads more than it may. */
async function plan(): Promise<number> {
  const folder = new URL('../plans/', import.meta.url).pathname
  const faults = await writePlans(join(await freshData(directory, wanted), 'large'), wanted.large, folder)
  for (const [list, found] of faults) console.log(`✗ ${list} ${found.join(', ')}`)
  console.log(`The plans of every list are in ${folder}; ${faults.size || 'none'} of them at fault.`)
  return faults.size ? 1 : 0
}

/** Exit code: 1 when a row could not be measured. */
async function compare(): Promise<number> {
  const fixture = await openFixture(directory, wanted, command)
  try {
    const verdicts = await measureAll(fixture)
    const text = `Measured ${new Date().toISOString().slice(0, 10)} by \`npm run bench${suffix()}\`, seed ${command.seed}, ${command.rounds} rounds of ${command.seconds} s a side, on ${availableParallelism()} × ${cpus()[0]?.model}.\n\n${tableOf(verdicts)}\n`
    console.log(`\n${text}`)
    if (command.write) writeFileSync(command.write, `# Figures\n\n[What they mean](performance.md). ${text}`)
    return verdicts.some(({ standing }) => standing === 'void') ? 1 : 0
  } finally {
    await fixture.close()
  }
}

async function measureAll(fixture: Fixture): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  const named = ({ onlyWhenNamed }: RowGroup) => !onlyWhenNamed || command.only.length > 0
  for (const group of groups.filter(group => named(group) && group.ids.some(isWanted))) {
    const began = performance.now()
    try {
      for await (const duel of group.duels(fixture)) verdicts.push(...(await measure(duel)))
    } catch (fault) {
      // One row that fails must not lose the others.
      console.error(fault instanceof Void ? `${group.ids}: ${fault.message}` : fault)
      const goal: Goal = { id: group.ids.join(' '), work: 'preparing', figure: 'rate' }
      verdicts.push(judge(goal, { pairs: [], void: (fault as Error).message }))
    }
    console.error(`  in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
  return verdicts
}

async function measure(duel: Duel): Promise<Verdict[]> {
  const goals = duel.goals.filter(({ id }) => isWanted(id))
  if (goals.length === 0) {
    await duel.end?.()
    return []
  }
  const fought = await fight(duel, command)
  const verdicts = goals.map(goal => judge(goal, fought))
  for (const { goal, reason, ratio, standing } of verdicts)
    console.error(`${goal.id} ${goal.work}: ${reason ?? ratio.toPrecision(3)} (${standing})`)
  return verdicts
}

function isWanted(id: string): boolean {
  return command.only.length === 0 || command.only.some(only => `${id}.`.startsWith(`${only}.`))
}

function suffix(): string {
  const args = process.argv.slice(2)
  return args.length ? ` -- ${args.join(' ')}` : ''
}

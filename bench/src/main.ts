import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { commandOf } from './command.ts'
import { freshData } from './data.ts'
import { type Duel, Void } from './figures.ts'
import { sizes } from './fill/size.ts'
import { type Fixture, openFixture, type RowGroup } from './fixture.ts'
import type { Goal } from './goals.ts'
import { writePlans } from './plans/plans.ts'
import { fight } from './rounds.ts'
import { crowd } from './rows/crowd.ts'
import { evening } from './rows/evening.ts'
import { files } from './rows/files.ts'
import { growth } from './rows/growth.ts'
import { beside } from './rows/latency-under-load.ts'
import { lists } from './rows/lists.ts'
import { endurance, starts } from './rows/memory.ts'
import { reconnect } from './rows/reconnect.ts'
import { rooms } from './rows/rooms.ts'
import { sends } from './rows/sends.ts'
import { tableOf } from './table.ts'
import { judge, type Verdict } from './verdict.ts'

/** In the order of the table. */
const groups: RowGroup[] = [evening, sends, lists, rooms, reconnect, beside, files, growth, starts, endurance, crowd]

const command = commandOf(process.argv.slice(2))
const directory = new URL(`../data/${command.quick ? 'quick' : 'full'}`, import.meta.url).pathname
const wanted = { large: command.quick ? sizes.quick : sizes.large, small: command.quick ? sizes.tiny : sizes.small }
process.exitCode = await (command.plans ? plan() : compare())

/** Returns the exit code: 1 if a list reads more than it may. */
async function plan(): Promise<number> {
  const folder = new URL('../plans/', import.meta.url).pathname
  const faults = await writePlans(join(await freshData(directory, wanted), 'large'), wanted.large, folder)
  for (const [list, found] of faults) console.log(`✗ ${list} ${found.join(', ')}`)
  console.log(`The plans of every list are in ${folder}; ${faults.size || 'none'} of them at fault.`)
  return faults.size ? 1 : 0
}

/** Returns the exit code: 1 if a row could not be measured. */
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
      // A failed row must not lose the others.
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

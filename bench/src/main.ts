import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { measureActs } from './acts/measure.ts'
import { type Command, readCommand, usage } from './command.ts'
import { freshData } from './data.ts'
import { type Duel, type Goal, Void } from './figures.ts'
import { sizes } from './fill/size.ts'
import { writePlans } from './plans/plans.ts'
import { fight } from './rounds.ts'
import type { RowGroup } from './row-group.ts'
import { accounts } from './rows/accounts.ts'
import { after } from './rows/after.ts'
import { deciding } from './rows/deciding.ts'
import { endurance } from './rows/endurance.ts'
import { fanOut } from './rows/fan-out.ts'
import { otherLists } from './rows/lists.ts'
import { messages } from './rows/messages.ts'
import { people } from './rows/people.ts'
import { photos } from './rows/photos.ts'
import { pushes } from './rows/pushes.ts'
import { rooms } from './rows/rooms.ts'
import { scale } from './rows/scale.ts'
import { sends } from './rows/sends.ts'
import { starts } from './rows/starts.ts'
import { transfers } from './rows/transfers.ts'
import { uploads } from './rows/uploads.ts'
import { web, webMemory } from './rows/web.ts'
import { openStage, type Stage } from './stage.ts'
import { tableOf } from './table.ts'
import { judge, type Verdict } from './verdict.ts'

/** Every row, in the order of the table. */
const groups: RowGroup[] = [
  sends,
  messages,
  photos,
  scale,
  otherLists,
  people,
  uploads,
  transfers,
  accounts,
  fanOut,
  rooms,
  pushes,
  deciding,
  starts,
  after,
  web,
  endurance,
  webMemory,
]

const command = commandOf(process.argv.slice(2))
let preparedSince = performance.now()
const directory = new URL(`../data/${command.quick ? 'quick' : 'full'}`, import.meta.url).pathname
const large = command.quick ? sizes.quick : sizes.large
const wanted = { large, small: sizes.small, ...(command.million && { million: sizes.million }) }
process.exitCode = await (command.plans ? plan() : command.only.join() === 'acts' ? measureActs() : compare())

/** Exit code: 1 when a list reads more than it may. */
async function plan(): Promise<number> {
  const folder = new URL('../plans/', import.meta.url).pathname
  const faults = await writePlans(join(await freshData(directory, wanted), 'large'), large, folder)
  for (const [list, found] of faults) console.log(`✗ ${list} ${found.join(', ')}`)
  console.log(`The plans of every list stand in ${folder}; ${faults.size || 'none'} of them at fault.`)
  return faults.size ? 1 : 0
}

/** Exit code: 1 when a row could not be measured. */
async function compare(): Promise<number> {
  const stage = await openStage(directory, wanted, command.seed)
  try {
    const verdicts = await measureAll(stage)
    const processors = `${availableParallelism()} × ${cpus()[0]?.model}`
    console.log(
      `\nMeasured ${new Date().toISOString().slice(0, 10)} by \`npm run bench${suffix()}\`, seed ${command.seed},`,
    )
    console.log(`${command.rounds} rounds of ${command.seconds} s a side, on ${processors}.\n`)
    console.log(tableOf(verdicts))
    return verdicts.some(({ standing }) => standing === 'void') ? 1 : 0
  } finally {
    await stage.close()
  }
}

async function measureAll(stage: Stage): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  preparedSince = performance.now()
  for (const group of groups.filter(
    ({ ids, onlyWhenNamed }) => ids.some(isWanted) && (!onlyWhenNamed || command.only.length > 0),
  )) {
    try {
      for await (const duel of group.duels(stage)) verdicts.push(...(await measure(duel)))
    } catch (fault) {
      // One row that fails must not lose the others.
      if (!(fault instanceof Void)) console.error(fault)
      const goal: Goal = { id: group.ids.join(' '), work: 'preparing', ceiling: null, figure: 'rate' }
      verdicts.push(judge(goal, { pairs: [], void: (fault as Error).message }))
    }
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
  console.error(`  in ${((performance.now() - preparedSince) / 1000).toFixed(1)} s, preparing included`)
  preparedSince = performance.now()
  return verdicts
}

function isWanted(id: string): boolean {
  return command.only.length === 0 || command.only.some(only => `${id}.`.startsWith(`${only}.`))
}

function commandOf(args: string[]): Command {
  try {
    return readCommand(args)
  } catch (fault) {
    console.error(`${(fault as Error).message}\n${usage}`)
    process.exit(2)
  }
}

function suffix(): string {
  const args = process.argv.slice(2)
  return args.length ? ` -- ${args.join(' ')}` : ''
}

import { availableParallelism, cpus } from 'node:os'
import { type Command, readCommand, usage } from './command.ts'
import { sizes } from './fill/size.ts'
import { fight } from './rounds.ts'
import type { RowGroup } from './row-group.ts'
import { accounts } from './rows/accounts.ts'
import { starts } from './rows/starts.ts'
import { openStage } from './stage.ts'
import { tableOf } from './table.ts'
import { judge, type Verdict } from './verdict.ts'

/** Every row, in the order of the table. */
const groups: RowGroup[] = [accounts, starts]

const command = commandOf(process.argv.slice(2))
const stage = await openStage({
  ...command,
  directory: new URL(`../data/${command.quick ? 'quick' : 'full'}`, import.meta.url).pathname,
  sizes: { small: sizes.small, large: command.quick ? sizes.quick : sizes.large },
})
try {
  const verdicts = await measureAll()
  console.log(
    `\nAfterglow, measured ${new Date().toISOString().slice(0, 10)} by \`npm run bench${suffix()}\`, seed ${command.seed},`,
  )
  console.log(
    `${command.rounds} rounds of ${command.seconds} s a side, on ${availableParallelism()} × ${cpus()[0]?.model}.\n`,
  )
  console.log(tableOf(verdicts))
  if (verdicts.some(({ standing }) => standing === 'void')) process.exitCode = 1
} finally {
  await stage.close()
}

async function measureAll(): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  const wanted = (id: string) => command.only.length === 0 || command.only.includes(id)
  for (const group of groups) {
    if (!group.ids.some(wanted)) continue
    for await (const duel of group.duels(stage)) {
      const goals = duel.goals.filter(goal => wanted(goal.id))
      if (goals.length === 0) {
        await duel.end?.()
        continue
      }
      const fought = await fight(duel, command)
      for (const goal of goals) {
        const verdict = judge(goal, fought)
        verdicts.push(verdict)
        console.error(
          `${goal.id} ${goal.work}: ${verdict.reason ?? verdict.ratio.toPrecision(3)} (${verdict.standing})`,
        )
      }
    }
  }
  return verdicts
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

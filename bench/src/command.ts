import { parseArgs } from 'node:util'

const usage = `npm run bench -- [options]
  --quick           tiny data, few people and short rounds: whether it runs
  --only send,page  only these rows; crowd and endurance are measured only so
  --plans           instead of measuring: write bench/plans/ and say which list reads too much
  --write file      writes the table to this file too, instead of docs/performance-figures.md
  --seed 7          whom and what the load picks; printed with the table
  --rounds 3        rounds of every row
  --seconds 3       length of each side's turn in a round
  --processes 4     of the crowd's service`

/** Parses the arguments; prints the usage and exits if they are invalid. */
export function commandOf(args: string[]) {
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
    // A partial or tiny run must not overwrite the figures shown in the docs.
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

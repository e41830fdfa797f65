import { parseArgs } from 'node:util'

export type Command = {
  quick: boolean
  million: boolean
  plans: boolean
  only: string[]
  seed: number
  rounds: number
  seconds: number
}

export const usage = `npm run bench -- [options]
  --quick           smaller data and shorter rounds
  --only P6a,P9     only these rows
  --only acts       instead of rows: taps and seconds of what people do most, on a slow phone
  --million         search among a million people too
  --plans           instead of measuring: write bench/plans/ and say which list reads too much
  --seed 7          whom and what the load picks; printed with the table
  --rounds 5        rounds of every row, at least
  --seconds 2       length of each side's turn in a round`

/** Reads the command line; throws an Error that says what cannot be meant. */
export const readCommand = (args: string[]): Command => {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      million: { type: 'boolean', default: false },
      plans: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      seed: { type: 'string', default: '20261120' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string' },
    },
  })
  const number = (name: string, text: string) => {
    const value = Number(text)
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not ${text}.`)
    return value
  }
  return {
    quick: values.quick,
    million: values.million,
    plans: values.plans,
    only: values.only.split(',').filter(Boolean),
    seed: number('seed', values.seed),
    rounds: number('rounds', values.rounds),
    seconds: number('seconds', values.seconds ?? (values.quick ? '0.3' : '3')),
  }
}

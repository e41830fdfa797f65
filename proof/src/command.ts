import { parseArgs } from 'node:util'
import type { Part } from './part.ts'

export type Command = {
  parts: Part[]
  /** Undefined: the default of the slice or of the full run. */
  count: number | undefined
  full: boolean
  seed: number
  list: boolean
  /** Checks whether the proof finds the planted bugs whose names contain this, instead of proving the service. */
  planted: string | undefined
}

export const usage = `npm run proof -- [options]
  --part a,b     only these parts; --list names them
  --count 20     so many faults of each part, instead of those of the slice
  --full         the counts of a full run; it takes days
  --seed 7       whom and what the load and the faults pick: a whole number from 0 to 4294967295
  --planted      plantedBugs bugs in the service, one after the other, and says which part finds each
  --only text    of the planted bugs those whose name holds the text
  --list         says what there is`

const seedMax = 2 ** 32 - 1

/** Throws an Error that names the invalid option. */
export const readCommand = (args: string[], all: readonly Part[]): Command => {
  const { values } = parseArgs({
    args,
    options: {
      part: { type: 'string' },
      count: { type: 'string' },
      full: { type: 'boolean', default: false },
      seed: { type: 'string' },
      list: { type: 'boolean', default: false },
      planted: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
    },
  })
  return {
    parts: values.part === undefined ? [...all] : values.part.split(',').map(name => partOf(name.trim(), all)),
    count: values.count === undefined ? undefined : wholeNumber('--count', values.count, 1, 10_000_000),
    full: values.full,
    seed:
      values.seed === undefined
        ? Math.floor(Math.random() * (seedMax + 1))
        : wholeNumber('--seed', values.seed, 0, seedMax),
    list: values.list,
    planted: values.planted ? values.only : undefined,
  }
}

const partOf = (name: string, all: readonly Part[]): Part => {
  const found = all.find(part => part.name === name)
  if (!found) throw new Error(`There is no part "${name}": ${all.map(part => part.name).join(', ')}.`)
  return found
}

const wholeNumber = (option: string, text: string, least: number, most: number): number => {
  if (!/^\d{1,10}$/.test(text) || Number(text) < least || Number(text) > most)
    throw new Error(`${option} must be a whole number from ${least} to ${most}, not "${text}".`)
  return Number(text)
}

import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readCommand } from './command.ts'
import { parts } from './parts.ts'
import { randomOf } from './random.ts'

test('the command refuses an unknown option and lists the valid ones', () => {
  const wrong =
    (...args: string[]) =>
    () =>
      readCommand(args, parts)
  expect(wrong('--part', 'nothing')).toThrow(/There is no part "nothing": server-killed, /)
  for (const seed of ['-1', '1.5', 'x', '', '4294967296'])
    expect(wrong(`--seed=${seed}`)).toThrow(/--seed must be a whole number from 0 to 4294967295/)
  expect(wrong('--count', '0')).toThrow(/--count must be a whole number from 1/)
  expect(wrong('--no-such')).toThrow()
})

test('a seed repeats its draws, and each name has its own sequence', () => {
  const drawn = (name: string) => {
    const random = randomOf(7).of(name)
    return Array.from({ length: 20 }, () => random.whole(0, 1000))
  }
  expect(drawn('a')).toEqual(drawn('a'))
  expect(drawn('a')).not.toEqual(drawn('b'))
})

test('every part runs in the tests or in the full ones', () => {
  const names = readdirSync(new URL('parts', import.meta.url), { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.ts'),
  )
  const tested = names.filter(name => name.endsWith('.test.ts')).map(name => name.replace(/(\.full)?\.test/, ''))
  expect([...new Set(tested)].sort()).toEqual(names.filter(name => !name.endsWith('.test.ts')).sort())
})

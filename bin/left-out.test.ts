import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { full, inTurn, quarter, quarterOf } from '../server/test/full.ts'
import { slowTests } from '../server/test/slow-tests.ts'
import { concerns } from './left-out.ts'

const root = join(import.meta.dirname, '..')
const found = execFileSync('git', [
  'ls-files',
  '--cached',
  '--others',
  '--exclude-standard',
  '-z',
  '*.test.ts',
  '*.test.tsx',
])
const every = [...new Set(found.toString().split('\0'))].filter(path => path && existsSync(join(root, path))).sort()

/** What vitest would run. */
const runs = async (env: Record<string, string>) => {
  const words = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, env: { ...process.env, ...env } })
  return (JSON.parse(stdout) as { file: string }[]).map(({ file }) => relative(root, file)).sort()
}

test('every test file runs in the full run, and in `npm test` all but what is named or made for the full run', async () => {
  // As if nothing had changed since the last commit, not even what has.
  const [whole, daily] = await Promise.all([runs({ FULL: '1' }), runs({ FULL: '', BASE: 'HEAD' })])
  expect(whole).toEqual(every)
  const left = every.filter(file => !daily.includes(file) && !file.endsWith('.full.test.ts'))
  const onlyChanged = ['bin/packages', 'bin/production', 'bin/release', 'contract/src/asyncapi', 'contract/src/openapi']
  const unexpected = left.filter(file => !onlyChanged.includes(file.replace('.test.ts', '')))
  expect(unexpected).toEqual([])
  expect(daily.filter(file => file.endsWith('.full.test.ts'))).toEqual([])
})

test('at least a fifth of each folder whose tests only the full run has runs every time', () => {
  const alone = every.filter(file => file.endsWith('.full.test.ts'))
  for (const folder of new Set(alone.map(dirname))) {
    const all = every.filter(file => dirname(file) === folder)
    const daily = all.filter(file => !alone.includes(file))
    expect([folder, daily.length / all.length >= 0.2]).toEqual([folder, true])
  }
})

test('each slow test is there, by its name', () => {
  for (const [file, beginnings] of Object.entries(slowTests))
    for (const beginning of beginnings) expect(readFileSync(join(root, file), 'utf8')).toContain(beginning)
})

test('packing and linting are tested when a source, the lockfile or the test has changed, or nobody knows', () => {
  const file = 'bin/packages.test.ts'
  const concerned = (...changed: string[]) => concerns(file, changed)
  expect([concerned('sdk/src/client.ts'), concerned('docs/a.md', 'package-lock.json'), concerned(file)]).toEqual([
    true,
    true,
    true,
  ])
  expect([concerned(), concerned('docs/sdk/a.md', 'server/src/app.ts', 'sdk-notes.md')]).toEqual([false, false])
  expect(concerns(file, undefined)).toBe(true)
})

test('a quarter has one of each kind at least, and the full run has all', () => {
  vi.stubEnv('REDUCED', '/dev/null')
  const cases = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'c2']
  const chosen = (from?: 0 | 3) => quarterOf('letters', cases, { kindOf: ([kind]) => kind, from })
  expect([chosen(), chosen(3)]).toEqual(
    full
      ? [cases, cases]
      : [
          ['a1', 'a5', 'b1', 'c1'],
          ['a4', 'b1', 'c2'],
        ],
  )
  expect([quarter('eight', 8), quarter('one', 1)]).toEqual(full ? [8, 1] : [2, 1])
  vi.stubEnv('ASKED', '')
  const ran: string[] = []
  const test = inTurn(
    Object.assign((_: string) => {}, { runIf: (runs: boolean) => (name: string) => void (runs && ran.push(name)) }),
    1,
  )
  for (const name of ['1', '2', '3', '4', '5', '6']) test(name)
  expect(ran).toHaveLength(full ? 6 : 2)
  vi.unstubAllEnvs()
})

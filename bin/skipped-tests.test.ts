import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { full, quarter, quarterOf } from '../server/test/full.ts'
import { concerns } from './skipped-tests.ts'

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

/** Lists the files that vitest would run. */
const runs = async (env: Record<string, string>) => {
  const words = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, env: { ...process.env, ...env } })
  return (JSON.parse(stdout) as { file: string }[]).map(({ file }) => relative(root, file)).sort()
}

test('the full run covers every test file, and `npm test` all but those listed or named for the full run', async () => {
  // Pretends that nothing has changed since the last commit, not even uncommitted files.
  const [whole, daily] = await Promise.all([runs({ FULL: '1' }), runs({ FULL: '', BASE: 'HEAD' })])
  expect(whole).toEqual(every)
  const left = every.filter(file => !daily.includes(file) && !file.endsWith('.full.test.ts'))
  const onlyChanged = ['bin/packages', 'bin/production', 'bin/release']
  const unexpected = left.filter(file => !onlyChanged.includes(file.replace('.test.ts', '')))
  expect(unexpected).toEqual([])
  expect(daily.filter(file => file.endsWith('.full.test.ts'))).toEqual([])
})

test('every folder with full-run tests, or the one above it, has a test that runs every time', () => {
  const folders = (files: string[]) => [...new Set(files.map(dirname))]
  const isAlone = (file: string) => file.endsWith('.full.test.ts')
  const daily = folders(every.filter(file => !isAlone(file)))
  const isTried = (folder: string) => daily.includes(folder) || daily.includes(dirname(folder))
  expect(folders(every.filter(isAlone)).filter(folder => !isTried(folder))).toEqual([])
})

test('packaging and linting run if a source, the lockfile or the test has changed, or changes are unknown', () => {
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

test('a quarter has at least one case of each kind, and the full run has all', () => {
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
  vi.unstubAllEnvs()
})

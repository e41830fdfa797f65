import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as tools from './tools.ts'

/* Rules for tests: red means broken, and nothing outlives its file. */

const root = join(import.meta.dirname, '../..')
const git = (...words: string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...words], { cwd: root })
const files = [...new Set(git('*.test.ts', 'server/test', 'web/test').toString().split('\n'))]
  .filter(file => file.endsWith('.ts') && existsSync(join(root, file)))
  .map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }))

type Rule = { never: RegExp; instead: string; but?: readonly string[] }
const rules: Rule[] = [
  {
    never: /\.replace(?:All)?\(String\(/,
    instead: 'masked.ts replaces ids in values: in a text, one is a part of a port',
  },
  {
    never: /\bmkdtemp(?:Sync)?\(join\(tmpdir\(\)/,
    instead: 'newFolder of new-folder.ts removes what it made',
    // Films are made outside of tests, too; the others make the folder that contains all others.
    but: [
      'server/test/films.ts',
      'server/test/new-folder.ts',
      'server/test/database.ts',
      'server/test/s3-server.ts',
      'bin/run.test.ts',
    ],
  },
  { never: /\bretry: \d/, instead: 'what passes only when tried again is broken' },
  {
    never: /\bprocess\.env\.CI\b/,
    instead: 'needing.ts leaves out what a machine lacks, and bin/test.ts forbids it in CI',
  },
  { never: /skipIf\(!has/, instead: 'needing.ts reads no suite whose tool is missing' },
  { never: /\b(?:testTimeout|hookTimeout):/, instead: 'vitest.config.ts sets one that a busy machine keeps' },
]

test.each(rules)('a test never has $never', ({ never, instead, but = [] }) => {
  const own = 'server/test/test-files.test.ts'
  const found = files.filter(({ file, text }) => file !== own && !but.includes(file) && never.test(text))
  expect(
    found.map(({ file }) => file),
    instead,
  ).toEqual([])
})

test('.ci/run installs every package that tests need, so that none is skipped', () => {
  const installs =
    readFileSync(join(root, '.ci/run'), 'utf8')
      .match(/missing\+=\(([^)]*)\)/g)
      ?.join(' ') ?? ''
  const needed = Object.values(tools)
    .filter(tool => typeof tool === 'object')
    .map(({ packages }) => packages.split(/, | or | and /).filter(Boolean))
  expect(needed.length).toBeGreaterThan(15)
  const isInstalled = (name: string) => new RegExp(`[(\\s]${name}[)\\s]`).test(installs)
  // Any browser will do.
  const isMissing = (names: string[]) =>
    !(names.includes('chromium') ? names.some(isInstalled) : names.every(isInstalled))
  expect(needed.filter(isMissing)).toEqual([])
})

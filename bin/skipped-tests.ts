import { execFileSync } from 'node:child_process'
import { join, relative, resolve } from 'node:path'
import { full } from '../server/test/full.ts'

/** Decides what `npm test` leaves to `npm run test:full`, and why. */

const root = join(import.meta.dirname, '..')
/** Packaging and release tests depend on these: a path, or a folder with a slash. They only run after one changes. */
const madeOf: Readonly<Record<string, readonly string[]>> = {
  'bin/packages.test.ts': ['contract/', 'sdk/', 'conformance/', 'examples/expo/', 'bin/packages.ts'],
  'bin/release.test.ts': ['bin/release.ts', 'bin/packages.ts', 'bin/image-builds.ts', 'bin/breaking-differences.ts'],
  'bin/production.test.ts': ['bin/production.ts', 'bin/build.ts', 'web/build/', 'Containerfile'],
}
const always = ['package.json', 'package-lock.json', 'bin/skipped-tests.ts']

export type SkippedTest = { pattern: string; why: string }

/** `asked`: parts of paths; a test file named by one always runs. */
export function skippedTests(asked: readonly string[]): SkippedTest[] {
  if (full) return []
  const isAsked = (file: string) => asked.some(part => file.includes(relative(root, resolve(part))))
  const changed = changedPaths()
  const unchanged = Object.keys(madeOf).filter(file => !isAsked(file) && !concerns(file, changed))
  const isWholeAsked = asked.some(part => part.includes('.full'))
  return [
    ...(isWholeAsked ? [] : [{ pattern: '**/*.full.test.ts', why: 'takes long' }]),
    ...unchanged.map(pattern => ({ pattern, why: 'nothing that it is made of has changed' })),
  ]
}

/** Tells whether a change concerns the test; undefined: the changes are unknown. */
export function concerns(file: string, changed: readonly string[] | undefined): boolean {
  const sources = [file, ...always, ...(madeOf[file] ?? [])]
  return (
    !changed || changed.some(path => sources.some(each => (each.endsWith('/') ? path.startsWith(each) : path === each)))
  )
}

/**
 * Compares with BASE or the merge base with main; on main itself, with the previous commit. Includes uncommitted
 * changes.
 */
function changedPaths(): string[] | undefined {
  try {
    const base = process.env.BASE ?? fork() ?? 'HEAD^'
    const since = git('diff', '--name-only', '-z', base)
    return `${since}${git('ls-files', '--others', '--exclude-standard', '-z')}`.split('\0').filter(Boolean)
  } catch {
    // Without git, or without a previous commit.
    return undefined
  }
}

function fork(): string | undefined {
  const head = git('rev-parse', 'HEAD')
  for (const main of ['origin/main', 'main'])
    try {
      const base = git('merge-base', 'HEAD', main)
      return base === head ? undefined : base.trim()
    } catch {
      // The branch does not exist.
    }
  return undefined
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

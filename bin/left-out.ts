import { execFileSync } from 'node:child_process'
import { join, relative, resolve } from 'node:path'
import { full } from '../server/test/full.ts'

/** What `npm test` leaves to `npm run test:full`, and why. */

const root = join(import.meta.dirname, '..')
/** Packed and released anew only after a change of what they are made of: a path, or a folder with a slash. */
const madeOf: Readonly<Record<string, readonly string[]>> = {
  'bin/packages.test.ts': ['contract/', 'sdk/', 'conformance/', 'examples/expo/', 'bin/packages.ts'],
  'bin/release.test.ts': ['bin/release.ts', 'bin/packages.ts', 'bin/image-builds.ts', 'bin/breaking-differences.ts'],
  'bin/production.test.ts': ['bin/production.ts', 'bin/build.ts', 'web/build/', 'Containerfile'],
}
const always = ['package.json', 'package-lock.json', 'bin/left-out.ts']

export type LeftOut = { pattern: string; why: string }

/** `asked`: parts of paths; whoever names a file by one gets it. */
export function leftOut(asked: readonly string[]): LeftOut[] {
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

/** Whether one of these changes concerns the test; undefined: nobody knows what has changed. */
export function concerns(file: string, changed: readonly string[] | undefined): boolean {
  const sources = [file, ...always, ...(madeOf[file] ?? [])]
  return (
    !changed || changed.some(path => sources.some(each => (each.endsWith('/') ? path.startsWith(each) : path === each)))
  )
}

/** Since BASE or where the branch left main; on main itself, since the commit before. What is not committed, too. */
function changedPaths(): string[] | undefined {
  try {
    const base = process.env.BASE ?? fork() ?? 'HEAD^'
    const since = git('diff', '--name-only', '-z', base)
    return `${since}${git('ls-files', '--others', '--exclude-standard', '-z')}`.split('\0').filter(Boolean)
  } catch {
    // No git here, or no commit before.
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
      // No such branch.
    }
  return undefined
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ourTree } from './releases.ts'

/** The version in a tree of sources with its commit, such as 0.1.0+8ff0a09c12: commits between releases differ by it. */
export function versionIn(tree: string): string {
  const { version } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'))
  const commit = commitIn(tree).slice(0, 10)
  return commit ? `${version}+${commit}` : version
}

/** Of an archive the commit that `git archive` wrote into it, of a clone git's; '' if neither says. */
function commitIn(tree: string): string {
  const file = join(tree, '.commit')
  const written = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (/^[0-9a-f]+$/.test(written)) return written
  if (!existsSync(join(tree, '.git'))) return ''
  try {
    // The service's user need not own the clone.
    const asked = ['-c', 'safe.directory=*', 'rev-parse', 'HEAD']
    return execFileSync('git', asked, { cwd: tree, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}

/** The version of this Afterglow. */
export const version = versionIn(ourTree)

import { existsSync, lstatSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { syncDirectory } from './durable-file.ts'

/** Versions side by side: <home>/releases/<version> … `current` is the one that starts, `previous` the one before. */
export type Releases = { home: string; folder: string }

/** The tree of sources that this process runs. */
export const ourTree = realpathSync(fileURLToPath(new URL('../../../../', import.meta.url)))

/** null: this tree stands by itself. */
export function releasesAround(tree = ourTree): Releases | null {
  const folder = dirname(tree)
  const home = dirname(folder)
  return basename(folder) === 'releases' && isLink(join(home, 'current')) ? { home, folder } : null
}

export const treeOf = ({ home }: Releases, name: 'current' | 'previous'): string | null =>
  existsSync(join(home, name)) ? realpathSync(join(home, name)) : null

/** `current` leads to a whole version at any moment: the previous one or this one. */
export function switchTo(releases: Releases, tree: string): void {
  const before = treeOf(releases, 'current')
  if (before === tree) return
  if (before) point(releases, 'previous', before)
  point(releases, 'current', tree)
}

function point({ home, folder }: Releases, name: 'current' | 'previous', tree: string): void {
  const unfinished = join(home, `${name}.new`)
  rmSync(unfinished, { force: true })
  symlinkSync(join(basename(folder), basename(tree)), unfinished)
  renameSync(unfinished, join(home, name))
  syncDirectory(home)
}

/** The Node that a tree has for itself, or else the one that runs us. */
export function nodeIn(tree: string): string {
  const own = join(tree, 'node_modules/.bin/node')
  return existsSync(own) ? realpathSync(own) : process.execPath
}

/** The tree that a new process of the service starts from: after an upgrade another one than ours. */
export function treeToStart(): string {
  const releases = releasesAround()
  return (releases && treeOf(releases, 'current')) ?? ourTree
}

const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

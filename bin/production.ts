/**
 * Removes from node_modules what a running service does not need: build and test tools, and files that Node never
 * reads.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

type Package = {
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

const root = join(import.meta.dirname, '..')
const modules = join(root, 'node_modules')
/** Source maps and types, READMEs, and Node's headers for native addons. */
const unread = /\.map$|\.d\.[cm]?ts$|\.(?:md|markdown)$|^node-linux-[^/]+\/include\//i
/** 180 MB with its dependencies, unused where ffmpeg is installed. */
const videoTool = 'node-av'

/** Keeps what a start needs and reports it. A command that needs a tool reinstalls them all. */
export function leaveOutTools(): string {
  const ffmpeg = hasFfmpeg()
  const stamp = join(modules, '.afterglow-installed')
  const installed = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  // First: if killed halfway, nobody takes this for a complete install.
  for (const record of [stamp, join(modules, '.package-lock.json')]) rmSync(record, { force: true })
  const kept = packagesOf('server', ffmpeg ? [videoTool] : [])
  for (const path of packagesBelow(modules, 'node_modules')) if (!kept.has(path)) removeButNested(path, kept)
  for (const path of filesBelow(modules)) if (unread.test(relative(modules, path))) rmSync(path)
  for (const name of readdirSync(join(modules, '.bin'), { withFileTypes: true }))
    if (!existsSync(join(modules, '.bin', name.name))) rmSync(join(modules, '.bin', name.name))
  // Caches of tools and runs grow and can be rebuilt.
  for (const name of ['.cache', '.vite', '.vite-temp', '.vitest-cache'])
    rmSync(join(modules, name), { recursive: true, force: true })
  // Our stamp records the production state, so that tools are reinstalled when needed.
  writeFileSync(stamp, `${installed.replace(/ production$/, '')} production`)
  const why = ffmpeg ? '' : `, ${videoTool} among it, as no ffmpeg is installed`
  return `Left of node_modules: ${Math.round(bytesOf(modules) / 2 ** 20)} MiB${why}.`
}

/** Does not follow links, unlike Node's recursion: node_modules links to our workspaces. */
function* filesBelow(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else if (entry.isFile()) yield path
  }
}

function bytesOf(directory: string): number {
  let bytes = 0
  for (const path of filesBelow(directory)) bytes += lstatSync(path).blocks * 512
  return bytes
}

const hasFfmpeg = () => ['ffmpeg', 'ffprobe'].every(name => spawnSync(name, ['-version']).status === 0)

/** Paths of a workspace's run-time packages, and of the pinned Node. */
function packagesOf(workspace: string, without: readonly string[]): Set<string> {
  const { packages }: { packages: Record<string, Package> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  const found = new Set<string>()
  const take = (path: string) => {
    if (found.has(path)) return
    found.add(path)
    const one = packages[path] as Package
    if (one.link && one.resolved) return take(one.resolved)
    const peers = Object.keys(one.peerDependencies ?? {}).filter(name => !one.peerDependenciesMeta?.[name]?.optional)
    for (const name of [...Object.keys({ ...one.dependencies, ...one.optionalDependencies }), ...peers]) {
      const at = without.includes(name) ? undefined : placeOf(name, path, packages)
      if (at) take(at)
    }
  }
  take(workspace)
  for (const name of Object.keys(packages['']?.optionalDependencies ?? {})) take(`node_modules/${name}`)
  return found
}

/** Resolves like Node: the nearest node_modules on the way up. */
function placeOf(name: string, from: string, packages: Record<string, Package>): string | undefined {
  const parts = from.split('/')
  for (let length = parts.length; length >= 0; length--) {
    const path = [...parts.slice(0, length), 'node_modules', name].join('/')
    if (packages[path]) return path
  }
  return undefined
}

/** Includes nested packages. */
function packagesBelow(directory: string, path: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap(entry => {
    const here = `${path}/${entry.name}`
    if (entry.name.startsWith('.') || !entry.isDirectory()) return []
    if (entry.name.startsWith('@')) return packagesBelow(join(directory, entry.name), here)
    const nested = join(directory, entry.name, 'node_modules')
    return [here, ...(existsSync(nested) ? packagesBelow(nested, `${here}/node_modules`) : [])]
  })
}

/** Keeps needed packages nested within a removed one. */
function removeButNested(path: string, kept: ReadonlySet<string>): void {
  if ([...kept].some(other => other.startsWith(`${path}/`)))
    throw new Error(`${path} goes, and something that stays lies within it`)
  rmSync(join(root, path), { recursive: true, force: true })
}

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { later } from './later.ts'
import { newFolder } from './new-folder.ts'

const root = join(import.meta.dirname, '../..')
const shared = ['node_modules', 'web', 'sdk', 'contract', 'docs']

type Change = (tree: string) => void

/** A release of the current code, with the packages and the client of this tree. `change` modifies it. */
export function makeTree(tree: string, version: string, change: Change = () => {}): void {
  mkdirSync(tree, { recursive: true })
  for (const name of ['bin', 'server/src', 'server/migrations', 'server/package.json', 'package-lock.json'])
    cpSync(join(root, name), join(tree, name), { recursive: true })
  for (const name of shared) symlinkSync(join(root, name), join(tree, name))
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(join(tree, 'package.json'), JSON.stringify({ ...manifest, version }))
  // It uses the packages of this tree, most of which a production build would remove.
  writeFileSync(join(tree, 'bin/build.ts'), `console.error('Built.')\n`)
  change(tree)
}

/** <home>/releases/0.1.0, which is current; and archives of other versions. */
export function openReleases() {
  const home = realpathSync(newFolder('releases'))
  makeTree(join(home, 'releases/0.1.0'), '0.1.0')
  symlinkSync('releases/0.1.0', join(home, 'current'))
  const archiveOf = (version: string, change?: Change) => {
    const [made, archive] = [join(home, `afterglow-${version}`), join(home, `afterglow-${version}.tar`)]
    makeTree(made, version, change)
    execFileSync('tar', ['-cf', archive, '-C', home, `afterglow-${version}`])
    rmSync(made, { recursive: true })
    return archive
  }
  /** Runs the command as its user does, killed with kill -9 once it prints that; resolves to how it ended. */
  const afterglow = async (
    env: Record<string, string>,
    args: string[],
    { killedAt, tree = realpathSync(join(home, 'current')) }: { killedAt?: RegExp | undefined; tree?: string } = {},
  ) => {
    const child = spawn(process.execPath, ['server/src/command/main.ts', ...args], {
      cwd: tree,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let complaints = ''
    child.stderr.on('data', chunk => {
      complaints += chunk
      if (killedAt?.test(complaints)) child.kill('SIGKILL')
    })
    const out = later(text(child.stdout))
    const [code, signal] = await once(child, 'close')
    return { code, signal, out: (await out).trim(), err: complaints.trim() }
  }
  return { home, archiveOf, afterglow, current: () => realpathSync(join(home, 'current')) }
}

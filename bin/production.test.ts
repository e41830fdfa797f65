import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildClient, isBuilt } from '../server/src/platform/web-client/build.ts'
import { later } from '../server/test/later.ts'
import { newFolder } from '../server/test/new-folder.ts'

const root = join(import.meta.dirname, '..')
const tree = newFolder('production')
const mebibytesMax = 350

/** Copies everything but node_modules, which is hard-linked where the disk allows: removals only unlink. */
const copyTree = () => {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of [...workspaces, 'bin', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(root, name), join(tree, name), { recursive: true })
  const modules = join(root, 'node_modules')
  try {
    execFileSync('cp', ['-al', modules, tree], { stdio: 'ignore' })
  } catch {
    execFileSync('cp', ['-a', modules, tree])
  }
}

test('a production build keeps what serves, the client included, and at most 350 MiB where there is an ffmpeg', async () => {
  if (!(await isBuilt())) await buildClient()
  copyTree()
  const node = join(tree, 'node_modules/.bin/node')
  const said = execFileSync(node, ['bin/build.ts', '--production'], { cwd: tree, encoding: 'utf8' })
  const left = Number(/Left of node_modules: (\d+) MiB/.exec(said)?.[1])
  expect(left).toBeGreaterThan(100)
  if (!said.includes('node-av')) expect(left).toBeLessThanOrEqual(mebibytesMax)
  // node_modules links to our own workspaces, which stay whole.
  for (const path of ['contract/README.md', 'server/src/platform/media/pictures/heic-decode.d.ts'])
    expect(existsSync(join(tree, path)), path).toBe(existsSync(join(root, path)))

  const env = { DATA_DIR: join(tree, 'data'), PORT: '0', LOG_LEVEL: 'warn', PATH: process.env.PATH }
  const server = spawn(node, ['server/src/main.ts'], { cwd: tree, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = later(once(server, 'exit'))
  let heard = ''
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    heard += chunk
    const address = /listens on (http:[^\s"]+)/.exec(heard)?.[1]
    if (!address) continue
    server.stdout.resume()
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    expect((await fetch(`${address}/docs/`)).status).toBe(200)
    await expect.poll(async () => (await fetch(address)).status).toBe(200)
    break
  }
  expect(heard).not.toMatch(/being built|video \(neither/)
  server.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
}, 300_000)

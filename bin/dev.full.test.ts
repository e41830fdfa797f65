import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { livingPostmaster } from '../server/src/platform/embedded-database/postmaster.ts'
import { freePort } from '../server/test/free-port.ts'
import { later } from '../server/test/later.ts'
import { newFolder } from '../server/test/new-folder.ts'
import { makeTree } from '../server/test/releases.ts'
import { whenDone } from '../server/test/when-done.ts'

test('`npm run dev` serves a changed source a moment later, and stops completely', {
  timeout: 300_000,
}, async () => {
  const tree = realpathSync(newFolder('dev'))
  makeTree(tree, '1.0.0')
  const dataDir = join(tree, 'data')
  const port = await freePort()
  const dev = spawn(process.execPath, ['bin/dev.ts'], {
    cwd: tree,
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'silent', AFTERGLOW_ENV: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = later(once(dev, 'exit'))
  whenDone(async () => {
    dev.kill('SIGTERM')
    await gone
  })
  const served = () =>
    fetch(`http://127.0.0.1:${port}/healthz`)
      .then(reply => reply.json())
      .then(
        ({ version }) => version,
        () => 'nothing',
      )
  await expect.poll(served, { timeout: 120_000 }).toBe('1.0.0')
  const source = join(tree, 'server/src/service-routes.ts')
  writeFileSync(
    source,
    readFileSync(source, 'utf8').replace("status: 'ok', version", "status: 'ok', version: 'changed'"),
  )
  await expect.poll(served, { timeout: 120_000 }).toBe('changed')
  dev.kill('SIGINT')
  await gone
  await expect.poll(() => livingPostmaster(join(dataDir, 'postgres/cluster'))).toBeNull()
})

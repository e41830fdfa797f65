import { spawn } from 'node:child_process'
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { command } from '../../../test/command.ts'
import { freePort } from '../../../test/free-port.ts'
import { openNodes } from '../../../test/nodes.ts'
import { makeTree, openReleases } from '../../../test/releases.ts'
import { switchTo } from '../../platform/process/releases.ts'

const { home, archiveOf, afterglow, current } = openReleases()
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const settings = { PROCESSES: '2', PORT: String(port), AFTERGLOW_ENV: '' }
const backups = join(home, 'backups')
const { first } = await openNodes(settings, { program: join(home, 'current/server/src/main.ts') })
const env: Record<string, string> = { ...settings, DATA_DIR: first.dataDir }

const served = async () => (await (await fetch(`${url}/healthz`)).json()).version
const upgrade = (archive: string, killedAt?: RegExp) =>
  afterglow(env, ['upgrade', archive, '--backup', backups], { killedAt })
const unfinished = () => readdirSync(join(home, 'releases')).filter(name => name.startsWith('.unfinished'))

test('an upgrade killed at any point leaves a version that serves and starts, and the next one continues', {
  tags: 'slow',
  timeout: 900_000,
}, async () => {
  // A build that does not end by itself the first time.
  const archive = archiveOf('0.1.1', tree =>
    writeFileSync(
      join(tree, 'bin/build.ts'),
      `import { existsSync, writeFileSync } from 'node:fs'
      if (!existsSync('begun')) { writeFileSync('begun', ''); console.error('Halfway.'); setInterval(() => {}, 1000) }`,
    ),
  )
  for (const point of [/Building/, /Halfway/, /Backing up/]) {
    expect(await upgrade(archive, point)).toMatchObject({ signal: 'SIGKILL' })
    expect(current()).toBe(join(home, 'releases/0.1.0'))
    expect(await served()).toBe('0.1.0')
    expect((await afterglow(env, ['database', 'check'])).code).toBe(0)
  }
  const checked = await afterglow(env, ['upgrade', '--check'])
  expect(checked, checked.err).toMatchObject({ code: 0, out: expect.stringContaining('start beside the version') })
  expect(await upgrade(archive, /is current; restarting/)).toMatchObject({ signal: 'SIGKILL' })
  expect(current()).toMatch(/releases\/0\.1\.1-\w{8}$/)

  const whole = await upgrade(archive)
  expect(whole, whole.err).toMatchObject({ code: 0, out: '2 processes were restarted.\nNow run doctor.' })
  expect(await served()).toBe('0.1.1')
  expect(unfinished()).toEqual([])
  const [backup, ...more] = readdirSync(backups)
  expect(more).toEqual([])
  expect((await afterglow(env, ['backup', 'verify', join(backups, backup as string)])).code).toBe(0)
})

test('a version that rejects the database or does not start changes nothing', {
  tags: 'slow',
  timeout: 600_000,
}, async () => {
  const before = current()
  const other = archiveOf('0.1.2', tree =>
    appendFileSync(join(tree, 'server/migrations/0001_accounts.sql'), 'create table other ();'),
  )
  const refused = await upgrade(other)
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.err).toContain('Version 0.1.2 does not take this database: The database was made with another 0001')

  const broken = archiveOf('0.1.3', tree => writeFileSync(join(tree, 'server/src/main.ts'), 'process.exit(1)'))
  const stopped = await upgrade(broken)
  expect(stopped).toMatchObject({ code: 1 })
  expect(stopped.err).toContain('Version 0.1.1 goes on')
  expect(current()).toBe(before)
  expect(await served()).toBe('0.1.1')
})

test('an unpacked version upgrades to itself, by its own command', { tags: 'slow', timeout: 600_000 }, async () => {
  const tree = join(home, 'releases/0.1.4')
  makeTree(tree, '0.1.4')
  const killed = await afterglow(env, ['upgrade', '--backup', backups], { killedAt: /is current; restarting/, tree })
  expect(killed).toMatchObject({ signal: 'SIGKILL' })
  const done = await afterglow(env, ['upgrade', '--backup', backups], { tree })
  expect(done, done.err).toMatchObject({ code: 0, out: expect.stringContaining('Now run doctor.') })
  expect(current()).toBe(tree)
  expect(await served()).toBe('0.1.4')
  const back = await afterglow(env, ['upgrade', '--back'])
  expect(back, back.err).toMatchObject({ code: 0 })
  expect(await served()).toBe('0.1.1')
})

test('a rollback leads to the previous version; after a migration it is refused with its cost', {
  tags: 'slow',
  timeout: 600_000,
}, async () => {
  await first.stop()
  const [newer] = readdirSync(join(home, 'releases')).filter(name => name.startsWith('0.1.1-'))
  switchTo({ home, folder: join(home, 'releases') }, join(home, 'releases/0.1.0'))
  switchTo({ home, folder: join(home, 'releases') }, join(home, 'releases', newer as string))
  const back = await afterglow(env, ['upgrade', '--back'])
  expect(back, back.err).toMatchObject({ code: 0, out: expect.stringContaining('its next start is of this version') })
  expect(current()).toBe(join(home, 'releases/0.1.0'))

  const archive = archiveOf('0.2.0', tree =>
    writeFileSync(join(tree, 'server/migrations/9000_more.sql'), 'create table more_of_it (id bigint primary key);'),
  )
  const done = await upgrade(archive)
  expect(done, done.err).toMatchObject({ code: 0 })
  await startOnce()
  const late = await afterglow(env, ['upgrade', '--back'])
  expect(late).toMatchObject({ code: 1 })
  expect(late.err).toContain('Version 0.1.0 does not take this database')
  expect(late.err).toMatch(/what was written since it would be lost[\s\S]*afterglow -- restore \S+before-0\.2\.0-/)
  expect(current()).toMatch(/releases\/0\.2\.0-/)
})

test('the command says which backup is missing', async () => {
  expect((await command({}, ['upgrade', '--back', '--check'])).err).toContain('alone')
  expect((await command({}, ['upgrade'])).err).toContain('Say where the backup goes')
  expect((await command({}, ['upgrade', 'x.tar.gz'])).err).toContain('Say where the backup goes')
  expect((await command({}, ['upgrade', 'x.tar.gz', '--backed-up'])).err).toContain('stands by itself')
})

test('the command upgrades nothing without an instance, and says so', async () => {
  const nowhere = { ...settings, DATA_DIR: join(home, 'nowhere') }
  for (const words of [
    ['upgrade', 'x.tar.gz', '--backed-up'],
    ['upgrade', '--back'],
  ]) {
    const { code, err } = await afterglow(nowhere, words)
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(`There is no instance in ${nowhere.DATA_DIR}`),
    })
  }
})

/** The current version as one process, until it serves. */
async function startOnce() {
  const main = join(current(), 'server/src/main.ts')
  const { PATH } = process.env
  const service = spawn(process.execPath, [main], {
    env: { ...env, PROCESSES: '1', PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const chunk of service.stdout) {
    said += chunk
    if (said.includes('listens on')) service.kill('SIGTERM')
  }
}

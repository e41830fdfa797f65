import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cloneDatabase, openTestApp } from '../../test/app.ts'
import { command } from '../../test/command.ts'
import { needing } from '../../test/needing.ts'
import { newFolder } from '../../test/new-folder.ts'
import { openNginx, upgrading } from '../../test/nginx.ts'
import { nginx } from '../../test/tools.ts'
import { openSecrets } from '../platform/secrets/secrets.ts'
import type { Finding } from './doctor/finding.ts'
import { mountOf } from './doctor/machine.ts'

const { url } = await cloneDatabase()
const folder = newFolder('doctor')
const home = (name: string) => {
  const dataDir = join(folder, name)
  mkdirSync(join(dataDir, 'media'), { recursive: true, mode: 0o700 })
  openSecrets(join(dataDir, 'secrets.json'))
  return dataDir
}
const sound = { DATA_DIR: home('sound'), DATABASE_URL: url, PUSH_CONTACT: 'mailto:host@example.com' }

const examine = async (env: Record<string, string>) => {
  const { code, out } = await command(env, ['--json', 'doctor'])
  const { findings } = JSON.parse(out) as { findings: Finding[] }
  return { code, out, of: (about: string) => findings.find(one => one.about === about) }
}

test('the doctor finds a healthy instance good, as text and JSON, and leaves nothing behind', async () => {
  // The test's database does not outlive the run, so fsync is off: the only finding.
  const { of } = await examine(sound)
  expect(of('database')).toMatchObject({ state: 'fault', found: expect.stringContaining('fsync off') })
  for (const about of ['disk', 'secrets', 'storage', 'pictures', 'HEIC', 'address', 'proxies', 'push'])
    expect([about, of(about)?.state]).toEqual([about, 'good'])
  const left = readdirSync(join(sound.DATA_DIR, 'media'), { recursive: true, withFileTypes: true })
  expect(left.filter(one => one.isFile() || one.name.startsWith('doctor'))).toEqual([])
  const { out, code } = await command(sound, ['doctor'])
  expect(code).toBe(1)
  expect(out).toMatch(/FAULT {2}database .*\n +→ /)
})

test('the thorough doctor reads every file and recounts every count', { tags: 'slow' }, async () => {
  const { out } = await command(sound, ['--json', 'doctor', '--thorough'])
  const { findings } = JSON.parse(out) as { findings: Finding[] }
  expect(findings.find(one => one.about === 'invariants')).toMatchObject({ state: 'good' })
  expect((await examine(sound)).of('invariants')).toBe(undefined)
})

describe('the doctor reports', () => {
  test('a disk that is too full for uploads is reported with the setting that refuses them', async () => {
    const { of } = await examine({ ...sound, FREE_MB_MIN: '1000000' })
    const advice = expect.stringContaining('below 1000000 MiB (FREE_MB_MIN) uploads are refused')
    expect(of('disk')).toMatchObject({ state: 'fault', advice })
  })

  test('an unreachable database is reported without its password', async () => {
    const { code, out, of } = await examine({ ...sound, DATABASE_URL: 'postgres://me:planted-word@127.0.0.1:1/x' })
    expect(code).toBe(1)
    expect(of('database')).toMatchObject({ state: 'fault', found: expect.stringContaining('cannot be reached') })
    expect(out).not.toContain('planted-word')
  })

  test('secrets that others can read and unusable files are reported', async () => {
    const dataDir = home('open')
    chmodSync(join(dataDir, 'secrets.json'), 0o644)
    const { of } = await examine({ ...sound, DATA_DIR: dataDir })
    expect(of('secrets')).toEqual({
      about: 'secrets',
      state: 'fault',
      found: `Others may read ${join(dataDir, 'secrets.json')}.`,
      advice: `chmod go= ${join(dataDir, 'secrets.json')}`,
    })
  })

  needing(nginx).test('a proxy that blocks WebSockets is reported, and one that passes them is good', async () => {
    const app = await openTestApp()
    const bare = await openNginx(app.url, { location: '' })
    const right = await openNginx(app.url, { location: upgrading })
    expect((await examine({ ...sound, PUBLIC_URL: bare.url })).of('channel')).toMatchObject({
      state: 'fault',
      found: expect.stringContaining(`The proxy at ${bare.url} drops the Upgrade header`),
    })
    expect((await examine({ ...sound, PUBLIC_URL: right.url })).of('channel')).toMatchObject({ state: 'good' })
    expect((await examine({ ...sound, PUBLIC_URL: `${right.url}/party` })).of('channel')).toMatchObject({
      state: 'fault',
      found: expect.stringContaining(`What answers at ${right.url}/party lets no WebSocket through`),
    })
    expect((await examine({ ...sound, PUBLIC_URL: 'http://127.0.0.1:1' })).of('channel')).toMatchObject({
      state: 'warning',
    })
    const poll = await fetch(`${app.url}/realtime/?EIO=4&transport=polling`)
    expect(await poll.json()).toEqual({
      error_message: 'The channel is WebSocket only: connect with transports: ["websocket"].',
    })
    const lost = await fetch(`${bare.url}/realtime/?EIO=4&transport=websocket`)
    expect(await lost.json()).toEqual({ error_message: expect.stringContaining('without its Upgrade header') })
  })

  test('an untrusted proxy is reported, and so is trust in everybody', async () => {
    const proxied = { ...sound, PUBLIC_URL: 'https://party.example' }
    expect((await examine(proxied)).of('proxies')).toMatchObject({ state: 'fault' })
    expect((await examine({ ...proxied, TRUSTED_PROXIES: '0.0.0.0/0' })).of('proxies')).toMatchObject({
      state: 'fault',
    })
    expect((await examine({ ...proxied, TRUSTED_PROXIES: '127.0.0.1' })).of('proxies')).toMatchObject({ state: 'good' })
  })

  test('an unreachable mail server and an unreachable Redis are reported', async () => {
    const away = {
      SMTP_URL: 'smtp://me:planted-word@127.0.0.1:1',
      MAIL_FROM: 'a@party.example',
      REDIS_URL: 'redis://127.0.0.1:1',
    }
    const { out, of } = await examine({ ...sound, ...away })
    expect(of('mail')).toMatchObject({
      state: 'fault',
      found: 'The mail server does not take us: connect ECONNREFUSED 127.0.0.1:1.',
    })
    expect(of('redis')).toMatchObject({ state: 'warning' })
    expect(out).not.toContain('planted-word')
  })

  test('unreadable push keys are reported', async () => {
    const { of } = await examine({ ...sound, FCM_SERVICE_ACCOUNT: join(folder, 'nowhere.json') })
    expect(of('push')).toMatchObject({ state: 'fault', found: expect.stringContaining('nowhere.json') })
  })
})

test('an ext4 that would continue after a disk error is named, whatever mounts surround it', () => {
  const lines = [
    '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro',
    '30 22 8:2 / /srv/our\\040data rw,relatime shared:5 - ext4 /dev/sdb1 rw,data_err=abort',
    '31 22 0:40 / /srv/fast rw - xfs /dev/sdc1 rw',
  ].join('\n')
  expect(mountOf('/var/lib/afterglow', lines)).toMatchObject({ point: '/', type: 'ext4' })
  expect(mountOf('/srv/our data/afterglow', lines)?.options).toContain('data_err=abort')
  expect(mountOf('/srv/faster', lines)?.point).toBe('/')
  expect(mountOf('/srv/fast', lines)?.type).toBe('xfs')
})

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect } from 'vitest'
import { buildClient, isBuilt } from '../src/platform/web-client/build.ts'
import { freePort } from './free-port.ts'
import { needing } from './needing.ts'
import { type Machine, openMachine } from './systemd.ts'
import { systemd } from './tools.ts'

const operators = readFileSync(new URL('../../docs/operators.md', import.meta.url), 'utf8')
const settings = /```sh\n(# \/etc\/afterglow\.env\n.*?)```/s.exec(operators)?.[1] ?? ''
const unit = /```ini\n(# \/etc\/systemd\/system\/afterglow\.service\n.*?)```/s.exec(operators)?.[1] ?? ''

const { test: tried } = needing(systemd)

/** Beside the unit, only settings for things that this machine lacks: its own log, and ordering after a network. */
const here = (port: number) => `
[Unit]
DefaultDependencies=no
Wants=
[Service]
Environment=PORT=${port} PUBLIC_URL= LOG_LEVEL=info
StandardOutput=append:/run/afterglow.log
StandardError=append:/run/afterglow.log
`

let machine: Machine
let at = ''
beforeAll(async () => {
  if (!(await isBuilt())) await buildClient()
  const port = await freePort()
  at = `http://127.0.0.1:${port}`
  machine = await openMachine({
    'only.target': '[Unit]\nDefaultDependencies=no\n',
    'afterglow.service': unit,
    'afterglow.service.d/here.conf': here(port),
  })
  const write =
    'printf %s "$0" > /etc/afterglow.env && chown root:afterglow /etc/afterglow.env && chmod 640 /etc/afterglow.env'
  machine.run('sh', '-c', write, settings)
}, 300_000)
afterAll(async () => machine?.stop())

const status = (path: string) =>
  fetch(at + path, { headers: { connection: 'close' }, signal: AbortSignal.timeout(10_000) }).then(
    reply => reply.status,
    () => 0,
  )
const ready = () => expect.poll(() => status('/readyz'), { timeout: 120_000, interval: 200 }).toBe(200)
const shown = (property: string) =>
  machine.run('systemctl', 'show', `--property=${property}`, '--value', 'afterglow').trim()
const left = () => machine.run('sh', '-c', 'pgrep --uid afterglow || true').trim()
const databaseLog = () => machine.read('/var/lib/afterglow/postgres/postgres.log')

tried(
  'the documented unit serves from its first start, the client too, and writes nowhere but its state',
  async () => {
    machine.run('systemctl', 'start', 'afterglow')
    await ready()
    expect(await status('/')).toBe(200)
    const log = () => machine.read('/run/afterglow.log')
    await expect.poll(log).toContain('Pictures are decoded behind bubblewrap')
    expect(log()).not.toContain('cannot')
    expect(machine.read(`/proc/${shown('MainPID')}/comm`).trim()).toMatch(/^(node|MainThread)$/)
  },
  180_000,
)

tried(
  'the command line, run as the service’s user and told nothing, speaks of the same instance; others read no setting',
  () => {
    const program = ['/usr/bin/node', '/opt/afterglow/current/bin/run.js', 'server/src/command/main.ts']
    expect(machine.run('runuser', '-u', 'afterglow', '--', ...program, 'users', 'list')).toContain('Nobody.')
    expect(() => machine.run('runuser', '-u', 'nobody', '--', 'cat', '/etc/afterglow.env')).toThrow(/Permission denied/)
  },
  120_000,
)

tried(
  'the way back, called by root, leads to the release before, restarts the unit and leaves nothing of root’s',
  { tags: 'slow' },
  async () => {
    const before = shown('MainPID')
    const back = `cd /opt/afterglow/current && PORT=${new URL(at).port} node bin/run.js server/src/command/main.ts upgrade --back`
    const said = machine.run('sh', '-c', back)
    expect(said).toContain('afterglow.service was restarted and serves.')
    expect(shown('MainPID')).not.toBe(before)
    expect(machine.run('readlink', `/proc/${shown('MainPID')}/cwd`).trim()).toBe('/opt/afterglow/releases/before')
    expect(machine.run('find', '/var/lib/afterglow', '-uid', '0')).toBe('')
  },
)

tried(
  'each stop drains and shuts the database down in order, and leaves nothing running',
  { tags: 'slow', timeout: 400_000 },
  async () => {
    for (let round = 0; round < 4; round++) {
      const answers: number[] = []
      let stopping = true
      const asking = (async () => {
        while (stopping) {
          answers.push(await status('/api/openapi.json'))
          await sleep(50)
        }
      })()
      const logged = databaseLog().length
      machine.run('systemctl', 'stop', 'afterglow')
      stopping = false
      await asking
      expect([shown('Result'), shown('ExecMainStatus'), shown('ActiveState')]).toEqual(['success', '0', 'inactive'])
      expect(left()).toBe('')
      const said = databaseLog().slice(logged)
      expect(said).toContain('database system is shut down')
      expect(said).not.toMatch(/immediate|terminated|interrupted/)
      expect(answers.filter(answer => answer !== 200 && answer !== 0)).toEqual([])
      machine.run('systemctl', 'start', 'afterglow')
      await ready()
    }
    expect(databaseLog()).not.toMatch(/not properly shut down|interrupted/)
  },
)

tried('kill -9 of its first process is followed by a start that serves', { tags: 'slow' }, async () => {
  const before = shown('MainPID')
  machine.run('kill', '-9', before)
  await expect.poll(() => shown('MainPID')).not.toMatch(new RegExp(`^(0|${before})$`))
  await ready()
})

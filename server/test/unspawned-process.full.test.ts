import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readState } from '../src/processes/state.ts'
import { newFolder } from './new-folder.ts'
import { openNodes } from './nodes.ts'

const folder = newFolder('node')
const node = join(folder, 'node')
copyFileSync(process.execPath, node)
const { first } = await openNodes({ PROCESSES: '2' }, { node })

const processes = () => readState(first.dataDir)?.processes ?? []
const readiness = async () => {
  const reply = await fetch(`${first.url}/readyz`, { headers: { connection: 'close' } })
  return { status: reply.status, said: await reply.json() }
}
const both = { status: 200, said: { status: 'ready', processes: { serving: 2, of: 2 } } }

test('a process that cannot be started is retried until it starts, and /readyz reports it as missing', {
  timeout: 300_000,
}, async () => {
  await vi.waitFor(async () => expect(await readiness()).toEqual(both), { timeout: 100_000, interval: 100 })
  const [victim, other] = processes() as [number, number]
  renameSync(node, `${node}.away`)
  process.kill(victim, 'SIGKILL')
  const missing = { status: 200, said: { status: 'ready', processes: { serving: 1, of: 2 } } }
  await vi.waitFor(async () => expect(await readiness()).toEqual(missing), { timeout: 60_000, interval: 100 })
  await new Promise(resolve => setTimeout(resolve, 2_500))
  expect(processes()).toEqual([null, other])
  renameSync(`${node}.away`, node)
  await vi.waitFor(async () => expect(await readiness()).toEqual(both), { timeout: 100_000, interval: 100 })
  expect(processes()).toEqual([expect.any(Number), other])
})

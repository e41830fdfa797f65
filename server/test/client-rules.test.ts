import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from '@afterglow/sdk/realtime'
import { Server } from 'socket.io'
import { describe, expect, test } from 'vitest'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { whenDone } from './when-done.ts'

/* Catching up as docs/client-rules.json has it: by our SDK, and its assumptions by the service. */

type Page = { cursor: string; changes: string[]; more?: true; too_old?: true }
type Vector = {
  name: string
  kept: string | null
  ready: string
  answers: (number | Page)[]
  meanwhile: string[]
  asked: string[]
  told: string[]
  afresh: boolean
}
const rules: { catchUp: { vectors: Vector[] } } = JSON.parse(
  readFileSync(new URL('../../docs/client-rules.json', import.meta.url), 'utf8'),
)
const event = (name: string) => ({ kind: 'event.deleted', payload: { event_id: name }, cursor: `c${name.slice(1)}` })

test.each(rules.catchUp.vectors)('catching up: $name', async ({ kept, ready, answers, meanwhile, ...expected }) => {
  const asked: string[] = []
  const http = createServer((request, reply) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x')
    asked.push(searchParams.get('cursor') ?? '')
    expect(searchParams.get('until')).toBe(ready)
    // What happens while it catches up comes over the socket before the answer does.
    if (asked.length === 1) tell()
    const answer = answers[asked.length - 1] ?? 500
    if (typeof answer === 'number')
      return void reply.writeHead(answer, { 'content-type': 'application/json' }).end('{}')
    const page = { too_old: false, more: false, ...answer, changes: answer.changes.map(event) }
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page))
  })
  const sockets = new Server(http, { path: '/realtime' })
  const tell = () => {
    for (const { kind, payload, cursor } of meanwhile.map(event)) sockets.emit(kind, payload, { cursor })
  }
  sockets.on('connection', socket => {
    socket.emit('ready', { cursor: ready })
    if (kept === null) tell()
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const channel = connect({ baseUrl, token: 'token' }, kept === null ? {} : { cursor: kept })
  whenDone(async () => {
    channel.close()
    await sockets.close()
  })
  const told: unknown[] = []
  let afresh = false
  channel.onAny((_, payload) => told.push((payload as { event_id: string }).event_id))
  channel.when('stale', () => {
    afresh = true
  })
  await new Promise<void>(resolve => channel.when('live', resolve))
  await expect.poll(() => told, { timeout: 5_000 }).toEqual(expected.told)
  expect({ asked, afresh }).toEqual({ asked: expected.asked, afresh: expected.afresh })
  expect(channel.cursor).toBe(meanwhile.length > 0 ? event(meanwhile.at(-1) as string).cursor : ready)
})

describe('the service', async () => {
  const app = await openTestApp()
  const other = await openTestApp()
  const [olivia, elsewhere] = [await enter(app, 'olivia'), await enter(other, 'olivia')]

  test('says of a cursor of another history that it is too old, and where to go on', async () => {
    const { cursor } = await elsewhere.api.notifications.syncRealtime({})
    const told = await olivia.api.notifications.syncRealtime({ cursor })
    expect(told).toMatchObject({ too_old: true, more: false, changes: [] })
    expect(await olivia.api.notifications.syncRealtime({ cursor: told.cursor })).toMatchObject({ too_old: false })
  })

  test('refuses a cursor that it cannot read with 400', async () => {
    await expect(olivia.api.notifications.syncRealtime({ cursor: 'nonsense' })).rejects.toMatchObject({ status: 400 })
  })
})

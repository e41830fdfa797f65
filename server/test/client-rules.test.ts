import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterglow } from '@afterglow/sdk'
import { type Outbox, type OutboxStorage, openOutbox, type Waiting } from '@afterglow/sdk/outbox'
import { connect } from '@afterglow/sdk/realtime'
import { Server } from 'socket.io'
import { describe, expect, test } from 'vitest'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { bringIn, evening } from './party.ts'
import { whenDone } from './when-done.ts'

/*
 * Catching up and the outbox by docs/client-rules.json: our SDK follows the rules, and the service keeps their
 * assumptions.
 */

type Answer = 'lost' | 'unanswered' | 'killed' | { status: number; retryAfterSeconds?: number; code?: string }
type OutboxVector = {
  name: string
  written: string[]
  answers: Record<string, Answer[]>
  requests: Record<string, string[]>
  told: Record<string, string[]>
  arrived: Record<string, string[]>
  stored: string[]
  secondsAtLeast?: number
}
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
const rules: { outbox: { vectors: OutboxVector[] }; catchUp: { vectors: Vector[] } } = JSON.parse(
  readFileSync(new URL('../../docs/client-rules.json', import.meta.url), 'utf8'),
)
const event = (name: string) => ({ kind: 'event.deleted', payload: { event_id: name }, cursor: `c${name.slice(1)}` })

test.each(rules.catchUp.vectors)('catching up: $name', async ({ kept, ready, answers, meanwhile, ...expected }) => {
  const asked: string[] = []
  const http = createServer((request, reply) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x')
    asked.push(searchParams.get('cursor') ?? '')
    expect(searchParams.get('until')).toBe(ready)
    // Events during the catch-up arrive over the socket before its answer does.
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
  await expect.poll(() => told).toEqual(expected.told)
  expect({ asked, afresh }).toEqual({ asked: expected.asked, afresh: expected.afresh })
  expect(channel.cursor).toBe(meanwhile.length > 0 ? event(meanwhile.at(-1) as string).cursor : ready)
})

const app = await openTestApp()

type Line = Waiting & { words: string }

/** Storage as in an app: texts by name, in no order. */
const keptAsTexts = () => {
  const texts = new Map<string, string>()
  const all = () => [...texts.values()].reverse().map(text => JSON.parse(text) as Line)
  const storage: OutboxStorage<Line> = {
    all: async () => all(),
    put: async line => texts.set(String(line.at), JSON.stringify(line)),
    remove: async at => texts.delete(String(at)),
  }
  return { storage, all }
}
const stateOf = ({ refused, sending, code }: Line) =>
  refused !== undefined ? `refused ${code}` : sending ? 'sending' : 'waiting'

describe('the outbox', () => {
  const settings = async () => {
    const olivia = await enter(app, 'olivia')
    const chats = await Promise.all([olivia.api.events.saveEvent(evening()), olivia.api.events.saveEvent(evening())])
    const chatIds = { A: chats[0].group_chat_id, B: chats[1].group_chat_id }
    const arrived = async (chat: 'A' | 'B') =>
      (await olivia.api.chats.listMessages({ group_chat_id: chatIds[chat], page: 1, page_length: 100 })).data
        .map(({ message_content }) => message_content)
        .reverse()
    return { olivia, chatIds, arrived }
  }

  test.each(rules.outbox.vectors)('$name', async ({ written, answers, secondsAtLeast = 0, ...expected }) => {
    const { olivia, chatIds, arrived } = await settings()
    const { storage, all } = keptAsTexts()
    const requests: Record<string, string[]> = {}
    const keys = new Map<string, Set<string | null>>()
    const told = new Map<string, string[]>()
    const tell = (words: string, state: string) => {
      const before = told.get(words) ?? []
      if (before.at(-1) !== state) told.set(words, [...before, state])
    }

    const faulty =
      (die: () => void) =>
      async (address: string | URL | Request, init: RequestInit = {}) => {
        const { group_chat_id, message_content: words } = JSON.parse(String(init.body))
        expect(all().map(line => line.words)).toContain(words)
        const chat = group_chat_id === chatIds.A ? 'A' : 'B'
        requests[chat] = [...(requests[chat] ?? []), words]
        keys.set(words, (keys.get(words) ?? new Set()).add(new Headers(init.headers).get('idempotency-key')))
        const answer = answers[words]?.[requests[chat].filter(each => each === words).length - 1]
        if (typeof answer === 'object') {
          const { status, retryAfterSeconds, code } = answer
          const headers = {
            ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
            ...(code && { 'x-refusal': code }),
          }
          return Response.json({}, { status, headers })
        }
        const real = answer === 'lost' ? undefined : await fetch(address, init)
        if (answer === undefined && real) return real
        if (answer === 'killed') die()
        throw new TypeError('fetch failed')
      }
    let current: Outbox<Line> | undefined
    const start = () => {
      let alive = true
      const die = () => {
        alive = false
        box.close()
        start()
      }
      const { saveMessage } = afterglow({ baseUrl: app.url, token: olivia.token, fetch: faulty(die) }).chats
      const box = openOutbox<Line>({
        storage,
        send: ({ chatId, words, key }) =>
          saveMessage({ group_chat_id: chatId, message_content: words }, { idempotencyKey: key }),
        onChange(waiting) {
          if (!alive) return
          for (const line of waiting) tell(line.words, stateOf(line))
          for (const words of told.keys()) if (!waiting.some(line => line.words === words)) tell(words, 'gone')
        },
        retryDelays: [0, 10],
      })
      current = box
      void box.load()
    }
    start()
    whenDone(() => current?.close())

    const began = performance.now()
    for (const line of written) {
      const [chat, words = ''] = line.split(': ') as ['A' | 'B', string]
      void current?.post({ chatId: chatIds[chat], words })
    }
    await expect.poll(() => requests).toEqual(expected.requests)
    await expect.poll(() => Object.fromEntries(told)).toMatchObject(expected.told)
    await expect
      .poll(() =>
        all()
          .map(({ words }) => words)
          .sort(),
      )
      .toEqual(expected.stored)
    expect((performance.now() - began) / 1000).toBeGreaterThanOrEqual(secondsAtLeast)
    for (const chat of ['A', 'B'] as const) expect(await arrived(chat)).toEqual(expected.arrived[chat] ?? [])
    expect([...keys.values()].every(each => each.size === 1 && !each.has(null))).toBe(true)
    expect(new Set([...keys.values()].flatMap(each => [...each])).size).toBe(keys.size)
  })
})

describe('an outbox', () => {
  /** A chat that the viewer is not in: a message there is refused, and others wait behind it. */
  const outside = async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    const { storage, all } = keptAsTexts()
    let waiting: readonly Line[] = []
    const box = openOutbox<Line>({
      storage,
      send: ({ chatId, words, key }) =>
        gus.api.chats.saveMessage({ group_chat_id: chatId, message_content: words }, { idempotencyKey: key }),
      onChange: now => {
        waiting = now
      },
      retryDelays: [0],
    })
    whenDone(() => box.close())
    await box.post({ chatId: group_chat_id, words: 'Hello' })
    await expect.poll(() => all().map(({ code }) => code)).toEqual(['notInEvent'])
    const refused = waiting[0] as Line
    expect(refused.refused).toBe('The user is neither a guest nor an organizer of the event')
    return { olivia, gus, event_id: id, group_chat_id, box, refused, all, shown: () => waiting }
  }

  test('sends a refused item again on its author’s request', async () => {
    const { olivia, gus, event_id, group_chat_id, box, refused, all, shown } = await outside()
    await bringIn(olivia, event_id, gus)
    await box.sendAgain(refused.at)
    await expect.poll(() => [shown(), all()]).toEqual([[], []])
    const { data } = await olivia.api.chats.listMessages({ group_chat_id, page: 1, page_length: 10 })
    expect(data.map(({ message_content }) => message_content)).toEqual(['Hello'])
  })

  test('drops a refused item on its author’s request', async () => {
    const { box, refused, all, shown } = await outside()
    await box.discard(refused.at)
    await box.load()
    expect([shown(), all()]).toEqual([[], []])
  })

  test('waits longer after each try, and tries at once when the network returns', async () => {
    const tries: number[] = []
    let reachable = false
    const box = openOutbox<Line>({
      send: async () => {
        tries.push(performance.now())
        if (!reachable) throw new TypeError('fetch failed')
      },
      retryDelays: [20, 80, 600_000],
    })
    whenDone(() => box.close())
    await box.post({ chatId: 1, words: 'Hello' })
    await expect.poll(() => tries.length).toBe(3)
    const [first = 0, second = 0, third = 0] = tries
    // A Node timer may fire a millisecond early.
    expect(second - first).toBeGreaterThanOrEqual(19)
    expect(third - second).toBeGreaterThanOrEqual(79)
    reachable = true
    await expect
      .poll(() => {
        box.wake()
        return tries.length
      })
      .toBe(4)
  })

  test('sends items that its storage could not take', async () => {
    const sent: string[] = []
    const full = async () => {
      throw new Error('no space')
    }
    const box = openOutbox<Line>({
      send: async ({ words }) => sent.push(words),
      storage: { all: full, put: full, remove: full },
    })
    whenDone(() => box.close())
    await box.load()
    for (const words of ['one', 'two']) await box.post({ chatId: 1, words })
    await expect.poll(() => sent).toEqual(['one', 'two'])
  })
})

describe('the service', async () => {
  const other = await openTestApp()
  const [olivia, elsewhere] = [await enter(app, 'olivia'), await enter(other, 'olivia')]

  test('reports a cursor of another history as too old, with a new cursor', async () => {
    const { cursor } = await elsewhere.api.notifications.syncRealtime({})
    const told = await olivia.api.notifications.syncRealtime({ cursor })
    expect(told).toMatchObject({ too_old: true, more: false, changes: [] })
    expect(await olivia.api.notifications.syncRealtime({ cursor: told.cursor })).toMatchObject({ too_old: false })
  })

  test('refuses an invalid cursor with 400', async () => {
    await expect(olivia.api.notifications.syncRealtime({ cursor: 'nonsense' })).rejects.toMatchObject({ status: 400 })
  })
})

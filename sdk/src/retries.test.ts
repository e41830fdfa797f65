import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { AfterglowError, afterglow, eachOf, replyInfo } from './client.ts'

const closings: (() => void)[] = []
afterAll(() => {
  for (const close of closings) close()
})
const serving = (listener: RequestListener) =>
  new Promise<string>(resolve => {
    const server = createServer(listener).listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    )
    closings.push(() => server.close())
  })
const json = { 'content-type': 'application/json' }

/** Fails so often, then answers. */
const failing = async (times: number, status = 503) => {
  let asked = 0
  const baseUrl = await serving((_, reply) => {
    asked += 1
    if (asked <= times) return reply.writeHead(status, { ...json, 'retry-after': '0', 'x-request-id': 'r-1' }).end('{}')
    reply.writeHead(200, { ...json, 'x-request-id': 'r-2', 'idempotency-replayed': 'true' }).end('{"id":"7"}')
  })
  return { baseUrl, asked: () => asked }
}
const message = { group_chat_id: 1, message_content: 'Hello' }

test('a read, and a POST under a key, are repeated as often as asked, a refusal never', { tags: 'slow' }, async () => {
  for (const [times, retries, answers] of [
    [2, 2, true],
    [2, 1, false],
  ] as const) {
    const service = await failing(times)
    const reading = afterglow({ baseUrl: service.baseUrl, retries }).accounts.readAccount()
    expect(
      await reading.then(
        () => true,
        () => false,
      ),
    ).toBe(answers)
    expect(service.asked()).toBe(answers ? 3 : 2)
  }
  const posted = await failing(1)
  await afterglow({ baseUrl: posted.baseUrl, retries: 1 }).chats.saveMessage(message, { idempotencyKey: 'k' })
  expect(posted.asked()).toBe(2)
  const refusing = await failing(1, 400)
  await expect(afterglow({ baseUrl: refusing.baseUrl, retries: 3 }).accounts.readAccount()).rejects.toThrow(
    AfterglowError,
  )
  expect(refusing.asked()).toBe(1)
})

test('a POST without a key is sent once', async () => {
  const service = await failing(1)
  await expect(afterglow({ baseUrl: service.baseUrl, retries: 3 }).chats.saveMessage(message)).rejects.toThrow()
  expect(service.asked()).toBe(1)
})

test('results and errors tell their request, and whether they are repeats', async () => {
  const service = await failing(1)
  const api = afterglow({ baseUrl: service.baseUrl })
  const fault = await api.accounts.readAccount().catch(error => error)
  expect([fault.requestId, fault.replayed]).toEqual(['r-1', false])
  const sent = await api.chats.saveMessage(message, { idempotencyKey: 'k' })
  expect(replyInfo(sent)).toEqual({ status: 200, requestId: 'r-2', replayed: true })
})

test('a call ends after its time, or when it is cancelled', async () => {
  const baseUrl = await serving(() => {})
  const timedOut = await afterglow({ baseUrl, timeoutMs: 50 })
    .accounts.readAccount()
    .catch(error => error)
  expect(timedOut.name).toBe('TimeoutError')
  const ending = new AbortController()
  const cancelled = afterglow({ baseUrl, retries: 5 }).accounts.readAccount({}, { signal: ending.signal })
  ending.abort(new Error('enough'))
  await expect(cancelled).rejects.toThrow('enough')
})

test('the pages of a list are one loop, without what moved from one to the next', async () => {
  const pages: Record<string, object> = {
    1: { data: [{ id: '9' }, { id: '8' }], next_page_url: 'there' },
    2: { data: [{ id: '8' }, { id: '7' }], next_page_url: null },
  }
  const baseUrl = await serving(({ url = '' }, reply) =>
    reply.writeHead(200, json).end(JSON.stringify(pages[new URL(url, 'http://x').searchParams.get('page') ?? ''])),
  )
  const seen: string[] = []
  for await (const { id } of eachOf(afterglow({ baseUrl }).gallery.listPhotos, { event_id: 1 })) seen.push(id)
  expect(seen).toEqual(['9', '8', '7'])
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { openErrorReports } from './error-reports.ts'
import { openLog } from './log.ts'

type Frame = { filename: string; function?: string; lineno: number }
type Event = {
  level: string
  tags: Record<string, string>
  exception: { values: { type: string; value: string; stacktrace: { frames: Frame[] } }[] }
}

/** What a server of error reports takes in: the bytes as they came, and the events in them. */
const received: { raw: string; events: Event[] } = { raw: '', events: [] }
const ingest = createServer(async (request, reply) => {
  const body = await buffer(request)
  const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
  received.raw += `${request.url}\n${JSON.stringify(request.headers)}\n${text}\n`
  const [, ...items] = text.trim().split('\n')
  for (let at = 0; at + 1 < items.length; at += 2)
    if (JSON.parse(items[at] as string).type === 'event') received.events.push(JSON.parse(items[at + 1] as string))
  reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
ingest.listen(0, '127.0.0.1')
await once(ingest, 'listening')
const { port } = ingest.address() as { port: number }
const reports = await openErrorReports(`http://public@127.0.0.1:${port}/7`)
const log = openLog('error', reports.report)
afterAll(async () => {
  await reports.close()
  ingest.close()
})
beforeEach(() => {
  received.raw = ''
  received.events = []
})
const arrived = () => vi.waitFor(() => expect(received.events).toHaveLength(1), { timeout: 10_000 })

test('a fault of a request arrives with its kind, its place and the request’s id', async () => {
  const thrown = Object.assign(new TypeError('what it says'), { code: 'ERR_SOMETHING' })
  log.child({ reqId: 'the-request' }).error({ err: thrown, operation: 'readAccount' }, 'request failed')
  await arrived()
  expect(received.raw).toContain('/api/7/envelope/')
  const [event] = received.events
  expect(event).toMatchObject({
    level: 'error',
    tags: { request_id: 'the-request', operation: 'readAccount', code: 'ERR_SOMETHING' },
    exception: { values: [{ type: 'TypeError', value: 'request failed' }] },
  })
  const place = event?.exception.values[0]?.stacktrace.frames.at(-1)
  expect(place).toMatchObject({
    filename: 'app:///server/src/platform/error-reports.test.ts',
    lineno: expect.any(Number),
  })
})

const planted = {
  token: 'Zq3k9'.repeat(9),
  password: 'correct horse battery staple',
  signedUrl: 'media/12/display?e=1795000000&k=ab12&s=c2lnbmF0dXJlLW9mLWEtbWVkaWEtdXJsLXBsYW50ZWQ',
  pushToken: 'fcm:APA91bPlantedPushTokenThatMustNotTravel',
  message: 'Meet me at the old pier at nine',
}
const all = Object.values(planted).join(' ')

/** Faults that carry it in each place where one can. */
const carriers: Record<string, () => unknown> = {
  'its message': () => new Error(all),
  'a message of several lines, one like a frame': () => new Error(`first\n    at ${all} (file.ts:1:1)\nlast`),
  'a message that was changed later': () => Object.assign(new Error(all), { message: 'changed' }),
  'its cause': () => new Error('outer', { cause: new Error(all) }),
  'errors beside it': () => new AggregateError([new Error(all)], all),
  'fields of its own': () => Object.assign(new Error('bare'), { detail: all, query: all, parameters: [all] }),
  'its code and name': () => Object.assign(new Error('bare'), { code: all, name: all }),
  'a database’s words': () =>
    Object.assign(new Error(all), { severity: 'ERROR', code: '22P02', where: all, internalQuery: all }),
  'something that is no error': () => all,
}

test.each(Object.entries(carriers))('nothing that people hold travels in %s', async (_, make) => {
  log.error(
    { err: make(), body: all, headers: { authorization: all }, task: 'push' },
    'a job failed; it is tried again',
  )
  await arrived()
  for (const [what, secret] of Object.entries(planted))
    expect([what, received.raw.includes(secret)]).toEqual([what, false])
  // Nor a part of it that would do.
  expect(received.raw).not.toMatch(/Zq3k9|battery|signature|APA91b|old pier|c2lnbmF0/)
})

test('what is no fault is not reported, and faults without an error neither', async () => {
  log.level = 'info'
  log.warn({ err: new Error('a warning') }, 'mind')
  log.info('nothing')
  log.error('words alone')
  log.error({ err: new Error('a fault') }, 'the only one')
  await arrived()
  expect(received.events[0]?.exception.values[0]?.value).toBe('the only one')
})

test('a server that is away, or answers nonsense, disturbs nobody', async () => {
  const nowhere = await openErrorReports('http://public@127.0.0.1:1/7')
  nowhere.report(new Error('lost'), { level: 'error' })
  await nowhere.close()
})

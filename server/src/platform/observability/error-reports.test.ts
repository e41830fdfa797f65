import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { openErrorIngest } from '../../../test/error-ingest.ts'
import { openErrorReports } from './error-reports.ts'
import { openLog } from './log.ts'
import { askedBy } from './request-context.ts'

const { dsn, received } = await openErrorIngest()
const reports = await openErrorReports(dsn)
const log = await openLog('error', reports.report)
afterAll(() => reports.close())
beforeEach(() => {
  received.raw = ''
  received.events = []
})
const arrived = () => vi.waitFor(() => expect(received.events).toHaveLength(1), { timeout: 60_000 })

test('a request’s error is reported with its kind, place and request ID', async () => {
  const thrown = Object.assign(new TypeError('what it says'), { code: 'ERR_SOMETHING' })
  log.error({ err: thrown, request: 'the-request', operation: 'readAccount' }, 'request failed')
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
    filename: 'app:///server/src/platform/observability/error-reports.test.ts',
    lineno: expect.any(Number),
  })
})

test('an error in a request’s job names the request as well', async () => {
  askedBy('the-request', () => log.error({ err: new Error('a fault'), task: 'sendMail' }, 'a job failed'))
  await arrived()
  expect(received.events[0]?.tags).toMatchObject({ request_id: 'the-request', task: 'sendMail' })
})

const planted = {
  token: 'Zq3k9'.repeat(9),
  password: 'correct horse battery staple',
  signedUrl: 'media/12/display?e=1795000000&k=ab12&s=c2lnbmF0dXJlLW9mLWEtbWVkaWEtdXJsLXBsYW50ZWQ',
  pushToken: 'fcm:APA91bPlantedPushTokenThatMustNotTravel',
  message: 'Meet me at the old pier at nine',
}
const all = Object.values(planted).join(' ')

/** Errors that contain it in each place where one can. */
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

test.each(Object.entries(carriers))('no personal text travels in %s', async (_, make) => {
  log.error(
    { err: make(), body: all, headers: { authorization: all }, task: 'push' },
    'a job failed; it is tried again',
  )
  await arrived()
  for (const [what, secret] of Object.entries(planted))
    expect([what, received.raw.includes(secret)]).toEqual([what, false])
  // Nor any usable part of it.
  expect(received.raw).not.toMatch(/Zq3k9|battery|signature|APA91b|old pier|c2lnbmF0/)
})

test('an outcome that is no fault is not reported, and neither are faults without an error', async () => {
  log.level = 'info'
  log.warn({ err: new Error('a warning') }, 'mind')
  log.info('nothing')
  log.error('words alone')
  log.error({ err: new Error('a fault') }, 'the only one')
  await arrived()
  expect(received.events[0]?.exception.values[0]?.value).toBe('the only one')
})

test('an unavailable or nonsensical report server disturbs nobody', async () => {
  const nowhere = await openErrorReports('http://public@127.0.0.1:1/7')
  nowhere.report(new Error('lost'), { level: 'error' })
  await nowhere.close()
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openNodes } from '../../../test/nodes.ts'
import { whenDone } from '../../../test/when-done.ts'

type Value = { stringValue?: string; intValue?: number }
type Span = {
  name: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: Value }[]
  events?: unknown[]
}

/** A collector that keeps what it is sent. */
const openCollector = async () => {
  const spans: Span[] = []
  const server = createServer(async (request, reply) => {
    const { resourceSpans } = (await json(request)) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(one => one.spans)))
    reply.setHeader('Content-Type', 'application/json').end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  whenDone(() => new Promise<void>(resolve => server.close(() => resolve())))
  return { spans, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('requests, their statements and their jobs are traced without personal text', async () => {
  const { spans, endpoint } = await openCollector()
  const { first: node } = await openNodes({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '100' })
  const planted = 'planted-words'
  const { token } = await node.as().accounts.register({
    user_first_name: 'Olivia',
    user_last_name: 'Ortega',
    user_username: 'olivia',
    user_email: `${planted}@example.com`,
    user_password: `${planted} of a password`,
    user_password_confirmation: `${planted} of a password`,
    user_login_option_type: 1,
    device_id: 'phone',
    user_timezone: 'UTC',
    user_device_platform: 'web',
  })
  await node.as(token).people.searchUsers({ name: planted, page: 1, page_length: 10 })
  await fetch(`${node.url}/api/event/link/open/${planted}?code=${planted}`)
  await node.as(token).accounts.readAccount()

  const named = (name: string) => spans.find(span => span.name === name)
  await expect.poll(() => named('readAccount') && named('searchUsers') && named('job sendMail')).toBeTruthy()
  const read = named('searchUsers')
  const about = Object.fromEntries(read?.attributes.map(({ key, value }) => [key, value]) ?? [])
  expect(about).toMatchObject({
    'http.request.method': { stringValue: 'GET' },
    'http.route': { stringValue: expect.stringMatching(/^\/api\/user\/(mention\/)?search$/) },
    'http.response.status_code': { intValue: 200 },
  })
  const below = spans.filter(span => span.parentSpanId === read?.spanId)
  expect(below.length).toBeGreaterThan(0)
  expect(JSON.stringify(below)).toContain('select')
  expect(JSON.stringify(spans)).not.toContain(planted)
  expect(JSON.stringify(spans)).not.toContain(token)
})

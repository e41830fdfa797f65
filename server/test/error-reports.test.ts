import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { enter } from './cast.ts'
import { openErrorIngest } from './error-ingest.ts'
import { openNodes } from './nodes.ts'

const { dsn, received } = await openErrorIngest()
const token = 'a-token-for-prometheus'
const { first: node, databaseUrl } = await openNodes({ SENTRY_DSN: dsn, METRICS_TOKEN: token, LOG_LEVEL: 'error' })

test('an internal error is a 500 without details, an anonymous report, and a number', async () => {
  const gus = await enter(node, 'gus')
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  await database.query('alter table login_options rename to elsewhere')
  const reply = await fetch(`${node.url}/api/account?planted=query-word`, {
    headers: { authorization: `Bearer ${gus.token}`, 'user-agent': 'planted-agent', cookie: 'planted=cookie-word' },
  })
  await database.query('alter table elsewhere rename to login_options')
  await database.end()
  expect([reply.status, await reply.json()]).toEqual([500, { message: 'Server Error' }])

  await vi.waitFor(() => expect(received.events).toHaveLength(1), { timeout: 60_000 })
  expect(received.events[0]).toMatchObject({
    tags: { request_id: reply.headers.get('x-request-id'), operation: 'readAccount', code: '42P01' },
    exception: { values: [{ value: 'request failed' }] },
  })
  for (const planted of [
    gus.token,
    gus.email,
    gus.username,
    'query-word',
    'planted-agent',
    'cookie-word',
    'login_options',
  ])
    expect([planted, received.raw.includes(planted)]).toEqual([planted, false])

  const metrics = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  expect(await metrics.text()).toContain(
    'afterglow_request_duration_seconds_count{operation="readAccount",status="500"} 1',
  )
})

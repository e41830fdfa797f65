import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { listen } from '../../../test/channel.ts'
import { evening } from '../../../test/party.ts'
import { png } from '../../../test/pictures.ts'

const token = 'a-token-for-prometheus'
const app = await openTestApp({}, { env: { METRICS_PORT: '0', METRICS_TOKEN: token } })
const plain = await openTestApp()

const scrape = async () => {
  const reply = await fetch(app.metricsAddress ?? '')
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  return reply.text()
}
/** The value of one line, 0 if it is missing. */
const numberAt = (text: string, line: string) =>
  Number(
    text
      .split('\n')
      .find(one => one.startsWith(`${line} `))
      ?.slice(line.length + 1) ?? 0,
  )

test('metrics are closed to everybody without a setting', async () => {
  expect(plain.metricsAddress).toBeNull()
  for (const authorization of ['', `Bearer ${token}`])
    expect((await fetch(`${plain.url}/metrics`, { headers: { authorization } })).status).toBe(404)
})

test('the public port shows metrics to bearers of the token only', async () => {
  const statusWith = async (authorization?: string) =>
    (await fetch(`${app.url}/metrics`, { headers: authorization ? { authorization } : {} })).status
  const olivia = await enter(app, 'olivia')
  expect(await statusWith()).toBe(401)
  expect(await statusWith('Bearer wrong')).toBe(401)
  expect(await statusWith(`Bearer ${olivia.token}`)).toBe(401)
  expect(await statusWith(`Bearer ${token}`)).toBe(200)
})

test('requests are counted by operation and status, in groups that add up', async () => {
  const gus = await enter(app, 'gus')
  const before = await scrape()
  for (let n = 0; n < 5; n++) await gus.api.accounts.readAccount()
  await fetch(`${app.url}/api/account`)
  await fetch(`${app.url}/nowhere/${Math.random()}`)
  const after = await scrape()
  const counted = (labels: string) => {
    const line = `afterglow_request_duration_seconds_count{${labels}}`
    return numberAt(after, line) - numberAt(before, line)
  }
  expect(counted('operation="readAccount",status="200"')).toBe(5)
  expect(counted('operation="readAccount",status="401"')).toBe(1)
  expect(counted('operation="unknown",status="404"')).toBe(1)
  const bucket = 'afterglow_request_duration_seconds_bucket{le="+Inf",operation="readAccount",status="200"}'
  expect(numberAt(after, bucket)).toBe(
    numberAt(after, 'afterglow_request_duration_seconds_count{operation="readAccount",status="200"}'),
  )
})

test('metrics cover sockets, lag, jobs, connections, uploads and the event loop', async () => {
  const olivia = await enter(app, 'olivia')
  const before = await scrape()
  await listen(app, olivia)
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const image = new Blob([await png({ width: 20, height: 20, seed: 1 })])
  await olivia.api.gallery.uploadPhoto({ event_id, image })
  const after = await scrape()
  expect(numberAt(after, 'afterglow_sockets')).toBe(1)
  expect(numberAt(after, 'afterglow_relay_lag_seconds')).toBeLessThan(30)
  expect(numberAt(after, 'afterglow_database_connections{pool="requests",state="open"}')).toBeGreaterThan(0)
  const taken = 'afterglow_uploads_total{result="taken"}'
  expect(numberAt(after, taken) - numberAt(before, taken)).toBe(1)
  expect(numberAt(after, 'afterglow_upload_bytes_total')).toBeGreaterThanOrEqual(image.size)
  const { rows } = await sql<{ bytes: number }>`select bytes from stored_bytes where user_id = 0`.execute(app.db)
  expect(numberAt(after, 'afterglow_stored_bytes')).toBe(rows[0]?.bytes)
  expect(numberAt(after, 'afterglow_stored_bytes')).toBeGreaterThan(numberAt(before, 'afterglow_stored_bytes'))
  expect(numberAt(after, 'afterglow_disk_free_bytes')).toBeGreaterThan(0)
  expect(after).toContain('\nafterglow_disk_free_bytes_min 0\n')
  for (const name of ['afterglow_jobs', 'afterglow_pushes_total', 'nodejs_eventloop_lag_p99_seconds'])
    expect(after).toContain(`# TYPE ${name} `)
})

test('metrics name nobody', async () => {
  const gus = await enter(app, 'gus')
  await gus.api.people.searchUsers({ name: 'planted-words', page: 1, page_length: 10 })
  const text = await scrape()
  for (const planted of [gus.token, gus.email, gus.username, 'planted-words']) expect(text).not.toContain(planted)
})

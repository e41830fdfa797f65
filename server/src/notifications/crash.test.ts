import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { enter, type Member } from '../../test/cast.ts'
import { openNodes } from '../../test/nodes.ts'
import { notificationsOf, traceOfNewest } from '../../test/notified.ts'
import { evening } from '../../test/party.ts'
import { openWebPushService } from '../../test/push/web-push-service.ts'

const service = await openWebPushService()
afterAll(() => service.close())
const { first, another } = await openNodes({
  PUSH_PRIVATE_ORIGINS: service.origin,
  NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('../../test/tls/authority.pem', import.meta.url)),
})

test('a server killed while it sends, or before it told anybody, loses nothing: the next one sends it, with the same id', async () => {
  const olivia = await enter(first, 'olivia')
  const gus = await enter(first, 'gus')
  let hangs = true
  const browser = service.subscribe(reply => {
    if (!hangs) reply.writeHead(201).end()
  })
  const { endpoint: push_endpoint, p256dh: push_p256dh, auth: push_auth } = browser.subscription
  await gus.api.notifications.registerDevice({ push_endpoint, push_p256dh, push_auth })
  const invite = async () => {
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    await olivia.api.events.invite({ event_id, user_ids: [gus.id] })
  }
  await invite()
  await expect.poll(() => browser.messages()).toHaveLength(1)
  await invite()
  await first.kill()
  hangs = false

  const second = await another()
  const later: Pick<Member, 'api'> = { api: second.as(gus.token) }
  const ids = async () => (await notificationsOf(later)).map(({ id }) => id)
  await expect.poll(async () => (await ids()).length).toBe(2)
  const [newest, oldest] = await ids()
  const sent = () => browser.messages().map(({ id }) => Number(id))
  await expect.poll(() => sent().sort(), { timeout: 60_000 }).toEqual(expect.arrayContaining([oldest, oldest, newest]))
  await expect.poll(() => traceOfNewest(later)).toEqual([expect.stringContaining('push delivered')])
  expect(sent().filter(id => id === oldest)).toHaveLength(2)
  expect(sent().filter(id => id === newest).length).toBeLessThanOrEqual(2)
}, 120_000)

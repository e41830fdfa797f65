import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openListener } from './listen/listener.ts'
import { type Happening, verifyWebhook, webhookBodyBytesMax } from './webhooks.ts'

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 2).toString('base64')}`

const happening = (): Happening => ({
  id: randomUUID(),
  kind: 'photo.created',
  event_id: 7,
  subject_id: 12,
  actor_id: 3,
  created_at: '2027-06-21T18:00:00.000Z',
})
type DeliveryOptions = { secrets?: readonly string[]; at?: number; body?: string; id?: string }
const signed = ({ secrets = [secret], at = Date.now(), body, id }: DeliveryOptions = {}) => {
  const what = happening()
  const text = body ?? JSON.stringify(what)
  const name = id ?? what.id
  const timestamp = String(Math.floor(at / 1000))
  const signatures = secrets.map(each => {
    const mac = createHmac('sha256', Buffer.from(each.replace('whsec_', ''), 'base64'))
    return `v1,${mac.update(`${name}.${timestamp}.${text}`).digest('base64')}`
  })
  const headers = { 'webhook-id': name, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
  return { headers, body: text, secrets: secret }
}
const minutes = 60_000

describe('a delivery', () => {
  test('a delivery that the secret signed tells what happened', async () => {
    const delivery = signed()
    expect(await verifyWebhook(delivery)).toEqual(JSON.parse(delivery.body))
    const asHeaders = {
      ...delivery,
      headers: new Headers(delivery.headers),
      body: new TextEncoder().encode(delivery.body),
    }
    expect(await verifyWebhook(asHeaders)).toMatchObject({ kind: 'photo.created' })
  })

  test('is believed by either secret while one is being renewed', async () => {
    expect(await verifyWebhook(signed({ secrets: [other, secret] }))).toMatchObject({ event_id: 7 })
    expect(await verifyWebhook({ ...signed({ secrets: [other] }), secrets: [secret, other] })).toMatchObject({
      event_id: 7,
    })
  })

  test.each([
    ['of another key', signed({ secrets: [other] }), 'forged'],
    ['without a signature', { ...signed(), headers: {} }, 'unsigned'],
    ['of six minutes ago', signed({ at: Date.now() - 6 * minutes }), 'tooOld'],
    ['of a clock far ahead', signed({ at: Date.now() + 6 * minutes }), 'tooOld'],
    ['with another body', { ...signed(), body: JSON.stringify(happening()) }, 'forged'],
    ['with another id', signed({ id: 'another' }), 'unreadable'],
    ['of another version', { ...signed(), headers: { ...signed().headers, 'webhook-signature': 'v2,AAAA' } }, 'forged'],
    ['over the limit', signed({ body: ' '.repeat(webhookBodyBytesMax + 1) }), 'tooLarge'],
    ['that is no JSON', signed({ body: '<html>' }), 'unreadable'],
  ])('%s is refused', async (_, delivery, fault) => {
    await expect(verifyWebhook(delivery)).rejects.toMatchObject({ name: 'WebhookRefused', fault })
  })

  test('is signed as Standard Webhooks says, by its own example', async () => {
    const example = {
      secrets: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      body: '{"test": 2432232314}',
      now: new Date(1614265330_000),
      headers: {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      },
    }
    // Correctly signed, but not an event of ours.
    await expect(verifyWebhook(example)).rejects.toMatchObject({ fault: 'unreadable' })
    await expect(verifyWebhook({ ...example, body: `${example.body} ` })).rejects.toMatchObject({ fault: 'forged' })
  })
})

describe('the listener', () => {
  const heard: Happening[] = []
  const notes: string[] = []
  const server = openListener({ secrets: [secret], hear: one => heard.push(one), note: line => notes.push(line) })
  let url = ''
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const post = async ({ headers, body }: ReturnType<typeof signed>) =>
    (await fetch(url, { method: 'POST', headers, body })).status

  test('hears each that is genuine once, and says why it refuses another', async () => {
    const delivery = signed()
    expect([await post(delivery), await post(delivery)]).toEqual([204, 204])
    expect(heard).toEqual([JSON.parse(delivery.body)])
    expect(notes).toEqual([`again ${delivery.headers['webhook-id']}`])
    expect(await post(signed({ secrets: [other] }))).toBe(400)
    expect(notes.at(-1)).toBe('refused: forged')
    expect((await fetch(url)).status).toBe(405)
    expect(heard).toHaveLength(1)
  })
})

import { reasons } from '@afterglow/contract/reasons'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NameServer, openNameServer } from '../../../../test/push/name-server.ts'
import { pushMessage } from '../../../../test/push/push-message.ts'
import { openWebPushService } from '../../../../test/push/web-push-service.ts'
import { newVapidKeys } from './vapid-keys.ts'
import { openWebPush, type WebPush, type WebPushOptions } from './web-push.ts'

const keys = newVapidKeys()
let service: Awaited<ReturnType<typeof openWebPushService>>
let nameServer: NameServer
let webPush: WebPush
const opened: WebPush[] = []
const open = (changed: Partial<WebPushOptions> = {}) => {
  const sender = openWebPush({ keys, subject: 'mailto:host@party.example', ca: service.ca, ...changed })
  opened.push(sender)
  return sender
}

beforeAll(async () => {
  service = await openWebPushService()
  nameServer = await openNameServer({ 'inside.example': ['127.0.0.1'] })
  webPush = open({ privateOrigins: [service.origin] })
})
afterAll(async () => {
  await Promise.all(opened.map(sender => sender.close()))
  await service.close()
  nameServer.close()
})

const endpoint = (address: string) => ({ ...service.subscribe().subscription, endpoint: address })

test.each([
  'http://push.example/1',
  'ftp://push.example/1',
  'push.example',
  '',
  'https://user:secret@push.example/1',
  `https://push.example/${'x'.repeat(3_000)}`,
  'https://127.0.0.1/1',
  'https://2130706433/1',
  'https://0x7f.1/1',
  'https://[::1]/1',
  'https://[::ffff:127.0.0.1]/1',
  'https://169.254.169.254/latest',
  'https://10.0.0.1/1',
  'https://localhost/1',
  'https://push.localhost./1',
])('a push to %s is dropped', async address => {
  expect(await webPush.send(endpoint(address), pushMessage())).toMatchObject({ result: 'gone' })
})

test('a service on this machine is not called unless its origin is allowed', async () => {
  const browser = service.subscribe()
  expect(await open().send(browser.subscription, pushMessage())).toMatchObject({
    result: 'gone',
  })
  const byName = endpoint(browser.subscription.endpoint.replace('localhost', 'inside.example'))
  expect(await open({ nameServers: [nameServer.address] }).send(byName, pushMessage())).toEqual({
    result: 'refused',
    reason: reasons.privateName('browser'),
  })
  expect(browser.deliveries).toEqual([])
})

test('invalid keys drop the push', async () => {
  const { subscription } = service.subscribe()
  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url')
  for (const wrong of [{ p256dh: 'AAAA' }, { p256dh: '' }, { p256dh: offCurve }, { auth: 'AAAA' }, { auth: '' }]) {
    expect(await webPush.send({ ...subscription, ...wrong }, pushMessage())).toMatchObject({ result: 'gone' })
  }
})

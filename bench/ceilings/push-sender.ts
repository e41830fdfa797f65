import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto'
import { openPush, type PushAddress } from '../../server/src/platform/push/senders.ts'
import { newVapidKeys } from '../../server/src/platform/push/vapid-keys.ts'
import { given, workWhenAsked } from './ceiling.ts'
import { inParallel } from './parallel.ts'

/** No ceiling but the service's own senders, in the same seat as push.ts. */
const { way = '', origin = '', ca = '', lanes = '' } = given
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const push = openPush({
  webPush: { keys: newVapidKeys(), subject: 'mailto:bench@example.com', privateOrigins: [origin], ca },
  apns: { key, keyId: 'KEY', teamId: 'TEAM', topic: 'example.party', origin, ca },
  log: console,
})
const browser = createECDH('prime256v1')
const addresses: Record<string, PushAddress> = {
  apns: { platform: 'ios', token: 'ab'.repeat(32) },
  web: {
    platform: 'web',
    subscription: {
      endpoint: `${origin}/push/ab`,
      p256dh: browser.generateKeys().toString('base64url'),
      auth: randomBytes(16).toString('base64url'),
    },
  },
}
const message = {
  id: '123456',
  kind: 'message',
  title: 'Olivia at the lake',
  body: 'See you at eight by the lake, bring a jacket',
  link: '/events/12/chat',
  tag: 'chat-12',
}
workWhenAsked(seconds =>
  inParallel(Number(lanes), seconds, async () => {
    const outcome = await push.send(addresses[way] as PushAddress, message)
    if (outcome.result !== 'delivered') throw new Error(JSON.stringify(outcome))
  }),
)

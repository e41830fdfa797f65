import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { openBrowser } from '../../../server/test/push/browser.ts'
import type { Random } from '../random.ts'
import type { Settings, TestBed } from '../test-bed.ts'
import { demand, enter, join, type Person } from './party.ts'
import type { PushDevice, PushService } from './push-service.ts'

export const ways = ['web', 'android', 'ios'] as const
/** A person whose app is closed, so that only pushes reach them. */
export type PushRecipient = {
  person: Person
  way: (typeof ways)[number]
  /** The last one is current. */
  addresses: string[]
  /** The latest test push they requested, which replaces the previous one. */
  asked: number[]
}

/** Starts a service that uses this provider as Apple's, Google's and a browser's. */
export const withPushService = (directory: string, { origin, authorityFile }: PushService): Settings => ({
  leisurely: true,
  env: { ...credentials(directory, origin), PUSH_PRIVATE_ORIGINS: origin, NODE_EXTRA_CA_CERTS: authorityFile },
  // The addresses of Apple and Google are not settings.
  edits: [
    ['apns', "'https://api.push.apple.com'"],
    ['fcm', "'https://fcm.googleapis.com'"],
  ].map(([file, from]) => ({
    file: `server/src/platform/push/${file}.ts`,
    from: from as string,
    to: JSON.stringify(origin),
  })),
})

const credentials = (directory: string, origin: string) => {
  const [account, key] = [joinPath(directory, 'account.json'), joinPath(directory, 'key.p8')]
  const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { privateKey: ec } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const form = { type: 'pkcs8', format: 'pem' } as const
  const fields = { project_id: 'proof', client_email: 'proof@proof.example', token_uri: `${origin}/token` }
  writeFileSync(account, JSON.stringify({ ...fields, private_key: rsa.export(form) }))
  writeFileSync(key, ec.export(form))
  return {
    FCM_SERVICE_ACCOUNT: account,
    APNS_KEY: key,
    APNS_KEY_ID: 'PROOF12345',
    APNS_TEAM_ID: 'PROOF12345',
    APNS_TOPIC: 'example.proof',
  }
}

export const addRecipient = async (
  { ask, party, random }: TestBed,
  provider: PushService,
  way: PushRecipient['way'],
): Promise<PushRecipient> => {
  const person = await enter(ask, `recipient on ${way}`.replaceAll(' ', '.'), way === 'ios' ? 'ios' : 'android')
  await join(ask, person, party.quiet)
  const recipient: PushRecipient = { person, way, addresses: [], asked: [] }
  await register(ask, provider, recipient, random)
  return recipient
}

export const register = async (
  ask: TestBed['ask'],
  provider: PushService,
  { person, way, addresses }: PushRecipient,
  random: Random,
) => {
  const address = random.bytes(32).toString('hex')
  addresses.push(address)
  const browser = openBrowser()
  const read: PushDevice['read'] = way === 'web' ? body => browser.decrypt(body) : body => body.toString()
  provider.know({ address, read })
  const { p256dh, auth } = browser
  const json =
    way === 'web'
      ? { push_endpoint: `${provider.origin}/web/${address}`, push_p256dh: p256dh, push_auth: auth }
      : { push_token: address }
  await demand(ask, 'POST', 'api/account/device', { token: person.token, json })
}

export const askForTests = async ({ ask }: TestBed, recipients: readonly PushRecipient[]) => {
  for (const recipient of recipients) {
    const { id } = await demand(ask, 'POST', 'api/account/device/test', { token: recipient.person.token })
    recipient.asked = [Number(id)]
  }
}

export const underWay = ({ service }: TestBed, recipients: readonly PushRecipient[]) =>
  service.sql(
    `select n.id from deliveries d join notifications n on n.id = d.notification_id
     where n.id = any($1) and d.state in ('waiting', 'sent')`,
    [recipients.flatMap(({ asked }) => asked)],
  )

/** Checks that each requested test push is reported as delivered and was accepted by its provider. */
export const checkTaken = async (
  { service, report }: TestBed,
  provider: PushService,
  recipients: readonly PushRecipient[],
) => {
  for (const { person, way, asked, addresses } of recipients) {
    const rows = await service.sql<{ id: number; state: string; outcome: unknown }>(
      "select notification_id as id, state, outcome from deliveries where notification_id = any($1) and way = 'push'",
      [asked],
    )
    const found = rows
      .filter(({ state }) => state !== 'delivered')
      .map(({ id, state, outcome }) => `push ${id} to ${person.name} is ${state}: ${JSON.stringify(outcome)}`)
    if (rows.length !== asked.length)
      found.push(`${asked.length} pushes were asked for, and ${rows.length} stand there`)
    const taken = addresses.flatMap(address => provider.taken(address)).join('\n')
    for (const { id, state } of rows)
      if (state === 'delivered' && !taken.includes(`"id":"${id}"`))
        found.push(`push ${id} is said to be delivered, and the ${way} provider took none`)
    report.checked('I4', asked.length, found)
  }
}

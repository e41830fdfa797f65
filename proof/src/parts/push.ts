import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBrowser } from '../../../server/test/push/browser.ts'
import { faultsUnderLoad } from '../checks/all.ts'
import { type Ground, onGround, type Run } from '../ground.ts'
import type { Part } from '../part.ts'
import { demand, enter, join, type Person } from '../party.ts'
import { settled, until } from '../processes.ts'
import { openPushService, type PushDevice, type PushFault, type PushService } from '../push-service.ts'
import type { Random } from '../random.ts'

const ways = ['web', 'android', 'ios'] as const
/** Somebody whose app is closed, and whom only pushes reach. */
type Sleeper = {
  person: Person
  way: (typeof ways)[number]
  /** The last is the present one. */
  addresses: string[]
  /** The test that they asked for last, which takes the place of the one before. */
  asked: number[]
}

const spells: readonly (PushFault | 'gone')[] = ['429', '500', '503', 'slow', 'cut', 'gone', 'hang']
const sleepersOfEach = 2

/** Providers fail in every way while pushes are due; each push is taken once they are well, and nobody else waits. */
const breakPush = async (run: Run) => {
  await using closing = new AsyncDisposableStack()
  const directory = mkdtempSync(joinPath(tmpdir(), 'afterglow-push-'))
  closing.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  const provider = await openPushService(run.root)
  closing.defer(() => provider.close())
  await onGround(
    run,
    async ground => {
      const sleepers: Sleeper[] = []
      for (const way of ways)
        for (let nth = 0; nth < sleepersOfEach; nth++) sleepers.push(await layDown(ground, provider, way))
      await faultsUnderLoad(ground, run, async (people, nth) => {
        const spell = spells[nth % spells.length] as (typeof spells)[number]
        const before = people.count()
        if (spell === 'gone') await loseOne(ground, provider, sleepers, run)
        else {
          provider.fail(spell)
          await askForTests(ground, sleepers)
          await sleep(run.random.whole(500, 3000))
          await until(`acts while providers answer ${spell}`, () => people.count() > before + 5)
          provider.fail(undefined)
        }
        const began = performance.now()
        await until(`every push left after ${spell}`, async () => (await underWay(ground, sleepers)) === 0)
        await checkTaken(ground, provider, sleepers)
        run.report.took(`until every push had left after ${spell}`, performance.now() - began)
        run.report.fault()
        run.report.checked('I12', 1, ground.service.isUp() ? [] : [`the server ended when providers answered ${spell}`])
      })
    },
    {
      env: {
        ...credentials(directory, provider.origin),
        PUSH_PRIVATE_ORIGINS: provider.origin,
        NODE_EXTRA_CA_CERTS: provider.authorityFile,
      },
      // Addresses of Apple and Google are no settings.
      edits: [
        ['apns', "'https://api.push.apple.com'"],
        ['fcm', "'https://fcm.googleapis.com'"],
      ].map(([file, from]) => ({
        file: `server/src/platform/push/${file}.ts`,
        from: from as string,
        to: JSON.stringify(provider.origin),
      })),
    },
  )
}

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

const layDown = async (
  { ask, party, random }: Ground,
  provider: PushService,
  way: Sleeper['way'],
): Promise<Sleeper> => {
  const person = await enter(ask, `sleeper on ${way}`.replaceAll(' ', '.'), way === 'ios' ? 'ios' : 'android')
  await join(ask, person, party.quiet)
  const sleeper: Sleeper = { person, way, addresses: [], asked: [] }
  await register(ask, provider, sleeper, random)
  return sleeper
}

const register = async (
  ask: Ground['ask'],
  provider: PushService,
  { person, way, addresses }: Sleeper,
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

const askForTests = async ({ ask }: Ground, sleepers: readonly Sleeper[]) => {
  for (const sleeper of sleepers) {
    const { id } = await demand(ask, 'POST', 'api/account/device/test', { token: sleeper.person.token })
    sleeper.asked = [Number(id)]
  }
}

/** One device is not there any more: its address is dropped, and no other; then it comes back under another. */
const loseOne = async (
  ground: Ground,
  provider: PushService,
  sleepers: readonly Sleeper[],
  { random, report }: Run,
) => {
  const lost = random.pick(sleepers)
  provider.lose(lost.addresses.at(-1) as string)
  lost.asked = []
  const others = sleepers.filter(one => one !== lost)
  await askForTests(ground, others)
  await demand(ground.ask, 'POST', 'api/account/device/test', { token: lost.person.token })
  const addressesOf = async ({ person }: Sleeper) =>
    (
      await ground.service.sql(
        'select 1 from push_addresses p join devices d on d.id = p.device_row where d.user_id = $1',
        [person.id],
      )
    ).length
  await settled(
    async () => (await addressesOf(lost)) === 0,
    () => addressesOf(lost),
  )
  const found = (await addressesOf(lost)) === 0 ? [] : [`a device that is gone is pushed to still (${lost.way})`]
  for (const other of others)
    if ((await addressesOf(other)) !== 1) found.push(`the address of another device was dropped (${other.way})`)
  report.checked('I4', sleepers.length, found)
  await register(ground.ask, provider, lost, random)
}

const underWay = async ({ service }: Ground, sleepers: readonly Sleeper[]): Promise<number> => {
  const rows = await service.sql(
    `select 1 from deliveries d join notifications n on n.id = d.notification_id
     where n.id = any($1) and d.state in ('waiting', 'sent')`,
    [sleepers.flatMap(({ asked }) => asked)],
  )
  return rows.length
}

/** Of each test that somebody asked for: it says delivered, and its provider took it. */
const checkTaken = async ({ service, report }: Ground, provider: PushService, sleepers: readonly Sleeper[]) => {
  for (const { person, way, asked, addresses } of sleepers) {
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

export const pushBroken: Part = {
  name: 'push-broken',
  promise: 'providers of pushes ask for a pause, fail, are late, break off and hang, and devices are gone',
  of: 'spells',
  slice: spells.length,
  full: 400,
  run: breakPush,
}

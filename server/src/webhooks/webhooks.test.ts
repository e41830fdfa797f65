import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { webhookKinds } from '@afterglow/contract/webhooks'
import { type Happening, verifyWebhook } from '@afterglow/sdk/webhooks'
import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { eraseDue } from '../../test/erase-due.ts'
import { quick } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { openNameServer } from '../../test/push/name-server.ts'
import { whenDone } from '../../test/when-done.ts'
import { suspend } from '../events/suspension.ts'
import { type ChosenHostsOptions, openChosenHosts } from '../platform/push/web-push/chosen-hosts.ts'
import { openDeliverySender } from './delivery-sender.ts'
import { openSigning } from './signature.ts'

type Heard = { path: string; happening: Happening; bySecret: string }

/** A receiver that knows these secrets; it answers 204 until told otherwise, and records what it received. */
const openReceiver = async () => {
  const secrets: string[] = []
  const heard: Heard[] = []
  let calls = 0
  let answer = (reply: ServerResponse, _: Happening, take: () => void) => {
    take()
    reply.writeHead(204).end()
  }
  const hear = async (request: IncomingMessage, reply: ServerResponse) => {
    calls += 1
    const body = new Uint8Array(await buffer(request))
    for (const secret of secrets) {
      const happening = await verifyWebhook({ headers: request.headers, body, secrets: secret }).catch(() => undefined)
      if (!happening) continue
      return answer(reply, happening, () => heard.push({ path: request.url ?? '', happening, bySecret: secret }))
    }
    reply.writeHead(401).end()
  }
  const server = createServer((request, reply) => void hear(request, reply))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  whenDone(close)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    origin: `http://127.0.0.1:${port}`,
    port,
    secrets,
    heard,
    calls: () => calls,
    answers(how: typeof answer) {
      answer = how
    },
    /** Accepts it and says so. */
    recovers() {
      answer = (reply, _, take) => {
        take()
        reply.writeHead(204).end()
      }
    },
    async goesDown() {
      close()
      await once(server, 'close')
    },
    async comesBack() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}

const key = Buffer.alloc(32, 7)
const ids = (heard: readonly Heard[]) => heard.map(({ happening }) => happening.subject_id)

/** An event with a webhook whose deliveries are sent when the test says so. */
const openParty = async (kinds?: (typeof webhookKinds)[number][], hosts: ChosenHostsOptions = {}) => {
  const receiver = await openReceiver()
  const env = { ROLE: 'api', WEBHOOK_PRIVATE_ORIGINS: receiver.origin }
  const app = await openTestApp({}, { env, timing: quick })
  const olivia = await enter(app, 'olivia')
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  const hook = await olivia.api.webhooks.makeWebhook({ event_id, webhook_url: receiver.url, webhook_kinds: kinds })
  receiver.secrets.push(hook.webhook_secret ?? '')
  const chosen = openChosenHosts({ privateOrigins: [receiver.origin], timeoutMs: 300, ...hosts })
  whenDone(() => chosen.close())
  const sending = openDeliverySender({
    db: app.db,
    hosts: chosen,
    signing: openSigning(key),
    log: pino({ level: 'silent' }),
  })
  return {
    app,
    olivia,
    event_id,
    hook,
    receiver,
    send: () => sending.send({ webhook: hook.id }),
    async say(text: string) {
      return Number((await olivia.api.chats.saveMessage({ group_chat_id, message_content: text })).id)
    },
    /** Waits until this many deliveries are recorded. */
    taken: (count: number) =>
      expect
        .poll(async () => (await app.db.selectFrom('webhook_deliveries').select('id').execute()).length, {
          timeout: 60_000,
        })
        .toBe(count),
    /** Advances the clock for everything that is waiting. */
    pass: (minutes: number) =>
      sql`update webhook_deliveries set due_at = due_at - make_interval(mins => ${minutes}),
        first_tried_at = first_tried_at - make_interval(mins => ${minutes})`.execute(app.db),
    deliveries: async () =>
      (await olivia.api.webhooks.listWebhookDeliveries({ webhook_id: hook.id, page: 1, page_length: 50 })).data,
  }
}
describe('a webhook', () => {
  test('is told what happens in its event, once and in order, by the service itself', async () => {
    const receiver = await openReceiver()
    const app = await openTestApp({}, { env: { WEBHOOK_PRIVATE_ORIGINS: receiver.origin }, timing: quick })
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    const another = await gus.api.events.saveEvent(evening())
    const hook = await olivia.api.webhooks.makeWebhook({ event_id, webhook_url: receiver.url })
    receiver.secrets.push(hook.webhook_secret ?? '')
    await bringIn(olivia, event_id, gus)
    for (const text of ['one', 'two', 'three'])
      await gus.api.chats.saveMessage({ group_chat_id, message_content: text })
    await gus.api.chats.saveMessage({ group_chat_id: another.group_chat_id, message_content: 'elsewhere' })
    await olivia.api.events.deleteEvent({ event_id })
    const kinds = () => receiver.heard.map(({ happening }) => happening.kind)
    await expect.poll(kinds).toContain('event.deleted')
    expect(kinds().filter(kind => !/^(guest|join)\./.test(kind))).toEqual([
      'message.created',
      'message.created',
      'message.created',
      'event.deleted',
    ])
    expect(receiver.heard.every(({ happening }) => happening.event_id === event_id)).toBe(true)
    expect(new Set(receiver.heard.map(({ happening }) => happening.id)).size).toBe(receiver.heard.length)
    // IDs and times: nobody's words.
    expect(Object.keys(receiver.heard[0]?.happening ?? {}).sort()).toEqual(
      ['actor_id', 'created_at', 'event_id', 'id', 'kind', 'subject_id'].sort(),
    )
  })

  test('whose receiver is down for an hour gets each message once and in order when it is back, with a trace', async () => {
    const { receiver, say, send, taken, pass, deliveries } = await openParty(['message.created'])
    await receiver.goesDown()
    const said = [await say('one'), await say('two'), await say('three')]
    await taken(3)
    for (let minutes = 0; minutes <= 60; minutes += 5) {
      await send()
      await pass(5)
    }
    expect(receiver.heard).toEqual([])
    await receiver.comesBack()
    await pass(60)
    await send()
    expect(ids(receiver.heard)).toEqual(said)
    await send()
    expect(receiver.heard).toHaveLength(3)

    const [three, , one] = await deliveries()
    expect(three).toMatchObject({ delivery_status: 'delivered', webhook_tries: [{ status: 204, reason_code: null }] })
    expect(one?.webhook_tries.at(-1)).toMatchObject({ status: 204 })
    expect(one?.webhook_tries.length).toBeGreaterThan(4)
    expect(one?.webhook_tries.length).toBeLessThan(10)
    expect(one?.webhook_tries[0]).toMatchObject({ status: null, reason_code: 'refusesConnections' })
  })

  test('whose receiver is too slow, or takes it and says it did not, gets it again under the same id', async () => {
    const { receiver, say, send, taken, pass } = await openParty(['message.created'])
    const said = [await say('one'), await say('two')]
    await taken(2)
    receiver.answers((_, __, take) => take())
    await send()
    receiver.answers((reply, _, take) => {
      take()
      reply.destroy()
    })
    await pass(5)
    await send()
    receiver.answers((reply, _, take) => {
      take()
      reply.writeHead(500).end()
    })
    await pass(5)
    await send()
    receiver.recovers()
    await pass(60)
    await send()
    const once = [...new Map(receiver.heard.map(({ happening }) => [happening.id, happening])).values()]
    expect(receiver.heard).toHaveLength(5)
    expect(once.map(({ subject_id }) => subject_id)).toEqual(said)
  })

  test('is not sent where a redirect points', async () => {
    const { receiver, say, send, taken, deliveries } = await openParty(['message.created'])
    receiver.answers(reply => reply.writeHead(302, { Location: `${receiver.origin}/elsewhere` }).end())
    await say('one')
    await taken(1)
    await send()
    expect(receiver.calls()).toBe(1)
    expect((await deliveries())[0]).toMatchObject({
      delivery_status: 'waiting',
      webhook_tries: [{ status: 302, reason_code: 'elsewhere' }],
    })
  })

  test('a webhook that takes nothing for a day is switched off, and its organizers are told', async () => {
    const { app, olivia, receiver, say, send, taken, pass, deliveries, event_id, hook } = await openParty([
      'message.created',
    ])
    receiver.answers(reply => reply.writeHead(503).end())
    await say('one')
    await say('two')
    await taken(2)
    let hours = 0
    for (; hours < 30; hours += 1) {
      await send()
      if ((await deliveries()).every(({ delivery_status }) => delivery_status === 'dropped')) break
      await pass(60)
    }
    expect(hours).toBe(24)
    const { data } = await olivia.api.webhooks.listWebhooks({ event_id, page: 1, page_length: 10 })
    expect(data).toMatchObject([{ id: hook.id, webhook_status: 'off', webhook_secret: null }])
    const told = async () =>
      (await olivia.api.notifications.listNotifications({ page: 1, page_length: 10 })).data.map(one => [
        one.notification_kind,
        one.notification_link,
      ])
    await expect.poll(told).toEqual([['webhook_off', `/events/${event_id}`]])
    await expect(olivia.api.webhooks.tryWebhook({ webhook_id: hook.id })).rejects.toMatchObject({ code: 'webhookOff' })

    await say('three')
    await olivia.api.webhooks.switchOnWebhook({ webhook_id: hook.id })
    receiver.recovers()
    const last = await say('four')
    await taken(3)
    await send()
    expect(ids(receiver.heard)).toEqual([last])
    expect(await sql`select from webhook_deliveries where status = 'waiting'`.execute(app.db)).toMatchObject({
      rows: [],
    })
  })

  test('whose receiver says 410 is switched off at once', async () => {
    const { olivia, receiver, hook, send, event_id } = await openParty()
    receiver.answers(reply => reply.writeHead(410).end())
    await olivia.api.webhooks.tryWebhook({ webhook_id: hook.id })
    await send()
    const { data } = await olivia.api.webhooks.listWebhooks({ event_id, page: 1, page_length: 10 })
    expect(data).toMatchObject([{ webhook_status: 'off' }])
  })

  test('stands in the log of its event: made, changed, switched off, taken away', async () => {
    const { olivia, receiver, hook, send, event_id } = await openParty()
    await olivia.api.webhooks.renewWebhookSecret({ webhook_id: hook.id })
    receiver.answers(reply => reply.writeHead(410).end())
    await olivia.api.webhooks.tryWebhook({ webhook_id: hook.id })
    await send()
    await olivia.api.webhooks.switchOnWebhook({ webhook_id: hook.id })
    await olivia.api.webhooks.deleteWebhook({ webhook_id: hook.id })
    const { data } = await olivia.api.events.listAudit({ event_id, page: 1, page_length: 5 })
    expect(data.map(({ audit_act, user, subject_id }) => [audit_act, user.id, subject_id])).toEqual(
      ['webhook.deleted', 'webhook.changed', 'webhook.ended', 'webhook.changed', 'webhook.made'].map(act => [
        act,
        olivia.id,
        hook.id,
      ]),
    )
  })

  test('is signed by both secrets for a day after a new one was made', async () => {
    const { app, olivia, receiver, hook, send } = await openParty()
    const [old = ''] = receiver.secrets
    const { webhook_secret } = await olivia.api.webhooks.renewWebhookSecret({ webhook_id: hook.id })
    expect(webhook_secret).not.toBe(old)
    const reach = async (secret: string) => {
      receiver.secrets.splice(0, receiver.secrets.length, secret)
      await olivia.api.webhooks.tryWebhook({ webhook_id: hook.id })
      await send()
      const reached = receiver.heard.length
      await sql`update webhook_deliveries set status = 'dropped' where status = 'waiting'`.execute(app.db)
      receiver.heard.length = 0
      return reached
    }
    expect([await reach(old), await reach(webhook_secret ?? '')]).toEqual([1, 1])
    await sql`update webhooks set previous_until = now()`.execute(app.db)
    expect([await reach(old), await reach(webhook_secret ?? '')]).toEqual([0, 1])
  })

  test('a webhook of the whole service tells an operator of every event, and one that fails holds up no other', async () => {
    const { app, olivia, receiver, say, taken } = await openParty(['event.cancelled'])
    const gwen = await enter(app, 'gwen')
    await sql`update users set operator = true where id = ${gwen.id}`.execute(app.db)
    const hook = await gwen.api.webhooks.makeWebhook({
      webhook_url: `${receiver.origin}/all`,
      webhook_kinds: ['message.created'],
    })
    receiver.secrets.push(hook.webhook_secret ?? '')
    const other = await gwen.api.events.saveEvent(evening())
    await say('one')
    await say('two')
    await gwen.api.chats.saveMessage({ group_chat_id: other.group_chat_id, message_content: 'there' })
    await taken(3)
    receiver.answers((reply, { event_id }, take) => {
      if (event_id === other.id) take()
      reply.writeHead(event_id === other.id ? 204 : 500).end()
    })
    const hosts = openChosenHosts({ privateOrigins: [receiver.origin] })
    whenDone(() => hosts.close())
    const sending = openDeliverySender({ db: app.db, hosts, signing: openSigning(key), log: pino({ level: 'silent' }) })
    await sending.send({ webhook: hook.id })
    expect(receiver.heard.map(({ happening }) => happening.event_id)).toEqual([other.id])
    expect(receiver.calls()).toBe(2)
    await expect(olivia.api.webhooks.deleteWebhook({ webhook_id: hook.id })).rejects.toMatchObject({ status: 404 })
  })

  test('is made once for one Idempotency-Key, and no more than ten of an event are', async () => {
    const { olivia, event_id, receiver } = await openParty()
    const make = (at: number, idempotencyKey?: string) =>
      olivia.api.webhooks.makeWebhook({ event_id, webhook_url: `${receiver.url}/${at}` }, { idempotencyKey })
    const [one, again] = [await make(1, 'the same'), await make(1, 'the same')]
    expect(again).toEqual(one)
    for (let made = 2; made < 10; made += 1) await make(made)
    await expect(make(10)).rejects.toMatchObject({ code: 'tooManyWebhooks' })
  })
})

describe('a webhook lives by its maker’s standing:', () => {
  const page = { page: 1, page_length: 10 }

  test.each<[string, (party: Awaited<ReturnType<typeof openParty>>, gus: Member) => Promise<unknown>]>([
    ['demoted', ({ olivia, event_id }, { id }) => olivia.api.events.unmakeOrganizer({ event_id, user_id: id })],
    ['gone', ({ event_id }, { api }) => api.events.leaveEvent({ event_id })],
    ['suspended', ({ app }, { id }) => suspend(app.db, id)],
    [
      'erased',
      async ({ app }, { id, password, api }) => {
        await api.privacy.deleteAccount({ user_password: password })
        await sql`update users set erase_at = now() where id = ${id}`.execute(app.db)
        await eraseDue(app)
      },
    ],
  ])('who is %s is told nothing more; it is off, its address erased, and organizers know', async (_, ends) => {
    const party = await openParty(['message.created'])
    const { app, olivia, event_id, say, receiver } = party
    const gus = await enter(app, 'gus')
    await bringIn(olivia, event_id, gus)
    await olivia.api.events.makeOrganizer({ event_id, user_id: gus.id })
    const asked = { event_id, webhook_url: `${receiver.url}/of-gus`, webhook_kinds: ['message.created' as const] }
    const { id } = await gus.api.webhooks.makeWebhook(asked)
    await ends(party, gus)
    await say('Now he is out')
    const ofGus = async () =>
      (await olivia.api.webhooks.listWebhooks({ event_id, ...page })).data
        .filter(each => each.id === id)
        .map(({ webhook_status, webhook_url }) => [webhook_status, webhook_url])
    await expect.poll(ofGus).toEqual([['off', '']])
    const { rows } = await sql`select from webhook_deliveries where webhook_id = ${id} and status <> 'dropped'`.execute(
      app.db,
    )
    expect(rows).toEqual([])
    const told = async () =>
      (await olivia.api.notifications.listNotifications(page)).data
        .filter(({ notification_kind }) => notification_kind === 'webhook_off')
        .map(({ notification_body }) => notification_body)
    await expect.poll(told).toEqual([expect.stringContaining('Its address is erased')])
    await expect(olivia.api.webhooks.switchOnWebhook({ webhook_id: id })).rejects.toMatchObject({ code: 'webhookOff' })
  })

  test('an operator’s goes with the operator’s office, and the next one is told', async () => {
    const { app, receiver } = await openParty()
    const [gwen, ana] = [await enter(app, 'gwen'), await enter(app, 'ana')]
    const operates = (operator: boolean, { id }: Member) =>
      sql`update users set operator = ${operator} where id = ${id}`.execute(app.db)
    await operates(true, gwen)
    await operates(true, ana)
    await gwen.api.webhooks.makeWebhook({ webhook_url: `${receiver.origin}/all` })
    await operates(false, gwen)
    const all = async () =>
      (await ana.api.webhooks.listWebhooks(page)).data.map(each => [each.webhook_status, each.webhook_url])
    await expect.poll(all).toEqual([['off', '']])
    const told = async () =>
      (await ana.api.notifications.listNotifications(page)).data.map(one => one.notification_kind)
    await expect.poll(told).toEqual(['webhook_off'])
  })
})

describe('a receiver', () => {
  test('has one webhook an event, however often and however spelled its URL is registered', async () => {
    const { olivia, event_id, receiver, hook } = await openParty(['message.created'])
    const [, rest] = receiver.url.split('//')
    for (const webhook_url of [receiver.url, `HTTP://${rest}`, `${receiver.url}#again`])
      expect(
        await olivia.api.webhooks.makeWebhook({ event_id, webhook_url, webhook_kinds: ['photo.created'] }),
      ).toMatchObject({
        id: hook.id,
        webhook_kinds: ['message.created', 'photo.created'],
        webhook_secret: hook.webhook_secret,
      })
    expect((await olivia.api.webhooks.listWebhooks({ event_id, page: 1, page_length: 10 })).data).toHaveLength(1)
  })

  test('gets sixty deliveries an hour until it consents, and then whatever waits', async () => {
    const { app, olivia, event_id, receiver, send, taken, deliveries, hook, pass } = await openParty([
      'message.created',
    ])
    const { group_chat_id } = await olivia.api.events.readEvent({ event_id })
    const said: number[] = []
    for (let n = 0; n < 70; n += 1)
      said.push(Number((await olivia.api.chats.saveMessage({ group_chat_id, message_content: `${n}` })).id))
    await taken(70)
    await send()
    await send()
    expect(receiver.calls()).toBe(60)
    expect((await deliveries())[0]).toMatchObject({ delivery_status: 'waiting', webhook_tries: [] })
    const consents = async () =>
      (await olivia.api.webhooks.listWebhooks({ event_id, page: 1, page_length: 10 })).data[0]?.webhook_consented
    expect(await consents()).toBe(false)

    // The hour is over.
    await sql`update webhook_trickles set hour = hour - interval '1 hour'`.execute(app.db)
    await pass(60)
    receiver.answers((reply, { id }, take) => {
      take()
      reply.writeHead(204, { 'Webhook-Consent': id }).end()
    })
    await send()
    expect(ids(receiver.heard)).toEqual(said)
    expect(await consents()).toBe(true)
    const { rows } = await sql<{ sent: number }>`select sent from webhook_trickles where host = '127.0.0.1'`.execute(
      app.db,
    )
    expect(rows).toEqual([{ sent: 1 }])
    expect(hook.webhook_consented).toBe(false)
  })
})

describe('an address', () => {
  let party: Awaited<ReturnType<typeof openParty>>
  beforeAll(async () => {
    party = await openParty()
  })

  test.each([
    'http://hooks.example/1',
    'ftp://hooks.example/1',
    'hooks.example',
    'https://user:secret@hooks.example/1',
    'https://127.0.0.1/1',
    'https://127.9.9.9/1',
    'https://2130706433/1',
    'https://[::ffff:10.0.0.1]/1',
    'https://[::1]/1',
    'https://10.0.0.1/1',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/1',
  ])('%s is refused when it is given', async webhook_url => {
    const { olivia, event_id } = party
    const made = olivia.api.webhooks.makeWebhook({ event_id, webhook_url })
    await expect(made).rejects.toMatchObject({ fields: { webhook_url: expect.anything() } })
  })

  test('whose name leads inside by the time it is called is not called', async () => {
    const nameServer = await openNameServer({ 'changed.example': ['10.0.0.1', '127.0.0.1'] })
    whenDone(() => nameServer.close())
    const { app, olivia, receiver, send, deliveries, hook } = await openParty(undefined, {
      nameServers: [nameServer.address],
    })
    await sql`update webhooks set url = ${`https://changed.example:${receiver.port}/hook`}`.execute(app.db)
    await olivia.api.webhooks.tryWebhook({ webhook_id: hook.id })
    await send()
    expect((await deliveries())[0]?.webhook_tries).toMatchObject([{ status: null, reason_code: 'privateName' }])
    expect(receiver.calls()).toBe(0)
  })
})

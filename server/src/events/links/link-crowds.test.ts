import { randomUUID } from 'node:crypto'
import { viewersPerNetworkMax } from '@afterglow/contract/limits'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { wrongEvents } from '../../../test/event-state.ts'
import { evening } from '../../../test/party.ts'
import { refusal } from '../../../test/refused.ts'

/* With the limits of a real instance: everybody here comes from one address. */
const app = await openTestApp({ rateFactor: 1, signInsPerAddressPerMinute: 300 })
const olivia = await enter(app, 'olivia')
const paged = { page: 1, page_length: 20 }

const hold = async (fields: Record<string, unknown> = {}) => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const { link_code: code } = await olivia.api.links.makeLink({ event_id, ...fields })
  return { event_id, code }
}
const come = (code: string, n: number, fields: Record<string, unknown> = {}) =>
  app.as().links.joinByLink({ code, user_first_name: `Guest ${n}`, device_id: `phone ${n}`, ...fields })
const people = (count: number) => Array.from({ length: count }, (_, n) => n)

test('no number of joins at once overshoots the uses of a link', async () => {
  const { event_id, code } = await hold({ max_uses: 7 })
  const joins = await Promise.allSettled(people(25).map(n => come(code, n)))
  expect(joins.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
  const { data } = await olivia.api.links.listLinks({ event_id, ...paged })
  expect(data[0]).toMatchObject({ link_uses: 7, link_status: 'used_up' })
  expect((await olivia.api.events.readEvent({ event_id })).event_guests_count).toBe(8)
  const { count } = await app.db
    .selectFrom('users')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('status', '=', 5)
    .executeTakeFirstOrThrow()
  expect(count).toBe(7)
})

test('everybody else is answered while a party waits to come in', async () => {
  const { event_id, code } = await hold()
  const joins = await app.db.transaction().execute(async tx => {
    await sql`select from events where id = ${event_id} for no key update`.execute(tx)
    const waiting = people(40).map(n => come(code, 100 + n))
    const held = async () => (await sql`select from pg_locks where not granted`.execute(tx)).rows.length
    await expect.poll(held).toBeGreaterThan(0)
    expect((await olivia.api.events.listEvents(paged)).data[0]?.id).toBe(event_id)
    return { all: Promise.all(waiting) }
  })
  expect(await joins.all).toHaveLength(40)
})

test('guessing a PIN is over after ten a minute from one address, also when the next guess is right', async () => {
  const { code } = await hold({ pin: '4711' })
  for (const n of people(10)) expect((await refusal(come(code, n, { pin: `${1000 + n}` }))).status).toBe(400)
  for (const pin of ['1010', '4711']) expect((await refusal(come(code, 11, { pin }))).status).toBe(429)
})

describe('guesses from a thousand addresses', async () => {
  const wide = await openTestApp(
    { rateFactor: 1, signInsPerAddressPerMinute: 300 },
    { env: { TRUSTED_PROXIES: '127.0.0.1' } },
  )
  const host = await enter(wide, 'olivia')
  const join = async (code: string, pin: string, network: string, device_id: string = randomUUID()) => {
    const reply = await fetch(`${wide.url}/api/event/link/join/${code}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': network },
      body: JSON.stringify({ user_first_name: 'Guest', pin, device_id }),
    })
    return { status: reply.status, body: await reply.text() }
  }
  const guessed = async () => {
    const { id: event_id } = await host.api.events.saveEvent(evening())
    const { link_code: code, id } = await host.api.links.makeLink({ event_id, pin: '4711' })
    const status = async () => (await host.api.links.listLinks({ event_id, ...paged })).data[0]?.link_status
    const guess = () => Promise.all(people(120).map(n => join(code, String(2000 + n), `198.51.100.${n}`)))
    return { id, code, status, guess }
  }
  const locked = { status: 400, body: '{"error_message":"The link is locked after too many wrong PINs"}' }

  test('lock the link for a while, and not for good', async () => {
    const { id, code, status, guess } = await guessed()
    await guess()
    expect(await status()).toBe('locked')
    expect(await join(code, '4711', '203.0.113.1')).toEqual(locked)
    expect((await wide.as().links.openLink({ code })).link_pin_required).toBe(true)
    // The link tolerates at most this many at once, and forgets one every six minutes.
    await sql`update event_links set wrong_pin_at = wrong_pin_at - interval '10 hours' where id = ${id}`.execute(
      wide.db,
    )
    expect(await status()).toBe('open')
    expect((await join(code, '4711', '203.0.113.1')).status).toBe(200)
  })

  test('shut nobody out where somebody came in rightly', async () => {
    const { code, status, guess } = await guessed()
    expect((await join(code, '4711', '203.0.113.7')).status).toBe(200)
    await guess()
    expect(await status()).toBe('locked')
    expect((await join(code, '4711', '203.0.113.7')).status).toBe(200)
    expect(await join(code, '4711', '203.0.113.8')).toEqual(locked)
  })

  test('guesses of one device leave the others behind its address a reserve, where somebody came in rightly', async () => {
    const { code } = await guessed()
    expect((await join(code, '4711', '203.0.113.9')).status).toBe(200)
    for (const n of people(12)) await join(code, String(3000 + n), '203.0.113.9', 'the guesser')
    expect((await join(code, '4711', '203.0.113.9', 'the guesser')).status).toBe(429)
    expect((await join(code, '4711', '203.0.113.9', 'a guest')).status).toBe(200)
  })
})

test('one network that takes up places of a link for looking leaves those of others, and its own', async () => {
  // A day's budget of five devices for a network.
  const small = await openTestApp(
    { rateFactor: 5 / viewersPerNetworkMax, signInsPerAddressPerMinute: 1_000_000 },
    { env: { TRUSTED_PROXIES: '127.0.0.1' } },
  )
  const host = await enter(small, 'olivia')
  const { id: event_id } = await host.api.events.saveEvent(evening())
  const { link_code: code } = await host.api.links.makeLink({ event_id, kind: 'look' })
  const look = async (network: string, device_id: string) => {
    const reply = await fetch(`${small.url}/api/event/link/view/${code}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': network },
      body: JSON.stringify({ device_id }),
    })
    return reply.status
  }
  const statuses: number[] = []
  for (const n of people(7)) statuses.push(await look('198.51.100.1', `invented ${n}`))
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
  expect(await look('203.0.113.1', 'phone')).toBe(200)
  expect(
    (await sql`select from devices d join users u on u.id = d.user_id and u.status = 6`.execute(small.db)).rows,
  ).toHaveLength(6)
})

test('six hundred guests of a wedding come in behind one address, forty at a time, and nobody is refused', {
  tags: 'slow',
}, async () => {
  const venue = await openTestApp({ rateFactor: 1, signInsPerAddressPerMinute: 300 })
  const host = await enter(venue, 'olivia')
  const { id: event_id } = await host.api.events.saveEvent(evening())
  const { link_code: code } = await host.api.links.makeLink({ event_id, pin: '123456' })
  const limit = pLimit(40)
  await Promise.all(
    people(600).map(n =>
      limit(async () => {
        expect((await venue.as().notifications.readRealtimeConfig({})).channel_path).toBe('/realtime')
        expect((await venue.as().links.openLink({ code })).event_id).toBe(event_id)
        const guest = { user_first_name: `Guest ${n}`, device_id: `phone ${n}`, pin: '123456' }
        expect((await venue.as().links.joinByLink({ code, ...guest })).user.user_status).toBe(5)
      }),
    ),
  )
  expect((await host.api.events.readEvent({ event_id })).event_guests_count).toBe(601)
  expect(await wrongEvents(venue.db)).toEqual([])
})

import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { wrongEvents } from '../../test/event-state.ts'
import { evening } from '../../test/party.ts'
import { refusal, says } from '../../test/refused.ts'

/* With the limits that a real instance has: everybody here comes from one address. */
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

test('guessing a PIN is over after ten a minute from one address, also when the next guess is right', async () => {
  const { code } = await hold({ pin: '4711' })
  for (const n of people(10)) expect((await refusal(come(code, n, { pin: `${1000 + n}` }))).status).toBe(400)
  for (const pin of ['1010', '4711']) expect((await refusal(come(code, 11, { pin }))).status).toBe(429)
})

test('guesses from a thousand addresses lock the link for good', async () => {
  const wide = await openTestApp()
  const host = await enter(wide, 'olivia')
  const { id: event_id } = await host.api.events.saveEvent(evening())
  const { link_code: code } = await host.api.links.makeLink({ event_id, pin: '4711' })
  const guess = (pin: number) =>
    refusal(wide.as().links.joinByLink({ code, user_first_name: 'Mallory', pin: String(pin) }))
  await Promise.all(people(120).map(n => guess(2000 + n)))
  const [link] = (await host.api.links.listLinks({ event_id, page: 1, page_length: 10 })).data
  expect(link?.link_status).toBe('locked')
  expect(await guess(4711)).toEqual(says('The link is locked after too many wrong PINs'))
})

test('a venue lets three hundred in from one address', { timeout: 60_000 }, async () => {
  const venue = await openTestApp({ rateFactor: 1, signInsPerAddressPerMinute: 300 })
  const host = await enter(venue, 'olivia')
  const { id: event_id } = await host.api.events.saveEvent(evening())
  const { link_code: code } = await host.api.links.makeLink({ event_id, pin: '123456' })
  await Promise.all(
    people(300).map(async n => {
      expect((await venue.as().links.openLink({ code })).event_id).toBe(event_id)
      const guest = { user_first_name: `Guest ${n}`, device_id: `phone ${n}`, pin: '123456' }
      expect((await venue.as().links.joinByLink({ code, ...guest })).user.user_status).toBe(5)
    }),
  )
  expect((await host.api.events.readEvent({ event_id })).event_guests_count).toBe(301)
  expect(await wrongEvents(venue.db)).toEqual([])
})

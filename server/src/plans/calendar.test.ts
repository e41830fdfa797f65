import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { readCalendar } from '../../test/calendars.ts'
import { enter, type Member } from '../../test/cast.ts'
import { needing } from '../../test/needing.ts'
import { bringIn, evening } from '../../test/party.ts'
import { notFound, refusal } from '../../test/refused.ts'
import { calendarParsers } from '../../test/tools.ts'

const app = await openTestApp()
const olivia = await enter(app, 'olivia')
const gus = await enter(app, 'gus')

const hold = (fields: Record<string, unknown> = {}) => olivia.api.events.saveEvent(evening(fields))
const fileOf = async (event_id: number) => (await olivia.api.plans.linkCalendar({ event_id })).event_calendar_url
const feedOf = async (member: Member) => (await member.api.plans.makeCalendarFeed()).calendar_feed_url as string
const statusOf = async (url: string) => {
  const reply = await fetch(url)
  const text = await reply.text()
  if (reply.status === 404) expect(text).toBe('Not found!')
  return reply.status
}
const file = async (url: string) => {
  const reply = await fetch(url)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  return reply.text()
}

test('the file of an event has the event’s name', async () => {
  const { id } = await hold({ event_name: 'Fest: Süd/Nord' })
  const disposition = (await fetch(await fileOf(id))).headers.get('content-disposition')
  expect(disposition).toBe(`inline; filename="Fest S_d Nord.ics"; filename*=UTF-8''Fest%20S%C3%BCd%20Nord.ics`)
})

needing(calendarParsers).describe('an event in a calendar', () => {
  const read = async (url: string) => readCalendar(await file(url))

  test('keeps its UID and rises in its sequence when it is moved, renamed and cancelled', async () => {
    const { id: event_id, event_starts_at } = await hold({ event_location: 'The lake, south side' })
    const url = await fileOf(event_id)
    const first = await read(url)
    expect(first).toMatchObject([
      {
        SUMMARY: 'Midsummer at the lake',
        LOCATION: 'The lake, south side',
        STATUS: 'CONFIRMED',
        DTSTART: event_starts_at.replace(/\.\d+/, ''),
        URL: `${app.url}/events/${event_id}`,
      },
    ])
    const moved = new Date(Date.now() + 9 * 86_400_000).toISOString()
    await olivia.api.events.saveEvent(evening({ event_id, event_starts_at: moved }))
    const second = await read(url)
    await olivia.api.events.cancelEvent({ event_id })
    const third = await read(url)
    expect(second).toMatchObject([{ UID: first[0]?.UID, DTSTART: moved.replace(/\.\d+/, '') }])
    expect(third).toMatchObject([{ UID: first[0]?.UID, STATUS: 'CANCELLED' }])
    const sequences = [first, second, third].map(([event]) => event?.SEQUENCE ?? 0)
    expect(sequences).toEqual([...new Set(sequences)].sort((one, other) => one - other))
  })

  test('is the same event in its file, behind its link and in the subscription', async () => {
    const { id: event_id } = await hold({ event_location: 'A secret place', event_description: 'A surprise' })
    const { link_code } = await olivia.api.links.makeLink({ event_id })
    const byLink = await read(`${app.url}/j/${link_code}/event.ics`)
    expect(byLink).toMatchObject([{ LOCATION: 'A secret place' }])
    await olivia.api.events.saveEvent({ event_id, event_location_hidden: true })
    const behindLink = await read(`${app.url}/j/${link_code}/event.ics`)
    expect(JSON.stringify(behindLink)).not.toContain('secret')
    await olivia.api.events.saveEvent({ event_id, event_location_hidden: false })
    const own = (await read(await fileOf(event_id)))[0]
    expect(byLink).toMatchObject([{ UID: own?.UID, DTSTART: own?.DTSTART }])
    expect(await read(await feedOf(olivia))).toContainEqual(own)
  })

  test('is in nobody’s subscription but that of the people who are in it', async () => {
    const { id: event_id } = await hold({ event_name: 'Only for some' })
    const feed = await feedOf(gus)
    const names = async () => (await read(feed)).map(each => each.SUMMARY)
    expect(await names()).not.toContain('Only for some')
    await bringIn(olivia, event_id, gus)
    expect(await names()).toContain('Only for some')
    await olivia.api.events.removeGuest({ event_id, user_id: gus.id })
    expect(await names()).not.toContain('Only for some')
  })

  test('leaves the subscription when it is deleted, and stays there when it is cancelled', async () => {
    const [kept, gone] = [await hold({ event_name: 'Called off' }), await hold({ event_name: 'Deleted' })]
    const feed = await feedOf(olivia)
    await olivia.api.events.cancelEvent({ event_id: kept.id })
    await olivia.api.events.deleteEvent({ event_id: gone.id })
    const read = readCalendar(await file(feed))
    expect(read.find(each => each.SUMMARY === 'Cancelled: Called off')).toMatchObject({ STATUS: 'CANCELLED' })
    expect(read.map(each => each.SUMMARY)).not.toContain('Deleted')
  })
})

describe('the address of a subscription', () => {
  test('is found again by its owner and works until it is ended, or another takes its place', async () => {
    expect(await gus.api.plans.endCalendarFeed()).toEqual({ done: true })
    const none = { calendar_feed_url: null, created_at: null, last_used_at: null }
    expect(await gus.api.plans.readCalendarFeed({ show: true })).toEqual(none)
    const first = await feedOf(gus)
    expect(await gus.api.plans.readCalendarFeed({})).toEqual({ ...none, created_at: expect.any(String) })
    expect((await gus.api.plans.readCalendarFeed({ show: true })).calendar_feed_url).toBe(first)
    expect(await statusOf(first)).toBe(200)
    expect((await gus.api.plans.readCalendarFeed({})).last_used_at).toEqual(expect.any(String))
    const second = await feedOf(gus)
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
    await gus.api.plans.endCalendarFeed()
    expect(await statusOf(second)).toBe(404)
  })

  test('is one for a repeated key, and stands in no table', async () => {
    const key = { idempotencyKey: 'one calendar' }
    const made = await gus.api.plans.makeCalendarFeed({}, key)
    expect(await gus.api.plans.makeCalendarFeed({}, key)).toEqual(made)
    const code = /calendar\/([\w-]+)\.ics/.exec(made.calendar_feed_url as string)?.[1] as string
    const { rows } = await sql`select f.*::text, k.*::text from calendar_feeds f, idempotency_keys k`.execute(app.db)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(code)
  })

  test('is made and shown only after re-authentication', async () => {
    const ana = await enter(app, 'ana')
    await feedOf(ana)
    await sql`update devices set created_at = now() - interval '11 minutes' where user_id = ${ana.id}`.execute(app.db)
    const proveFirst = { code: 'proveFirst' }
    await expect(ana.api.plans.makeCalendarFeed()).rejects.toMatchObject(proveFirst)
    await expect(ana.api.plans.readCalendarFeed({ show: true })).rejects.toMatchObject(proveFirst)
    expect((await ana.api.plans.readCalendarFeed({})).calendar_feed_url).toBe(null)
    await ana.api.accounts.proveAccount({ user_password: ana.password })
    expect((await ana.api.plans.readCalendarFeed({ show: true })).calendar_feed_url).toEqual(expect.any(String))
  })

  const changed = (person: Member, keep_calendar?: boolean) =>
    person.api.accounts.updatePassword({
      current_password: person.password,
      user_password: 'another password',
      user_password_confirmation: 'another password',
      keep_calendar,
    })
  test.each<[string, number, (person: Member) => Promise<unknown>]>([
    ['signs out everywhere', 404, ({ api }) => api.accounts.logout({ all_devices: true })],
    [
      'signs out everywhere and keeps it',
      200,
      ({ api }) => api.accounts.logout({ all_devices: true, keep_calendar: true }),
    ],
    ['changes the password', 404, person => changed(person)],
    ['changes the password and keeps it', 200, person => changed(person, true)],
    ['signs out here', 200, ({ api }) => api.accounts.logout({})],
    ['deletes the account', 404, ({ api, password }) => api.privacy.deleteAccount({ user_password: password })],
  ])('answers, once its owner %s, with %i', async (_, status, happens) => {
    const rita = await enter(app, 'rita')
    const url = await feedOf(rita)
    await happens(rita)
    expect(await statusOf(url)).toBe(status)
  })

  test('leads nowhere once its owner is suspended', async () => {
    const sam = await enter(app, 'sam')
    const url = await feedOf(sam)
    await sql`update users set status = 3 where id = ${sam.id}`.execute(app.db)
    expect(await statusOf(url)).toBe(404)
  })
})

describe('the address of an event’s file', () => {
  test('is dead when somebody loses access, when the event is deleted, and when it is made up', async () => {
    const { id: event_id } = await hold()
    await bringIn(olivia, event_id, gus)
    await olivia.api.events.saveEvent({ event_id, ...evening({ event_visibility: 3 }) })
    const url = await fileOf(event_id)
    expect(await statusOf(url)).toBe(200)
    expect(await statusOf(url.replace(/\/\d+\.ics/, `/${event_id + 1}.ics`))).toBe(404)
    expect(await statusOf(url.replace(/\?.*/, ''))).toBe(404)
    const his = (await gus.api.plans.linkCalendar({ event_id })).event_calendar_url
    expect(await statusOf(his)).toBe(200)
    expect(await statusOf(his.replace(/&h=.*/, ''))).toBe(404)
    await gus.api.events.leaveEvent({ event_id })
    expect([await statusOf(his), await statusOf(url)]).toEqual([404, 200])
    const now = await fileOf(event_id)
    await olivia.api.events.deleteEvent({ event_id })
    expect(await statusOf(now)).toBe(404)
    expect(await refusal(fileOf(event_id))).toEqual(notFound('Event not found!'))
  })

  test('is dead behind a link that is closed', async () => {
    const { id: event_id } = await hold()
    const { id: link_id, link_code } = await olivia.api.links.makeLink({ event_id })
    const url = `${app.url}/j/${link_code}/event.ics`
    expect(await statusOf(url)).toBe(200)
    await olivia.api.links.revokeLink({ link_id })
    expect(await statusOf(url)).toBe(404)
  })
})

describe('a calendar app that asks again', () => {
  const ask = async (url: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(url, { headers })
    return {
      status: reply.status,
      etag: reply.headers.get('etag') ?? '',
      date: reply.headers.get('last-modified') ?? '',
    }
  }
  const settled = () => new Promise(resolve => setTimeout(resolve, 1100))

  test('is sent nothing that it has, by tag and by date, and what is new at once', async () => {
    const { id: event_id } = await hold()
    const urls = [await feedOf(olivia), await fileOf(event_id)]
    const link = await olivia.api.links.makeLink({ event_id })
    urls.push(`${app.url}/j/${link.link_code}/event.ics`)
    for (const url of urls) await ask(url)
    await settled()
    const first = await Promise.all(urls.map(url => ask(url)))
    for (const [at, { etag, date }] of first.entries()) {
      const url = urls[at] as string
      expect(await ask(url, { 'if-none-match': etag })).toEqual({ status: 304, etag, date })
      expect((await ask(url, { 'if-modified-since': date })).status).toBe(304)
      expect((await ask(url, { 'if-none-match': etag, 'accept-language': 'de' })).status).toBe(200)
    }
    await olivia.api.events.saveEvent(evening({ event_id, event_name: 'Renamed' }))
    for (const [at, { etag, date }] of first.entries()) {
      const url = urls[at] as string
      expect((await ask(url, { 'if-none-match': etag })).status).toBe(200)
      expect((await ask(url, { 'if-modified-since': date })).status).toBe(200)
    }
  })

  test('hears of an answer, of leaving and of an event that is gone', async () => {
    const { id: event_id } = await hold()
    await bringIn(olivia, event_id, gus)
    const url = await feedOf(gus)
    const acts = [
      () => gus.api.plans.answerEvent({ event_id, event_answer: 'maybe' }),
      () => gus.api.plans.answerEvent({ event_id, event_answer: 'going' }),
      () => gus.api.plans.answerEvent({ event_id, event_answer: 'no' }),
      () => gus.api.plans.answerEvent({ event_id, event_answer: 'going' }),
      () => gus.api.events.leaveEvent({ event_id }),
    ]
    for (const act of acts) {
      const { etag } = await ask(url)
      await act()
      expect((await ask(url, { 'if-none-match': etag })).status).toBe(200)
    }
  })
})

needing(calendarParsers).test(
  'a subscription has 200 events, the next ones first, and no long description',
  async () => {
    const host = await enter(app, 'olivia')
    const { id } = await host.api.events.saveEvent(evening({ event_description: 'x'.repeat(4000) }))
    await sql`
    with made as (
      insert into events (name, starts_at, timezone, created_by, guests_count)
      select 'Event ' || n, now() + n * interval '1 day', 'Europe/Berlin', ${host.id}, 1 from generate_series(-250, 250) n
      returning id
    ), chats as (insert into group_chats (event_id) select id from made)
    insert into guests (event_id, user_id, role) select id, ${host.id}, 'owner' from made`.execute(app.db)
    const read = readCalendar(await file(await feedOf(host)))
    expect(read).toHaveLength(200)
    expect(read.map(each => each.SUMMARY)).toContain('Event 190')
    expect(read.find(each => each.URL?.endsWith(`/${id}`))?.DESCRIPTION?.length).toBeLessThan(1100)
  },
)

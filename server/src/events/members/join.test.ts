import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { unchanged, wrongEvents } from '../../../test/event-state.ts'
import { bringIn, evening, party } from '../../../test/party.ts'
import { notFound, refusal, says } from '../../../test/refused.ts'
import { statementsOf } from '../../../test/statements.ts'

const app = await openTestApp()
const { olivia, gus, asha, sam, remy, gwen } = await party(app)
const joined = { join_request_status: 'joined' }
const pending = { join_request_status: 'pending' }
const modes = { open: 1, approval: 2, invitation: 3 }

const hold = async (mode: keyof typeof modes, more: Record<string, unknown> = {}) =>
  (await olivia.api.events.saveEvent(evening({ event_join_mode: modes[mode], ...more }))).id
const switchTo = (mode: keyof typeof modes, event_id: number) =>
  olivia.api.events.saveEvent(evening({ event_id, event_join_mode: modes[mode] }))
const ask = (member: Member, event_id: number) => member.api.events.askToJoin({ event_id })
const read = (member: Member, event_id: number) => member.api.events.readEvent({ event_id })
const waiting = async (event_id: number) =>
  (await olivia.api.events.listJoinRequests({ event_id, page: 1, page_length: 50 })).data.map(({ id }) => id)

afterAll(async () => expect(await wrongEvents(app.db)).toEqual([]))

describe('asking to join', () => {
  test('a public event whose only organizer is leaving admits nobody, by itself or by a link, until they are back', async () => {
    const host = await enter(app, 'rita')
    const { id: event_id } = await host.api.events.saveEvent(evening({ event_join_mode: modes.open }))
    const { link_code: code } = await host.api.links.makeLink({ event_id })
    const person = {
      code,
      user_first_name: 'Anna',
      device_id: 'phone',
      user_timezone: 'UTC',
      user_device_platform: 'web',
    }
    await host.api.privacy.deleteAccount({ user_password: host.password })
    for (const coming of [() => ask(sam, event_id), () => app.as().links.joinByLink(person)])
      expect((await refusal(coming())).status).toBeGreaterThanOrEqual(400)
    const { data } = await sam.api.events.listEvents({ filter: 'public', page: 1, page_length: 100 })
    expect(data.map(({ id }) => id)).not.toContain(event_id)
    const device = { device_id: 'again', user_timezone: 'UTC', user_device_platform: 'web' }
    const own = { user_login_option_type: 1, user_login_id: host.email, user_password: host.password }
    await app.as().accounts.authenticate({ ...own, ...device })
    expect(await ask(sam, event_id)).toEqual(joined)
  })

  test('an open event lets in at once', async () => {
    const event_id = await hold('open')
    expect(await ask(gus, event_id)).toEqual(joined)
    expect(await read(gus, event_id)).toMatchObject({ event_role: 'guest', event_guests_count: 2 })
  })

  test('an event by approval keeps the asker waiting until an organizer answers', async () => {
    const event_id = await hold('approval')
    expect(await ask(gus, event_id)).toEqual(pending)
    expect(await read(gus, event_id)).toMatchObject({ event_role: 'asked', event_guests_count: 1 })
    const approved = await olivia.api.events.approveJoinRequest({ event_id, user_id: gus.id })
    expect(approved).toEqual({ join_request_status: 'approved' })
    expect(await read(gus, event_id)).toMatchObject({ event_role: 'guest', event_guests_count: 2 })
    expect(await waiting(event_id)).toEqual([])
  })

  test('again changes nothing, the place in the line included', async () => {
    const event_id = await hold('approval')
    await ask(gus, event_id)
    await ask(sam, event_id)
    expect(await unchanged(app.db, event_id, () => ask(gus, event_id))).toEqual(pending)
    expect(await waiting(event_id)).toEqual([gus.id, sam.id])
  })

  test('an asker who was turned down or took the request back may ask again, at the end of the line', async () => {
    const event_id = await hold('approval')
    for (const member of [gus, sam, asha]) await ask(member, event_id)
    const rejected = await olivia.api.events.rejectJoinRequest({ event_id, user_id: gus.id })
    expect(rejected).toEqual({ join_request_status: 'rejected' })
    expect(await sam.api.events.withdrawJoinRequest({ event_id })).toEqual({ join_request_status: 'withdrawn' })
    expect([(await read(gus, event_id)).event_role, (await read(sam, event_id)).event_role]).toEqual(['none', 'none'])
    await ask(sam, event_id)
    await ask(gus, event_id)
    expect(await waiting(event_id)).toEqual([asha.id, sam.id, gus.id])
  })

  test('an event by invitation is closed to who has none', async () => {
    const event_id = await hold('invitation')
    const answer = await unchanged(app.db, event_id, () => refusal(ask(sam, event_id)))
    expect(answer).toEqual(says('The event can only be joined by invitation'))
  })

  test('an asker stays in the line when the event turns to invitations, and walks in when it opens', async () => {
    const event_id = await hold('approval')
    await ask(sam, event_id)
    await switchTo('invitation', event_id)
    expect(await ask(sam, event_id)).toEqual(pending)
    await switchTo('open', event_id)
    expect(await ask(sam, event_id)).toEqual(joined)
    expect(await waiting(event_id)).toEqual([])
  })

  test('a removed guest of an open event waits for an organizer, however often they ask', async () => {
    const event_id = await hold('open')
    await ask(remy, event_id)
    await olivia.api.events.removeGuest({ event_id, user_id: remy.id })
    expect(await ask(remy, event_id)).toEqual(pending)
    expect(await ask(remy, event_id)).toEqual(pending)
    await remy.api.events.withdrawJoinRequest({ event_id })
    expect(await ask(remy, event_id)).toEqual(pending)
    await olivia.api.events.rejectJoinRequest({ event_id, user_id: remy.id })
    expect(await ask(remy, event_id)).toEqual(pending)
    await olivia.api.events.approveJoinRequest({ event_id, user_id: remy.id })
    await remy.api.events.leaveEvent({ event_id })
    expect(await ask(remy, event_id)).toEqual(joined)
  })

  test('with a key answers the repeat alike, and not who may not see the event any more', async () => {
    const event_id = await hold('approval')
    const once = () => gwen.api.events.askToJoin({ event_id }, { idempotencyKey: `ask ${event_id}` })
    const answers = await Promise.all([once(), once(), once()])
    expect(answers).toEqual([pending, pending, pending])
    await olivia.api.events.saveEvent(evening({ event_id, event_visibility: 3 }))
    expect(await once()).toEqual(pending)
    await olivia.api.events.rejectJoinRequest({ event_id, user_id: gwen.id })
    expect(await refusal(once())).toEqual(notFound('Event not found!'))
  })
})

test('a newcomer has read nothing, yet nothing from before counts as unread', async () => {
  const event_id = await hold('approval')
  const sequenceOf = async (member: Member) =>
    (await app.db
      .selectFrom('guests')
      .select(['joined_sequence', 'photos_count'])
      .where('event_id', '=', event_id)
      .where('user_id', '=', member.id)
      .executeTakeFirstOrThrow()) as { joined_sequence: number; photos_count: number }
  const chat = app.db.updateTable('group_chats').where('event_id', '=', event_id)
  await chat.set({ last_sequence: 41 }).execute()
  await bringIn(olivia, event_id, gus)
  expect(await sequenceOf(gus)).toMatchObject({ joined_sequence: 41 })
  await app.db.updateTable('guests').set({ photos_count: 3 }).where('event_id', '=', event_id).execute()
  await gus.api.events.leaveEvent({ event_id })
  await chat.set({ last_sequence: 77 }).execute()
  await bringIn(olivia, event_id, gus)
  expect(await sequenceOf(gus)).toEqual({ joined_sequence: 77, photos_count: 3 })
})

test('pages of those who wait keep the order of asking, and cost the same however many there are', async () => {
  const event_id = await hold('approval')
  const people: number[] = []
  for (const name of ['gus', 'asha', 'sam', 'remy', 'gwen'] as const) {
    const member = await enter(app, name)
    await ask(member, event_id)
    people.push(member.id)
  }
  const page = (page: number, page_length: number) =>
    olivia.api.events.listJoinRequests({ event_id, page, page_length })
  const pages = [await page(1, 2), await page(2, 2), await page(3, 2)]
  expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(people)
  expect(pages.map(({ from, to, next_page_url }) => [from, to, next_page_url !== null])).toEqual([
    [1, 2, true],
    [3, 4, true],
    [5, 5, false],
  ])
  expect(pages[0]?.data[0]).toEqual({
    id: people[0],
    user_first_name: 'Gus',
    user_middle_name: null,
    user_last_name: 'Grant',
    user_username: expect.any(String),
    user_avatar_url: expect.any(String),
    user_visible: '1',
  })
  expect(await statementsOf(() => page(1, 1))).toBe(await statementsOf(() => page(1, 50)))
})

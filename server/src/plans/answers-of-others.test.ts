import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { enter, type Member } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { eraseDue } from '../../test/erase-due.ts'
import { wrongEvents } from '../../test/event-state.ts'
import { openNotifiedApp } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { png } from '../../test/pictures.ts'
import { invalid, notFound, refusal, says } from '../../test/refused.ts'
import { eraseAddedPersons } from '../events/account-deletion.ts'
import { wrongCounts } from '../invariants/wrong-counts.ts'

/* Answers that organizers enter, people without a device, and what is true of every seat. */

const { app, quiet } = await openNotifiedApp()
const [olivia, gus, asha, sam] = [
  await enter(app, 'olivia'),
  await enter(app, 'gus'),
  await enter(app, 'asha'),
  await enter(app, 'sam'),
]
const paged = { page: 1, page_length: 100 }
const noSuchUser = notFound('User not found!')

const hold = async (fields: Record<string, unknown> = {}, guests: readonly Member[] = [gus]) => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening(fields))
  for (const guest of guests) await bringIn(olivia, event_id, guest)
  return event_id
}
type Said = 'going' | 'maybe' | 'no'
const sayFor = (event_id: number, { id: user_id }: { id: number }, event_answer: Said, more = {}) =>
  olivia.api.plans.answerEvent({ event_id, user_id, event_answer, ...more })
const addAunt = (event_id: number, more = {}) =>
  olivia.api.plans.addPerson({
    event_id,
    user_first_name: 'Erna',
    event_answer: 'going',
    plus_ones: 1,
    answer_note: 'No fish',
    ...more,
  })
const listed = async (event_id: number) => (await olivia.api.plans.listAnswers({ event_id, ...paged })).data
const rowOf = async (event_id: number, { id }: { id: number }) =>
  (await listed(event_id)).find(({ user }) => user.id === id)
const acts = async (event_id: number) =>
  (await olivia.api.events.listAudit({ event_id, ...paged })).data.map(each => [
    each.audit_act,
    each.about?.id,
    each.audit_reason,
  ])
const placesOf = async (event_id: number) => {
  const rows = (await listed(event_id)).filter(row => row.answer_place === 'in')
  return rows.reduce((sum, row) => sum + 1 + row.plus_ones, 0)
}

afterAll(async () => {
  expect(await wrongCounts(app.db)).toEqual([])
  expect(await wrongEvents(app.db)).toEqual([])
})

describe('an answer that an organizer enters', () => {
  test('is the guest’s, who changes it, and stands in the log', async () => {
    const event_id = await hold()
    const told = await sayFor(event_id, gus, 'going', { plus_ones: 2, answer_note: 'By phone' })
    expect(told).toMatchObject({ event_answer: 'going', plus_ones: 2, going_count: 3, namesakes: [] })
    expect(await gus.api.plans.readAnswer({ event_id })).toMatchObject({
      event_answer: 'going',
      answer_note: 'By phone',
    })
    await gus.api.plans.answerEvent({ event_id, event_answer: 'maybe' })
    expect(await rowOf(event_id, gus)).toMatchObject({ event_answer: 'maybe', plus_ones: 0, person_added: false })
    expect((await acts(event_id)).filter(([act]) => act === 'guest.answered')).toEqual([
      ['guest.answered', gus.id, null],
    ])
  })

  test('is refused of who is not in the event, to guests, and for nobody', async () => {
    const event_id = await hold({}, [gus, asha, sam])
    await asha.api.events.leaveEvent({ event_id })
    await olivia.api.events.removeGuest({ event_id, user_id: sam.id })
    const { link_code: code } = await olivia.api.links.makeLink({ event_id, kind: 'look' })
    await app.as().links.viewByLink({ code, device_id: 'a screen' })
    const { rows } = await sql<{ id: number }>`
      select viewer_id as id from event_links where event_id = ${event_id} and viewer_id is not null`.execute(app.db)
    const look = { id: rows[0]?.id ?? 0 }
    for (const person of [asha, sam, look, { id: 999_999 }])
      expect(await refusal(sayFor(event_id, person, 'going'))).toEqual(noSuchUser)
    const asGuest = gus.api.plans.answerEvent({ event_id, user_id: olivia.id, event_answer: 'no' })
    expect(await refusal(asGuest)).toEqual(says('The user is not an organizer of the event'))
    expect((await listed(event_id)).filter(row => row.event_answer !== null)).toEqual([])
  })

  test('is refused after the end of the event, and to a cancelled one', async () => {
    const event_id = await hold()
    await sql`update events set starts_at = now() - interval '26 hours' where id = ${event_id}`.execute(app.db)
    const over = says('The event is over')
    expect(await refusal(sayFor(event_id, gus, 'going'))).toEqual(over)
    expect(await refusal(addAunt(event_id))).toEqual(over)
    const late = olivia.api.plans.moveUp({ event_id, user_id: gus.id, move_reason: 'Late' })
    expect(await refusal(late)).toEqual(over)
    expect(await listed(event_id)).toHaveLength(2)
    await olivia.api.events.cancelEvent({ event_id })
    const up = (id: number) => olivia.api.plans.moveUp({ event_id: id, user_id: gus.id, move_reason: 'Early' })
    for (const asked of [() => sayFor(event_id, gus, 'going'), () => addAunt(event_id), () => up(event_id)])
      expect(await refusal(asked())).toEqual(says('The event has been cancelled'))
    const claim = (id: number) => gus.api.returns.claimPerson({ event_id: id, user_id: olivia.id })
    for (const asked of [() => addAunt(999_999), () => up(999_999), () => claim(999_999)])
      expect(await refusal(asked())).toEqual(notFound('Event not found!'))
  })

  test('of two organizers at once is refused to the second, who had not read the first', async () => {
    const event_id = await hold({}, [gus, asha])
    await olivia.api.events.makeOrganizer({ event_id, user_id: asha.id })
    const never = new Date(0).toISOString()
    const both = await Promise.allSettled(
      [olivia, asha].map(({ api }, at) =>
        api.plans.answerEvent({
          event_id,
          user_id: gus.id,
          event_answer: 'going',
          plus_ones: at + 1,
          answered_at: never,
        }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const seen = (await rowOf(event_id, gus))?.answered_at ?? ''
    expect(await refusal(sayFor(event_id, gus, 'no', { answered_at: never }))).toEqual(
      says('Somebody has changed this answer'),
    )
    expect(await sayFor(event_id, gus, 'no', { answered_at: seen })).toMatchObject({ event_answer: 'no' })
  })
})

describe('a guest who says no', () => {
  test('keeps whom they would bring and their note, which count nowhere', async () => {
    const event_id = await hold({ event_places: 3 })
    await gus.api.plans.answerEvent({ event_id, event_answer: 'going', plus_ones: 2, answer_note: 'By train' })
    const no = await gus.api.plans.answerEvent({ event_id, event_answer: 'no' })
    expect(no).toMatchObject({ plus_ones: 2, answer_note: 'By train', going_count: 0, no_count: 1 })
    const { csv_text } = await olivia.api.plans.exportAnswers({ event_id })
    expect(csv_text).toMatch(/Gus Grant,[^,]+,,/)
  })
})

describe('a limit of companions', () => {
  test('holds for everybody, and is not set below what somebody brings', async () => {
    const event_id = await hold()
    const bring = (plus_ones: number, plus_names?: string) =>
      gus.api.plans.answerEvent({ event_id, event_answer: 'going', plus_ones, plus_names })
    await bring(3)
    const set = (most: number) => olivia.extra.events.saveEvent({ event_id, event_plus_ones_max: most })
    expect(await refusal(set(2))).toEqual(
      invalid('event_plus_ones_max', 'The event plus ones max field must be at least 3.'),
    )
    expect((await set(3)).extra.event_plus_ones_max).toBe(3)
    expect(await refusal(bring(4))).toEqual(invalid('plus_ones', 'The plus ones field must not be greater than 3.'))
    expect(await refusal(bring(0, 'A, B, C, D'))).toEqual(
      invalid('plus_names', 'The plus names field must not have more than 3 items.'),
    )
    expect(await refusal(sayFor(event_id, gus, 'going', { plus_ones: 4 }))).toMatchObject({ status: 400 })
    await bring(0)
    expect((await set(0)).extra.event_plus_ones_max).toBe(0)
    const again = await olivia.extra.events.copyEvent({
      event_id,
      event_starts_at: new Date(Date.now() + 9e8).toISOString(),
      guests_invited: false,
    })
    expect(again.extra.event_plus_ones_max).toBe(0)
  })
})

describe('a person without a device', () => {
  test('counts for places, lists and the table, and is found by nobody', async () => {
    const event_id = await hold({ event_places: 2 })
    const aunt = await addAunt(event_id)
    expect(aunt).toMatchObject({ event_answer: 'going', answer_place: 'in', plus_ones: 1, person_added: true })
    expect(await gus.api.plans.answerEvent({ event_id, event_answer: 'going' })).toMatchObject({
      answer_place: 'line',
      going_count: 2,
    })
    expect((await olivia.api.events.readEvent({ event_id })).event_guests_count).toBe(3)
    expect((await gus.api.events.listGuests({ event_id, ...paged })).data.map(({ user }) => user.id)).toContain(
      aunt.user.id,
    )
    expect((await olivia.api.plans.exportAnswers({ event_id })).csv_text).toContain('Erna,Coming,1,,No fish')
    expect((await sam.api.people.searchUsers({ name: 'Erna', ...paged })).data).toEqual([])
  })

  test('gets another name and answer, which no other guest does', async () => {
    const event_id = await hold()
    const { user, answered_at } = await addAunt(event_id)
    const named = { event_id, user_id: user.id, user_first_name: 'Erna', user_last_name: 'Blum' }
    const heard = await listen(app, gus)
    const now = await olivia.api.plans.addPerson({ ...named, event_answer: 'maybe', answered_at: answered_at ?? '' })
    expect(now).toMatchObject({ user: { id: user.id, user_last_name: 'Blum' }, event_answer: 'maybe', plus_ones: 0 })
    expect((await heard.next('guest.updated')).guest.user.user_last_name).toBe('Blum')
    expect(await olivia.api.plans.addPerson(named)).toEqual(now)
    expect(
      await refusal(olivia.api.plans.addPerson({ ...named, event_answer: 'no', answered_at: answered_at ?? '' })),
    ).toEqual(says('Somebody has changed this answer'))
    for (const { id } of [gus, asha, { id: 999_999 }])
      expect(await refusal(olivia.api.plans.addPerson({ ...named, user_id: id }))).toEqual(noSuchUser)
    expect(await rowOf(event_id, user)).toEqual(now)
    expect((await rowOf(event_id, gus))?.user.user_last_name).toBe('Grant')
  })

  test('organizes nothing and owns nothing until somebody has come as them', async () => {
    const event_id = await hold()
    const { user } = await addAunt(event_id)
    const noDevice = says('An organizer added this person, who has no device')
    const asked = { event_id, user_id: user.id }
    expect(await refusal(olivia.api.events.makeOrganizer(asked))).toEqual(noDevice)
    expect(await refusal(olivia.api.events.handOver(asked))).toEqual(noDevice)
    expect((await olivia.extra.events.readEvent({ event_id })).extra.offered_to).toBeNull()
  })

  test('has a name of at most a hundred letters, and is added once for a repeated key', async () => {
    const event_id = await hold()
    expect(await refusal(addAunt(event_id, { user_first_name: 'x'.repeat(200) }))).toEqual(
      invalid('user_first_name', 'The user first name field must not be greater than 100 characters.'),
    )
    const key = { idempotencyKey: 'aunt once' }
    const asked = { event_id, user_first_name: 'Once' }
    expect(await olivia.api.plans.addPerson(asked, key)).toEqual(await olivia.api.plans.addPerson(asked, key))
    expect(await listed(event_id)).toHaveLength(3)
  })

  test('goes with their name once nobody brings them back any more', async () => {
    const event_id = await hold()
    const { user } = await addAunt(event_id, { user_first_name: 'Zirkonia' })
    await olivia.api.events.removeGuest({ event_id, user_id: user.id })
    await eraseAddedPersons(app.db)
    await olivia.api.events.bringGuestBack({ event_id, user_id: user.id })
    expect(await rowOf(event_id, user)).toMatchObject({ event_answer: 'going', plus_ones: 1 })
    await olivia.api.events.removeGuest({ event_id, user_id: user.id })
    await sql`update guests set ended_at = now() - interval '25 hours' where user_id = ${user.id}`.execute(app.db)
    await eraseAddedPersons(app.db)
    const { rows } = await sql<{
      due: boolean
    }>`select erase_at <= now() as due from users where id = ${user.id}`.execute(app.db)
    expect(rows).toEqual([{ due: true }])
  })
})

const joinAs = async (event_id: number, user_first_name: string) => {
  const { link_code: code } = await olivia.api.links.makeLink({ event_id })
  const { user, token } = await app.as().links.joinByLink({ code, user_first_name })
  return { id: user.id, api: app.as(token), code }
}
const returnsOf = async (event_id: number) => (await olivia.api.returns.listReturns({ event_id, ...paged })).data
const secret = (letter: string) => letter.repeat(43)

describe('“Is that you?”', () => {
  test('of who joins by that name: an organizer lets them in as the person, who is at home from then on', async () => {
    const event_id = await hold()
    const { user } = await addAunt(event_id)
    const { link_code: code } = await olivia.api.links.makeLink({ event_id })
    const introduced = { code, user_first_name: 'Erna', user_last_name: 'Schmidt', device_id: 'phone' }
    expect((await app.as().returns.findNamesake(introduced)).namesake).toBe(true)
    const return_code = secret('q')
    await app.as().returns.askToReturn({ ...introduced, return_code, user_device_platform: 'ios' })
    const [request] = await returnsOf(event_id)
    expect(request).toMatchObject({ asked_by: null, candidates: [{ user: { id: user.id } }] })
    await olivia.api.returns.approveReturn({ return_id: request?.id ?? 0, user_id: user.id })
    const device = { device_id: 'phone', user_timezone: 'UTC', user_device_platform: 'ios' }
    const came = await app.as().transfers.takeTransfer({ transfer_code: return_code, ...device })
    expect(came.user.id).toBe(user.id)
    expect(await app.as(came.token).plans.readAnswer({ event_id })).toMatchObject({ answer_note: 'No fish' })
    expect(await rowOf(event_id, user)).toMatchObject({ person_added: false })
    // No organizer's session: it may do everything at once.
    await app.as(came.token).returns.keepOwnCode({})
  })

  test('of who has joined: they have the place and the answer, and there is one of them', async () => {
    const event_id = await hold({ event_places: 3 })
    const { user } = await addAunt(event_id)
    const erna = await joinAs(event_id, 'Erna')
    const own = await erna.api.plans.answerEvent({ event_id, event_answer: 'going' })
    expect(own.namesakes.map(({ id }) => id)).toEqual([user.id])
    expect((await gus.api.plans.readAnswer({ event_id })).namesakes).toEqual([])
    expect(await refusal(gus.api.returns.claimPerson({ event_id, user_id: user.id }))).toEqual(noSuchUser)
    const claim = () => erna.api.returns.claimPerson({ event_id, user_id: user.id })
    await Promise.all([claim(), claim()])
    const requests = await returnsOf(event_id)
    expect(requests).toMatchObject([{ asked_by: { id: erna.id }, candidates: [{ user: { id: user.id } }] }])
    await olivia.api.returns.approveReturn({ return_id: requests[0]?.id ?? 0, user_id: user.id })
    await claim()
    expect(await rowOf(event_id, erna)).toMatchObject({
      answer_place: 'in',
      plus_ones: 1,
      answer_note: 'No fish',
      event_answer: 'going',
    })
    expect(await rowOf(event_id, user)).toBeUndefined()
    expect(await erna.api.plans.readAnswer({ event_id })).toMatchObject({ going_count: 2, namesakes: [] })
    expect((await olivia.api.events.readEvent({ event_id })).event_guests_count).toBe(3)
    expect(await acts(event_id)).toContainEqual(['guest.claimed', erna.id, null])
  })

  test('of two is answered for one of them, and loses nothing of the other', async () => {
    const event_id = await hold()
    const { user } = await addAunt(event_id)
    const [one, other] = [await joinAs(event_id, 'Erna'), await joinAs(event_id, 'Erna')]
    for (const { api } of [one, other]) await api.returns.claimPerson({ event_id, user_id: user.id })
    await other.api.plans.answerEvent({ event_id, event_answer: 'maybe', answer_note: 'Mine' })
    const requests = await returnsOf(event_id)
    const answers = await Promise.allSettled(
      requests.map(({ id: return_id }) => olivia.api.returns.approveReturn({ return_id, user_id: user.id })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = requests.find((_, at) => answers[at]?.status === 'rejected')
    expect(await refusal(olivia.api.returns.approveReturn({ return_id: lost?.id ?? 0, user_id: user.id }))).toEqual(
      says('Somebody else has come as this person already'),
    )
    expect((await rowOf(event_id, other))?.answer_note).toBe('Mine')
    expect(await returnsOf(event_id)).toEqual([])
  })
})

describe('somebody moved up the line', () => {
  const full = async () => {
    const event_id = await hold({ event_places: 1 }, [gus, asha, sam])
    for (const { api } of [gus, asha, sam]) await api.plans.answerEvent({ event_id, event_answer: 'going' })
    return event_id
  }
  const up = (event_id: number, { id: user_id }: { id: number }, move_reason = 'Drives the bus') =>
    olivia.api.plans.moveUp({ event_id, user_id, move_reason })

  test('is first, for a reason that stands in the log, once', async () => {
    const event_id = await full()
    expect(await up(event_id, sam)).toMatchObject({ line_before: 0, line_count: 2 })
    await up(event_id, sam)
    expect((await asha.api.plans.readAnswer({ event_id })).line_before).toBe(1)
    expect((await acts(event_id)).filter(([act]) => act === 'guest.moved_up')).toEqual([
      ['guest.moved_up', sam.id, 'Drives the bus'],
    ])
    await gus.api.plans.answerEvent({ event_id, event_answer: 'no' })
    expect((await sam.api.plans.readAnswer({ event_id })).answer_place).toBe('in')
  })

  test('is refused of who has a place or is not there, to guests, and without a reason', async () => {
    const event_id = await full()
    expect(await refusal(up(event_id, gus))).toEqual(says('The user is not waiting for a place'))
    expect(await refusal(up(event_id, { id: 999_999 }))).toEqual(noSuchUser)
    expect(await refusal(up(event_id, sam, ''))).toEqual(invalid('move_reason', 'The move reason field is required.'))
    expect(await refusal(gus.api.plans.moveUp({ event_id, user_id: sam.id, move_reason: 'Me' }))).toEqual(
      says('The user is not an organizer of the event'),
    )
    expect((await sam.api.plans.readAnswer({ event_id })).line_before).toBe(1)
  })

  test('while a place becomes free leaves one person in it', async () => {
    for (let time = 0; time < 5; time += 1) {
      const event_id = await full()
      await Promise.allSettled([up(event_id, sam), gus.api.plans.answerEvent({ event_id, event_answer: 'no' })])
      expect(await placesOf(event_id)).toBe(1)
      const places = (await listed(event_id)).map(({ user, answer_place }) => [user.id, answer_place])
      const waiting = places.filter(([, place]) => place === 'line')
      expect(waiting).toHaveLength(1)
    }
  })
})

test('two hundred answers by guests and organizers at once around the last places fill exactly those', {
  timeout: 120_000,
}, async () => {
  const event_id = await hold({ event_places: 7 }, [gus, asha, sam])
  await olivia.api.events.makeOrganizer({ event_id, user_id: sam.id })
  const people = await Promise.all(
    Array.from({ length: 10 }, (_, at) => olivia.api.plans.addPerson({ event_id, user_first_name: `Guest ${at}` })),
  )
  const whom = [gus.id, asha.id, ...people.map(({ user }) => user.id)]
  const words = ['going', 'going', 'no', 'maybe'] as const
  const answers = Array.from({ length: 200 }, (_, at) => {
    const event_answer = words[at % words.length] as Said
    const user_id = whom[at % whom.length] as number
    const by = at % 3 === 0 && user_id === gus.id ? gus : at % 2 === 0 ? olivia : sam
    return by.api.plans.answerEvent({ event_id, user_id, event_answer, plus_ones: at % 3 })
  })
  const told = await Promise.allSettled(answers)
  for (const each of told) if (each.status === 'rejected') expect(each.reason).toMatchObject({ status: 400 })
  await quiet()
  const rows = await listed(event_id)
  const taken = await placesOf(event_id)
  expect(taken).toBeLessThanOrEqual(7)
  const free = 7 - taken
  for (const row of rows.filter(({ answer_place }) => answer_place === 'line'))
    expect(1 + row.plus_ones).toBeGreaterThan(free)
  const { going_count, line_count, maybe_count, no_count } = await gus.api.plans.readAnswer({ event_id })
  const size = (place: string) =>
    rows.filter(row => row.answer_place === place).reduce((sum, row) => sum + 1 + row.plus_ones, 0)
  const count = (said: Said) => rows.filter(row => row.event_answer === said).length
  expect({ going_count, line_count, maybe_count, no_count }).toEqual({
    going_count: size('in'),
    line_count: size('line'),
    maybe_count: count('maybe'),
    no_count: count('no'),
  })
})

describe('a list of guests that is hidden', () => {
  test('shows a guest the organizers and themselves, and nobody who comes', async () => {
    const event_id = await hold({ event_guests_hidden: true }, [gus, asha])
    const idsFor = async ({ api }: Member) =>
      (await api.events.listGuests({ event_id, ...paged })).data.map(({ user }) => user.id).sort((a, b) => a - b)
    const all = [olivia.id, gus.id, asha.id].sort((a, b) => a - b)
    expect(await idsFor(olivia)).toEqual(all)
    expect(await idsFor(gus)).toEqual([olivia.id, gus.id].sort((a, b) => a - b))
    expect((await gus.extra.events.readEvent({ event_id })).extra.guests_hidden).toBe(true)
    await olivia.api.events.saveEvent({ event_id, event_guests_hidden: false })
    expect(await idsFor(gus)).toEqual(all)
  })

  test('names no guest to a guest as a reader, neither in a reply nor on the channel', async () => {
    const event_id = await hold({ event_guests_hidden: true }, [gus, asha])
    const { group_chat_id } = await olivia.api.events.readEvent({ event_id })
    const [hearsOlivia, hearsGus] = [await listen(app, olivia), await listen(app, gus)]
    const message_id = Number((await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Hello' })).id)
    await asha.api.chats.markSeen({ message_id })
    await hearsOlivia.next('message.seen', ({ user }) => user.id === asha.id)
    await olivia.api.chats.reactToMessage({ message_id, message_reaction: '🎉' })
    const ids = (seens: readonly { user: { id: number } }[] = []) => seens.map(({ user }) => user.id)
    const readersFor = async ({ api }: Member, hears: typeof hearsGus) => [
      ids((await hears.next('message.reacted', message => message.id === String(message_id))).seens),
      ids((await api.chats.listMessages({ group_chat_id, ...paged })).data[0]?.seens),
      ids((await api.chats.readChat({ group_chat_id })).latest_message?.seens),
      ids((await api.chats.listChats(paged)).data.find(({ id }) => id === group_chat_id)?.latest_message?.seens),
      (await api.chats.listSeen({ message_id, ...paged })).data.map(({ id }) => id),
    ]
    expect(await readersFor(olivia, hearsOlivia)).toEqual(Array(5).fill([asha.id]))
    expect(await readersFor(gus, hearsGus)).toEqual(Array(5).fill([]))
    expect(hearsGus.of('message.seen')).toEqual([])
  })

  test('tells guests how many there are as they come and go, and organizers who', async () => {
    const event_id = await hold({ event_guests_hidden: true })
    const [hearsOlivia, hearsGus] = [await listen(app, olivia), await listen(app, gus)]
    await bringIn(olivia, event_id, asha)
    await olivia.api.events.removeGuest({ event_id, user_id: asha.id })
    await hearsOlivia.next('guest.left', ({ user_id }) => user_id === asha.id)
    await hearsGus.next('guests.counted', ({ removed }) => removed)
    expect(hearsGus.of('guests.counted')).toEqual([
      { event_id, event_guests_count: 3, removed: false },
      { event_id, event_guests_count: 2, removed: true },
    ])
    expect([...hearsGus.of('guest.joined'), ...hearsGus.of('guest.left')]).toEqual([])
    expect(hearsOlivia.of('guests.counted')).toEqual([])
  })
})

describe('an account in its days of deletion', () => {
  test('has no seat, and goes to the line when it comes back', async () => {
    const leaver = await enter(app, 'sam')
    const event_id = await hold({ event_places: 1 }, [gus, leaver])
    await leaver.api.plans.answerEvent({ event_id, event_answer: 'going', answer_note: 'Mine' })
    expect(await gus.api.plans.answerEvent({ event_id, event_answer: 'going' })).toMatchObject({ answer_place: 'line' })
    await leaver.api.privacy.deleteAccount({ user_password: leaver.password })
    expect(await gus.api.plans.readAnswer({ event_id })).toMatchObject({ answer_place: 'in', going_count: 1 })
    const { token } = await app.as().accounts.authenticate({
      user_login_option_type: 1,
      user_login_id: leaver.email,
      user_password: leaver.password,
      device_id: 'again',
      user_timezone: 'UTC',
      user_device_platform: 'web',
    })
    expect(await app.as(token).plans.readAnswer({ event_id })).toMatchObject({
      event_answer: 'going',
      answer_place: 'line',
      answer_note: 'Mine',
      line_count: 1,
    })
    await gus.api.plans.answerEvent({ event_id, event_answer: 'no' })
    expect(await app.as(token).plans.readAnswer({ event_id })).toMatchObject({ answer_place: 'in' })
  })
})

describe('who came only to add photos', () => {
  test('reads and answers the comments on their own, and on no other', async () => {
    const event_id = await hold()
    const { link_code: code } = await olivia.api.links.makeLink({ event_id, kind: 'drop' })
    const { token } = await app.as().links.joinByLink({ code, user_first_name: 'Dropper' })
    const { gallery } = app.as(token)
    const picture = async () => new Blob([await png({ width: 30, height: 20 })])
    const own = Number((await gallery.uploadPhoto({ event_id, image: await picture() })).id)
    const theirs = Number(
      (await gus.api.gallery.uploadPhoto({ event_id, image: new Blob([await png({ width: 31, height: 20 })]) })).id,
    )
    const asked = await gus.api.gallery.saveComment({ event_photo_id: own, event_photo_comment: 'Where was that?' })
    const on = (event_photo_id: number) => ({ event_photo_id, ...paged })
    expect((await gallery.listComments(on(own))).data.map(({ id }) => id)).toEqual([asked.id])
    const answered = await gallery.saveComment({
      event_photo_id: own,
      event_photo_comment_reply_id: asked.id,
      event_photo_comment: 'At the lake',
    })
    await gallery.saveComment({ event_photo_id: own, event_photo_comment: 'And another' })
    await gus.api.gallery.likePhoto({ event_photo_id: own })
    expect((await gallery.listLikes(on(own))).data.map(({ id }) => id)).toEqual([gus.id])
    expect(await refusal(gallery.listLikes(on(theirs)))).toMatchObject({ status: 400 })
    expect((await gus.api.gallery.listReplies({ event_photo_comment_id: asked.id, ...paged })).data).toMatchObject([
      { id: answered.id },
    ])
    expect(await refusal(gallery.listComments(on(theirs)))).toMatchObject({ status: 400 })
    expect(await refusal(gallery.saveComment({ event_photo_id: theirs, event_photo_comment: 'Hi' }))).toMatchObject({
      status: 400,
    })
  })
})

test('counts of answers and votes agree with their lists after leaving, removal, deletion, erasure and return', async () => {
  const people = await Promise.all((['sam', 'sam', 'sam', 'sam'] as const).map(name => enter(app, name)))
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_places: 9 }))
  const asked = { group_chat_id, message_content: 'Where?', poll_choices: ['Here', 'There'] }
  const message_id = Number((await olivia.api.polls.makePoll(asked)).id)
  for (const person of people) {
    await bringIn(olivia, event_id, person)
    await person.api.plans.answerEvent({ event_id, event_answer: 'going', plus_ones: 1 })
    await person.api.polls.vote({ message_id, poll_choice_ids: [1] })
  }
  const [leaver, removed, deleter, erased] = people as [Member, Member, Member, Member]
  const agree = async (comes: number, voters: number) => {
    const { going_count } = await olivia.api.plans.readAnswer({ event_id })
    const votes = await olivia.api.polls.listVoters({ message_id, poll_choice_id: 1, ...paged })
    const [poll] = (await olivia.extra.chats.listMessages({ group_chat_id, ...paged })).data
    expect([going_count, await placesOf(event_id)]).toEqual([comes, comes])
    expect([poll?.extra.card?.poll?.poll_choices[0]?.votes_count, votes.data.length]).toEqual([voters, voters])
  }
  await agree(8, 4)
  await leaver.api.events.leaveEvent({ event_id })
  await agree(6, 4)
  await olivia.api.events.removeGuest({ event_id, user_id: removed.id })
  await agree(4, 3)
  await olivia.api.events.bringGuestBack({ event_id, user_id: removed.id })
  await agree(6, 4)
  for (const { api, password } of [deleter, erased]) await api.privacy.deleteAccount({ user_password: password })
  await agree(2, 4)
  await sql`update users set erase_at = now() where id = ${erased.id}`.execute(app.db)
  await eraseDue(app)
  await agree(2, 3)
  const device = { device_id: 'again', user_timezone: 'UTC', user_device_platform: 'web' }
  const by = { user_login_option_type: 1, user_login_id: deleter.email, user_password: deleter.password } as const
  await app.as().accounts.authenticate({ ...by, ...device })
  await agree(4, 3)
})

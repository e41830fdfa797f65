import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { enter, type Member } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { wrongEvents } from '../../test/event-state.ts'
import { openNotifiedApp } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { invalid, notFound, refusal, says } from '../../test/refused.ts'
import { wrongCounts } from '../invariants/wrong-counts.ts'
import { transact } from '../platform/database/database.ts'
import { addJob } from '../platform/jobs/jobs.ts'

const { app, unread, quiet } = await openNotifiedApp()
const [olivia, gus, asha, sam] = [
  await enter(app, 'olivia'),
  await enter(app, 'gus'),
  await enter(app, 'asha'),
  await enter(app, 'sam'),
]
const paged = { page: 1, page_length: 50 }

const hold = async (fields: Record<string, unknown> = {}, guests: readonly Member[] = [gus]) => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening(fields))
  for (const guest of guests) await bringIn(olivia, event_id, guest)
  return event_id
}
const say = (member: Member, event_id: number, event_answer: 'going' | 'maybe' | 'no', more = {}) =>
  member.api.plans.answerEvent({ event_id, event_answer, ...more })
const list = async (event_id: number) =>
  (await olivia.api.plans.listAnswers({ event_id, ...paged })).data.map(({ user, event_answer, answer_place }) => [
    user.id,
    event_answer,
    answer_place,
  ])

describe('an answer', () => {
  test('says who comes with whom, and replaces the one before', async () => {
    const event_id = await hold()
    expect(await gus.api.plans.readAnswer({ event_id })).toMatchObject({ event_answer: null, unanswered_count: 1 })
    await say(gus, event_id, 'going', { plus_ones: 2, answer_note: 'No nuts, please' })
    expect(await gus.api.plans.readAnswer({ event_id })).toMatchObject({
      event_answer: 'going',
      plus_ones: 2,
      answer_note: 'No nuts, please',
      answer_place: 'in',
      going_count: 3,
      unanswered_count: 0,
    })
    const named = await say(gus, event_id, 'going', { plus_names: 'Ana, Bo & Cy' })
    expect(named).toMatchObject({ plus_ones: 2, plus_names: 'Ana, Bo & Cy', answer_note: null, going_count: 3 })
    expect(await say(gus, event_id, 'going', { plus_names: 'Ana\nBo \u202e& Cy' })).toMatchObject({
      plus_ones: 2,
      plus_names: 'Ana, Bo & Cy',
    })
    expect(await say(gus, event_id, 'no')).toMatchObject({
      event_answer: 'no',
      plus_ones: 2,
      answer_place: null,
      going_count: 0,
      no_count: 1,
    })
  })

  test('is the way in by a link, without anything but a name', async () => {
    const event_id = await hold({ event_visibility: 3, event_join_mode: 3 }, [])
    const { link_code: code } = await olivia.api.links.makeLink({ event_id })
    const { token } = await app.as().links.joinByLink({
      code,
      user_first_name: 'Anna',
      event_answer: 'maybe',
      plus_ones: 1,
      answer_note: 'By train',
    })
    expect(await app.as(token).plans.readAnswer({ event_id })).toMatchObject({ event_answer: 'maybe', plus_ones: 1 })
    await gus.api.links.joinByLink({ code, event_answer: 'going' })
    await gus.api.links.joinByLink({ code, event_answer: 'no' })
    expect(await gus.api.plans.readAnswer({ event_id })).toMatchObject({ event_answer: 'no', maybe_count: 1 })
    const refused = await refusal(
      app
        .as()
        .links.joinByLink({ code, user_first_name: 'Bo', event_answer: 'going', answer_note: 'x'.repeat(10_000) }),
    )
    expect(refused).toEqual(invalid('answer_note', 'The answer note field must not be greater than 500 characters.'))
    expect((await olivia.api.events.readEvent({ event_id })).event_guests_count).toBe(3)
  })

  test('is refused to a cancelled event, a deleted one and one that somebody is not in', async () => {
    const event_id = await hold()
    expect(await refusal(say(sam, event_id, 'going'))).toEqual(
      says('The user is neither a guest nor an organizer of the event'),
    )
    await olivia.api.events.cancelEvent({ event_id })
    expect(await refusal(say(gus, event_id, 'going'))).toEqual(says('The event has been cancelled'))
    await olivia.api.events.deleteEvent({ event_id })
    expect(await refusal(say(gus, event_id, 'going'))).toEqual(notFound('Event not found!'))
  })

  test('is refused after the end, also to who joins by a link then; without an answer they come in', async () => {
    const event_id = await hold()
    const { link_code } = await olivia.api.links.makeLink({ event_id })
    await sql`update events set starts_at = now() - interval '26 hours' where id = ${event_id}`.execute(app.db)
    const over = says('The event is over')
    expect(await refusal(say(gus, event_id, 'going'))).toEqual(over)
    expect(await refusal(sam.api.links.joinByLink({ code: link_code, event_answer: 'going' }))).toEqual(over)
    expect((await sam.api.events.readEvent({ event_id })).event_role).toBe('none')
    await sam.api.links.joinByLink({ code: link_code })
    expect((await sam.api.events.readEvent({ event_id })).event_role).toBe('guest')
  })

  test('of too many letters, too many people or no known word is refused with a clear sentence', async () => {
    const event_id = await hold()
    expect(await refusal(say(gus, event_id, 'going', { answer_note: 'x'.repeat(10_000) }))).toEqual(
      invalid('answer_note', 'The answer note field must not be greater than 500 characters.'),
    )
    expect(await refusal(say(gus, event_id, 'going', { plus_ones: 21 }))).toEqual(
      invalid('plus_ones', 'The plus ones field must not be greater than 20.'),
    )
    expect(await refusal(say(gus, event_id, 'going', { plus_names: Array(30).fill('A').join(',') }))).toEqual(
      invalid('plus_names', 'The plus names field must not have more than 20 items.'),
    )
    expect(await refusal(say(gus, event_id, 'yes' as 'going'))).toEqual(
      invalid('event_answer', 'The selected event answer is invalid.'),
    )
    expect(await list(event_id)).toContainEqual([gus.id, null, null])
  })

  test('of an event that does not exist is none', async () => {
    const event_id = 999_999
    for (const ask of [
      () => say(gus, event_id, 'going'),
      () => gus.api.plans.readAnswer({ event_id }),
      () => gus.api.plans.listAnswers({ event_id, ...paged }),
      () => gus.api.plans.exportAnswers({ event_id }),
    ])
      expect(await refusal(ask())).toEqual(notFound('Event not found!'))
  })

  test('is told to the organizers and to the person it is of, and to nobody else', async () => {
    const event_id = await hold({}, [gus, asha])
    const [host, own, other] = await Promise.all([olivia, gus, asha].map(member => listen(app, member)))
    await say(gus, event_id, 'going')
    const told = { event_id, user_id: gus.id }
    expect(await host?.next('answer.updated')).toEqual(told)
    expect(await own?.next('answer.updated')).toEqual(told)
    await olivia.api.events.saveEvent(evening({ event_id, event_name: 'Another name' }))
    await other?.next('event.updated')
    expect(other?.kinds()).not.toContain('answer.updated')
    await olivia.api.events.cancelEvent({ event_id })
    await host?.next('event.cancelled')
  })

  test('is one for a repeated key', async () => {
    const event_id = await hold()
    const key = { idempotencyKey: 'answered once' }
    const asked = { event_id, event_answer: 'going', answer_note: 'Once' } as const
    expect(await gus.api.plans.answerEvent(asked, key)).toEqual(await gus.api.plans.answerEvent(asked, key))
  })
})

describe('the list for organizers', () => {
  test('is a table in which no cell is a formula', async () => {
    const event_id = await hold({ event_name: 'Summer: "the" night' }, [gus, asha])
    const words = { plus_names: '=HYPERLINK("http://evil.example")', answer_note: '+49 30 123, "quoted"' }
    await say(gus, event_id, 'going', words)
    const { csv_text } = await olivia.api.plans.exportAnswers({ event_id })
    const lines = csv_text.replace('\ufeff', '').split('\r\n')
    expect(lines[0]).toBe('Name,Answer,Plus-ones,Bringing,Note,Answered at')
    expect(lines[1]).toContain(`Gus Grant,Coming,1,"'=HYPERLINK(""http://evil.example"")","'+49 30 123, ""quoted""",20`)
    expect(csv_text).toContain('Asha Adeyemi,No answer,,,,')
    expect(await refusal(gus.api.plans.exportAnswers({ event_id }))).toEqual(
      says('The user is not an organizer of the event'),
    )
  })
})

describe('the line for places', () => {
  const full = async () => {
    const event_id = await hold({ event_places: 3 }, [gus, asha, sam])
    await say(gus, event_id, 'going', { plus_ones: 1 })
    expect(await say(asha, event_id, 'going', { plus_ones: 1 })).toMatchObject({
      answer_place: 'line',
      line_before: 0,
      line_count: 2,
      event_places: 3,
      going_count: 2,
    })
    return event_id
  }

  test('moves up by itself when somebody declines, tells who got a place, and lets them say no', async () => {
    const event_id = await full()
    await quiet()
    await say(gus, event_id, 'no')
    await quiet()
    expect(await asha.api.plans.readAnswer({ event_id })).toMatchObject({ answer_place: 'in', line_before: null })
    expect((await unread(asha)).map(([kind]) => kind)).toContain('place_given')
    expect(await say(sam, event_id, 'going', { plus_ones: 1 })).toMatchObject({ answer_place: 'line' })
    await say(asha, event_id, 'no')
    expect(await sam.api.plans.readAnswer({ event_id })).toMatchObject({ answer_place: 'in', going_count: 2 })
  })

  test('moves up when somebody leaves, is removed, brings fewer, or more places are there', async () => {
    const left = await full()
    await gus.api.events.leaveEvent({ event_id: left })
    expect(await asha.api.plans.readAnswer({ event_id: left })).toMatchObject({ answer_place: 'in', going_count: 2 })
    const removed = await full()
    await olivia.api.events.removeGuest({ event_id: removed, user_id: gus.id })
    expect(await asha.api.plans.readAnswer({ event_id: removed })).toMatchObject({ answer_place: 'in' })
    const fewer = await full()
    await say(gus, fewer, 'going')
    expect(await asha.api.plans.readAnswer({ event_id: fewer })).toMatchObject({ answer_place: 'in', going_count: 3 })
    const more = await full()
    await olivia.api.events.saveEvent(evening({ event_id: more, event_places: 4 }))
    expect(await asha.api.plans.readAnswer({ event_id: more })).toMatchObject({ answer_place: 'in', event_places: 4 })
    const all = await full()
    await olivia.api.events.saveEvent(evening({ event_id: all, event_places: 0 }))
    expect(await asha.api.plans.readAnswer({ event_id: all })).toMatchObject({ answer_place: 'in', event_places: null })
  })

  test('gives names of one link, however many, a third for those whom they bring, and the rest to people', async () => {
    const event_id = await hold({ event_places: 12 })
    const { link_code: code } = await olivia.api.links.makeLink({ event_id })
    const come = async (user_first_name: string, plus_ones: number) => {
      const device = { device_id: user_first_name, user_timezone: 'UTC', user_device_platform: 'web' }
      await app.as().links.joinByLink({ code, user_first_name, event_answer: 'going', plus_ones, ...device })
    }
    await come('One', 3)
    expect(await refusal(come('Two', 2))).toEqual(
      invalid('plus_ones', 'The plus ones field must not be greater than 1.'),
    )
    await come('Three', 1)
    expect(await say(gus, event_id, 'going', { plus_ones: 5 })).toMatchObject({ answer_place: 'in', going_count: 12 })
  })

  test('lets nobody bring more than there is room for, and no organizer take away places that are taken', async () => {
    const event_id = await full()
    expect(await refusal(say(gus, event_id, 'going', { plus_ones: 5 }))).toEqual(
      invalid('plus_ones', 'The plus ones field must not be greater than 2.'),
    )
    expect(await refusal(olivia.api.events.saveEvent(evening({ event_id, event_places: 1 })))).toEqual(
      invalid('event_places', 'The event places field must be at least 2.'),
    )
    expect((await olivia.extra.events.readEvent({ event_id })).extra.event_places).toBe(3)
    await olivia.api.events.saveEvent(evening({ event_id, event_name: 'Places stay' }))
    expect((await olivia.extra.events.readEvent({ event_id })).extra.event_places).toBe(3)
  })
})

test('who has not answered is asked once for a start, three days before, where others have', async () => {
  const soon = new Date(Date.now() + 2 * 86_400_000).toISOString()
  const event_id = await hold({ event_starts_at: soon }, [gus, asha])
  const other = await hold({ event_starts_at: soon }, [asha])
  await say(gus, event_id, 'going')
  await sql`update guests set joined_at = now() - interval '2 days' where event_id in (${event_id}, ${other})`.execute(
    app.db,
  )
  for (const one of [olivia, gus, asha]) await one.api.notifications.readAllNotifications()
  for (const _ of [1, 2]) {
    await transact(app.db, tx => addJob(tx, 'askForAnswers', {}))
    await quiet()
  }
  const asked = async (member: Member) =>
    (await member.api.notifications.listNotifications(paged)).data
      .filter(({ notification_kind, read }) => notification_kind === 'answer_wanted' && !read)
      .map(each => each.event_id)
  expect([await asked(olivia), await asked(gus), await asked(asha)]).toEqual([[], [], [event_id]])
})

test('an organizer reminds everybody who has not answered, newcomers as well, at most once a day', async () => {
  const event_id = await hold({}, [gus, asha])
  await say(gus, event_id, 'maybe')
  for (const one of [gus, asha]) await one.api.notifications.readAllNotifications()
  const remind = () => olivia.api.plans.remindGuests({ event_id })
  expect(await remind()).toEqual({ reminded_count: 1 })
  await quiet()
  const asked = async (member: Member) =>
    (await member.api.notifications.listNotifications(paged)).data.filter(
      one => one.notification_kind === 'answer_wanted' && one.event_id === event_id && !one.read,
    ).length
  expect([await asked(olivia), await asked(gus), await asked(asha)]).toEqual([0, 0, 1])
  const lately = { status: 400, body: { error_message: 'The guests were reminded within the last day' } }
  await expect(remind()).rejects.toMatchObject(lately)
  await sql`update event_plans set reminded_at = now() - interval '25 hours' where event_id = ${event_id}`.execute(
    app.db,
  )
  expect(await remind()).toEqual({ reminded_count: 1 })
  await say(asha, event_id, 'no')
  expect(await remind()).toEqual({ reminded_count: 0 })
})

test('an answer is asked for anew after the event has moved to another day, until it is given again', async () => {
  const starts = '2030-07-01T20:00:00+02:00'
  const event_id = await hold({ event_starts_at: starts, event_timezone: 'Europe/Berlin' }, [gus, asha])
  await say(gus, event_id, 'going', { plus_ones: 1 })
  const move = (event_starts_at: string) => olivia.api.events.saveEvent({ event_id, event_starts_at })
  const asked = async () => {
    const own = await gus.api.plans.readAnswer({ event_id })
    return [own.answered_for, own.unanswered_count, own.unconfirmed_count]
  }
  await move('2030-07-01T23:30:00+02:00')
  expect(await asked()).toEqual([null, 1, 0])
  await move('2030-07-02T00:30:00+02:00')
  expect(await asked()).toEqual([new Date(starts).toISOString(), 1, 1])
  expect(await gus.api.plans.readAnswer({ event_id })).toMatchObject({ event_answer: 'going', going_count: 2 })
  const rows = (await olivia.api.plans.listAnswers({ event_id, ...paged })).data
  expect(rows.filter(({ answered_for }) => answered_for !== null).map(({ user }) => user.id)).toEqual([gus.id])
  expect(await olivia.api.plans.remindGuests({ event_id })).toEqual({ reminded_count: 2 })
  await move(starts)
  expect(await asked()).toEqual([null, 1, 0])
  await move('2030-07-03T20:00:00+02:00')
  await say(gus, event_id, 'going', { plus_ones: 1 })
  expect(await asked()).toEqual([null, 1, 0])
})

test('nobody is reminded by a guest, of an event that is over, cancelled or deleted', async () => {
  const event_id = await hold()
  const remind = (by: Member) => refusal(by.api.plans.remindGuests({ event_id }))
  expect(await remind(gus)).toEqual(says('The user is not an organizer of the event'))
  const starts = (at: string) =>
    sql`update events set starts_at = ${sql.lit(at)}::timestamptz where id = ${event_id}`.execute(app.db)
  await starts('2026-01-01')
  expect(await remind(olivia)).toEqual(says('The event is over'))
  await starts('2099-01-01')
  await olivia.api.events.cancelEvent({ event_id })
  expect(await remind(olivia)).toEqual(says('The event has been cancelled'))
  await olivia.api.events.deleteEvent({ event_id })
  expect(await remind(olivia)).toEqual(notFound('Event not found!'))
})

test('what is stored of places and answers stays right', async () => {
  expect(await wrongCounts(app.db)).toEqual([])
  expect(await wrongEvents(app.db)).toEqual([])
})

test('a guest from before there were answers counts as going', async () => {
  const event_id = await hold({}, [gus, asha])
  await asha.api.events.leaveEvent({ event_id })
  await sql`delete from answers`.execute(app.db)
  const migration = await readFile(join(import.meta.dirname, '../../migrations/0117_answers.sql'), 'utf8')
  await sql.raw(/^insert into answers.*?;/ms.exec(migration)?.[0] as string).execute(app.db)
  expect(await gus.api.plans.readAnswer({ event_id })).toMatchObject({ event_answer: 'going', going_count: 2 })
})

import { photographerPhotosMax } from '@afterglow/contract/limits'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { listen } from '../../../test/channel.ts'
import { wrongEvents } from '../../../test/event-state.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { anew, png } from '../../../test/pictures.ts'
import { notFound, refusal, says } from '../../../test/refused.ts'
import { galleryRecounts } from '../../gallery/recounts-store.ts'

const app = await openTestApp()
const [olivia, asha, gus, sam] = await Promise.all([
  enter(app, 'olivia'),
  enter(app, 'asha'),
  enter(app, 'gus'),
  enter(app, 'sam'),
])
const paged = { page: 1, page_length: 100 }
const people = (count: number) => Array.from({ length: count }, (_, n) => n)

/** An event with a second organizer and a guest who came otherwise, and a link. */
const hold = async () => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, asha)
  await bringIn(olivia, event_id, gus)
  await olivia.api.events.makeOrganizer({ event_id, user_id: asha.id })
  const { id: link_id, link_code: code } = await olivia.api.links.makeLink({ event_id })
  const come = async (name: string) => (await app.as().links.joinByLink({ code, user_first_name: name })).user.id
  const inside = async () =>
    (await olivia.api.events.listGuests({ event_id, ...paged })).data.map(({ user }) => user.id).sort((a, b) => a - b)
  const status = async () => (await olivia.api.links.listLinks({ event_id, ...paged })).data[0]?.link_status
  const log = async () => (await olivia.api.events.listAudit({ event_id, ...paged })).data.map(each => each.audit_act)
  return { event_id, link_id, code, come, inside, status, log }
}
const linkPaused = says(
  'Unusually many people have joined by the link, so it is paused until an organizer opens it again',
)

test('an organizer closes a link and sends away who came by it since a moment; another brings them back', async () => {
  const { event_id, link_id, code, come, inside, status, log } = await hold()
  const early = await come('Early')
  await olivia.api.links.joinByLink({ code })
  await sam.api.links.joinByLink({ code })
  await olivia.api.events.makeOrganizer({ event_id, user_id: sam.id })
  const since = new Date().toISOString()
  const bots = await Promise.all(people(12).map(n => come(`Bot ${n}`)))
  const channel = await listen(app, gus)
  const away = await olivia.api.links.sendAwayByLink({ link_id, since })
  expect(away).toMatchObject({ event_id, link_id, away_people_count: 12, away_undone: false, away_since: since })
  const others = [olivia, asha, gus, sam].map(({ id }) => id)
  expect(await inside()).toEqual([...others, early].sort((a, b) => a - b))
  expect(await status()).toBe('revoked')
  expect(await refusal(come('Another'))).toEqual(notFound('Link not found!'))
  // Everybody is told once, and not of each.
  await channel.next('event.updated', ({ event_guests_count }) => event_guests_count === 5)
  expect(channel.of('guest.left')).toEqual([])
  expect((await asha.api.links.listSentAway({ event_id, ...paged })).data).toEqual([away])

  expect(await asha.api.links.undoSentAway({ away_id: away.id })).toEqual({ done: true })
  expect(await inside()).toEqual([...others, early, ...bots].sort((a, b) => a - b))
  expect(await status()).toBe('open')
  await come('Another')
  expect((await log()).filter(act => act.startsWith('link.'))).toEqual([
    'link.brought_back',
    'link.sent_away',
    'link.made',
  ])
  expect(await wrongEvents(app.db)).toEqual([])
})

test('a guest who is sent away may do nothing more, and their pictures end as those of one who is removed', async () => {
  const { event_id, link_id, code } = await hold()
  const { token } = await app.as().links.joinByLink({ code, user_first_name: 'Bot' })
  const bot = app.as(token)
  const chat = (await olivia.api.events.readEvent({ event_id })).group_chat_id
  await bot.chats.saveMessage({ group_chat_id: chat, message_content: 'Buy' })
  await olivia.api.links.sendAwayByLink({ link_id })
  const outside = says('The user is neither a guest nor an organizer of the event')
  expect(await refusal(bot.chats.saveMessage({ group_chat_id: chat, message_content: 'Buy' }))).toEqual(outside)
  const again = await olivia.api.links.makeLink({ event_id })
  expect((await refusal(bot.links.joinByLink({ code: again.link_code }))).status).toBe(400)
})

test('sending away twice, and by two organizers at once, is one act that is undone as one', async () => {
  const { event_id, link_id, come, inside, status } = await hold()
  const before = await inside()
  const first = await come('First')
  const since = new Date().toISOString()
  const bots = await Promise.all(people(5).map(n => come(`Bot ${n}`)))
  const both = await Promise.all([olivia, asha].map(({ api }) => api.links.sendAwayByLink({ link_id, since })))
  expect(new Set(both.map(({ id }) => id)).size).toBe(1)
  const again = await asha.api.links.sendAwayByLink({ link_id, since })
  expect(again).toMatchObject({ id: both[0]?.id, away_people_count: 5, away_since: since })
  expect(await olivia.api.links.sendAwayByLink({ link_id })).toMatchObject({ id: again.id, away_people_count: 6 })
  expect(await inside()).toEqual(before)
  for (const _ of people(2)) await asha.api.links.undoSentAway({ away_id: again.id })
  expect(await inside()).toEqual([...before, first, ...bots].sort((a, b) => a - b))
  expect(await status()).toBe('open')
  expect(await wrongEvents(app.db)).toEqual([])
  expect((await olivia.api.links.listSentAway({ event_id, ...paged })).data).toHaveLength(1)
})

test('a guest who is brought back has their answer, and their place in line', async () => {
  const { event_id, link_id, code } = await hold()
  await olivia.api.events.saveEvent(evening({ event_id, event_places: 3, event_album_for: 'coming' }))
  const come = async (user_first_name: string, event_answer: 'going' | 'maybe', plus_ones = 0) => {
    const asked = { code, user_first_name, event_answer, plus_ones, answer_note: `${user_first_name} eats no nuts` }
    const { user, token } = await app.as().links.joinByLink(asked)
    return { id: user.id, extra: app.withExtra(token) }
  }
  const pair = await come('Pair', 'going', 1)
  const single = await come('Single', 'going')
  const late = await come('Late', 'going')
  const unsure = await come('Unsure', 'maybe')
  const answers = async () =>
    (await olivia.api.plans.listAnswers({ event_id, ...paged })).data.filter(one => one.event_answer !== null)
  const before = await answers()
  expect(before.map(({ user, answer_place }) => [user.id, answer_place])).toEqual([
    [pair.id, 'in'],
    [single.id, 'in'],
    [late.id, 'line'],
    [unsure.id, null],
  ])
  const sendAway = async () => (await olivia.api.links.sendAwayByLink({ link_id })).id
  const first = await sendAway()
  expect(await answers()).toEqual([])
  await olivia.api.links.undoSentAway({ away_id: first })
  expect(await answers()).toEqual(before)
  expect((await unsure.extra.events.readEvent({ event_id })).extra?.may).toMatchObject({ album: false })

  const second = await sendAway()
  await gus.api.plans.answerEvent({ event_id, event_answer: 'going' })
  await olivia.api.links.undoSentAway({ away_id: second })
  const after = (await answers()).map(({ user, answer_place }) => [user.id, answer_place])
  expect(after.filter(([, place]) => place === 'in').map(([id]) => id)).toEqual([pair.id, gus.id])
  expect(after.filter(([, place]) => place === 'line').map(([id]) => id)).toEqual([single.id, late.id])
  expect(await wrongEvents(app.db)).toEqual([])
})

test('a person who adds photos by a link is sent away with it, is counted, and goes on adding once that is undone', async () => {
  const { event_id } = await hold()
  const image = new Blob([await png({ width: 24, height: 16 })])
  const { id: link_id, link_code: code } = await olivia.api.links.makeLink({
    event_id,
    kind: 'drop',
    photographer: true,
  })
  const { token, user } = await app.as().links.joinByLink({ code, user_first_name: 'Fabio' })
  const fabio = app.as(token)
  const own = await fabio.gallery.uploadPhoto({ event_id, image: await anew(image) })
  const away = await olivia.api.links.sendAwayByLink({ link_id, since: new Date().toISOString() })
  expect(away).toMatchObject({ away_people_count: 1 })
  expect(await olivia.api.links.sendAwayByLink({ link_id })).toMatchObject({ id: away.id, away_people_count: 1 })
  expect((await refusal(fabio.gallery.uploadPhoto({ event_id, image: await anew(image) }))).status).toBe(400)
  expect((await fetch(own.event_photo_preview_url)).status).toBe(404)
  await olivia.api.links.undoSentAway({ away_id: away.id })
  expect(await fabio.gallery.readAllowance({ event_id })).toMatchObject({ photos_max: photographerPhotosMax })
  await fabio.gallery.uploadPhoto({ event_id, image: await anew(image) })
  expect((await fabio.gallery.listPhotos({ event_id, taken_by: user.id, ...paged })).data).toHaveLength(2)
  expect((await refusal(fabio.gallery.listPhotos({ event_id, ...paged }))).status).toBe(400)
  expect(await olivia.api.events.readEvent({ event_id })).toMatchObject({ event_guests_count: 3 })
  expect(await wrongEvents(app.db)).toEqual([])
})

test('after an hour nothing is undone, and what is sent away then is another act', async () => {
  const { event_id, link_id, come, inside } = await hold()
  await come('Bot')
  const { id: away_id } = await olivia.api.links.sendAwayByLink({ link_id })
  const left = await inside()
  await sql`update links_sent_away set created_at = created_at - interval '61 minutes' where id = ${away_id}`.execute(
    app.db,
  )
  expect(await refusal(olivia.api.links.undoSentAway({ away_id }))).toEqual(says('This can only be undone for an hour'))
  expect(await inside()).toEqual(left)
  expect((await olivia.api.links.sendAwayByLink({ link_id })).id).not.toBe(away_id)
  expect(await refusal(gus.api.links.undoSentAway({ away_id }))).toEqual(
    says('The user is not an organizer of the event'),
  )
  expect(await refusal(olivia.api.links.undoSentAway({ away_id: 999_999 }))).toEqual(
    notFound('Nobody was sent away like this!'),
  )
  expect(await wrongEvents(app.db)).toEqual([])
  expect((await olivia.api.events.readEvent({ event_id })).event_guests_count).toBe(left.length)
})

test('a link pauses while two hundred join by it, tells the organizers, and is opened again by one tap', async () => {
  const { event_id, link_id, come, inside, status, log } = await hold()
  const before = await inside()
  await sql`update event_links set flow = 900 where id = ${link_id}`.execute(app.db)
  const joins = await Promise.allSettled(people(200).map(n => come(`Guest ${n}`)))
  expect(joins.filter(each => each.status === 'fulfilled')).toHaveLength(101)
  for (const each of joins)
    if (each.status === 'rejected') expect(await refusal(Promise.reject(each.reason))).toEqual(linkPaused)
  expect(await inside()).toHaveLength(Math.min(before.length + 101, 100))
  expect(await status()).toBe('paused')
  // The link still says what it leads to.
  for (const organizer of [olivia, asha])
    await vi.waitFor(async () => {
      const { data } = await organizer.api.notifications.listNotifications(paged)
      expect(data.filter(each => each.notification_kind === 'link_paused')).toHaveLength(1)
    })
  const { data: his } = await gus.api.notifications.listNotifications(paged)
  expect(his.map(each => each.notification_kind)).not.toContain('link_paused')

  for (const _ of people(2)) expect((await asha.api.links.reopenLink({ link_id })).link_status).toBe('open')
  await come('Guest')
  expect((await log()).filter(act => act === 'link.reopened')).toHaveLength(1)
  expect((await olivia.api.events.readEvent({ event_id })).event_guests_count).toBe(before.length + 102)
  expect(await wrongEvents(app.db)).toEqual([])
})

test('a link does not pause within its places, or five times the guests', async () => {
  const { link_id, come, status, event_id } = await hold()
  const flow = (uses_max: number | null, guests: number) =>
    sql`
    with link as (update event_links set flow = 1500, uses_max = ${uses_max}::int, paused_at = null where id = ${link_id})
    update events set guests_count = ${guests} where id = ${event_id}`.execute(app.db)
  const statusAfter = async (usesMax: number | null, guests: number) => {
    await flow(usesMax, guests)
    await come('Guest')
    return status()
  }
  expect(await statusAfter(null, 1900)).toBe('open')
  expect(await statusAfter(2000, 10)).toBe('open')
  expect(await statusAfter(null, 1600)).toBe('paused')
  await sql`update events set guests_count = (select count(*) from members m where m.event_id = id) where id = ${event_id}`.execute(
    app.db,
  )
})

test('likes, reactions and votes go with people who are sent away, come back with them, and stay of those who leave', async () => {
  const { event_id, link_id, code } = await hold()
  const { group_chat_id } = await olivia.api.events.readEvent({ event_id })
  const photo = await olivia.api.gallery.uploadPhoto({
    event_id,
    image: new Blob([await png({ width: 30, height: 20 })]),
  })
  const event_photo_id = Number(photo.id)
  const comment = await olivia.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'Nice' })
  const message = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Hello' })
  const message_id = Number(message.id)
  const poll = await olivia.api.polls.makePoll({
    group_chat_id,
    message_content: 'Where?',
    poll_choices: ['Here', 'There'],
  })
  const mark = async (api: typeof olivia.api) => {
    await api.gallery.likePhoto({ event_photo_id })
    await api.gallery.reactToComment({ event_photo_comment_id: comment.id, comment_reaction: '👍' })
    await api.chats.reactToMessage({ message_id, message_reaction: '🎉' })
    await api.polls.vote({ message_id: Number(poll.id), poll_choice_ids: [1] })
  }
  const come = async () => app.as((await app.as().links.joinByLink({ code, user_first_name: 'Bea' })).token)
  const [bea, cleo] = [await come(), await come()]
  for (const api of [bea, cleo, gus.api]) await mark(api)
  const counted = async () => {
    const { rows } = await sql`
      select (select likes_count from photos where id = ${event_photo_id}) as likes,
        (select sum(count) from comment_reaction_counts where comment_id = ${comment.id}) as reactions,
        (select (reactions -> 0 ->> 'count')::int from messages where id = ${message_id}) as emojis,
        (select count(*) from poll_votes where message_id = ${Number(poll.id)}) as votes`.execute(app.db)
    return Object.values(rows[0] as object).map(Number)
  }
  expect(await counted()).toEqual([3, 3, 3, 3])
  await cleo.events.leaveEvent({ event_id })
  expect(await counted()).toEqual([3, 3, 3, 3])

  const channel = await listen(app, gus)
  const { id: away_id } = await olivia.api.links.sendAwayByLink({ link_id })
  expect(await counted()).toEqual([2, 2, 2, 2])
  await channel.next('photo.liked')
  expect(await wrongEvents(app.db)).toEqual([])
  await olivia.api.links.undoSentAway({ away_id })
  expect(await counted()).toEqual([3, 3, 3, 3])
  for (const wrong of Object.values(galleryRecounts)) expect((await wrong.execute(app.db)).rows).toEqual([])

  await olivia.api.events.removeGuest({ event_id, user_id: gus.id })
  expect(await counted()).toEqual([2, 2, 2, 2])
})

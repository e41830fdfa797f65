import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { enter, type Member } from '../../../test/cast.ts'
import { answered } from '../../../test/command.ts'
import { unchanged, wrongEvents } from '../../../test/event-state.ts'
import { notificationsOf, openNotifiedApp } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { anew, png } from '../../../test/pictures.ts'
import { notFound, refusal, says } from '../../../test/refused.ts'
import { slices } from '../../slices.ts'
import { eraseDueEvents } from './deletion.ts'

const { app, unread, kinds, quiet } = await openNotifiedApp()
const [olivia, gus, asha, sam] = (await Promise.all(
  (['olivia', 'gus', 'asha', 'sam'] as const).map(name => enter(app, name)),
)) as [Member, Member, Member, Member]
const command = (...args: string[]) => answered({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir }, args)
const picture = new Blob([await png({ width: 24, height: 16 })])
const paged = { page: 1, page_length: 50 }
const noSuchEvent = notFound('Event not found!')

afterAll(async () => expect(await wrongEvents(app.db)).toEqual([]))

/** An event of Olivia's with a photo and words of its guest; Asha organizes it, too. */
const hold = async (more: Record<string, unknown> = {}) => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening(more))
  await bringIn(olivia, event_id, gus)
  await bringIn(olivia, event_id, asha)
  await olivia.api.events.makeOrganizer({ event_id, user_id: asha.id })
  const photo = await gus.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
  await gus.api.chats.saveMessage({ group_chat_id, message_content: `Words of ${event_id}` })
  return { event_id, group_chat_id, event_photo_id: Number(photo.id), photo }
}
const daysAgo = (event_id: number, days: string) =>
  sql`update events set deleted_at = now() - ${days}::interval where id = ${event_id}`.execute(app.db)
const deletedOf = async (member: Member) =>
  (await member.extra.events.listEvents({ filter: 'deleted', ...paged })).data.map(({ id }) => id)

test('only the owner deletes an event, with a recent proof, and everybody is told who did it', async () => {
  const { event_id } = await hold()
  await unchanged(app.db, event_id, async () => {
    expect(await refusal(asha.api.events.deleteEvent({ event_id }))).toEqual(
      says('The user is not the owner of the event'),
    )
    expect(await refusal(gus.api.events.deleteEvent({ event_id }))).toEqual(
      says('The user is not an organizer of the event'),
    )
  })
  await olivia.api.events.deleteEvent({ event_id })
  for (const member of [gus, asha])
    expect((await unread(member))[0]).toEqual([
      'event_deleted',
      'Midsummer at the lake',
      'Olivia Ortega deleted the event. Your own photos stay in your downloads for 30 days.',
      '/events',
      1,
    ])
  expect(await kinds(olivia)).not.toContain('event_deleted')
})

test('the owner brings a deleted event back with everything in it, once, and everybody is told', async () => {
  const { event_id, group_chat_id, event_photo_id, photo } = await hold({ event_avatar: picture })
  await olivia.api.events.deleteEvent({ event_id })
  expect(await deletedOf(olivia)).toContain(event_id)
  expect(await deletedOf(asha)).not.toContain(event_id)
  for (const member of [olivia, gus, asha, sam]) {
    expect(await refusal(member.api.events.readEvent({ event_id }))).toEqual(noSuchEvent)
    if (member !== olivia) expect(await refusal(member.api.events.restoreEvent({ event_id }))).toEqual(noSuchEvent)
  }
  const twice = await Promise.all([1, 2].map(() => olivia.extra.events.restoreEvent({ event_id })))
  for (const restored of twice) expect(restored).toMatchObject({ id: event_id, extra: { may: { own: true } } })
  expect(await deletedOf(olivia)).not.toContain(event_id)
  expect((await unread(gus))[0]?.slice(0, 3)).toEqual([
    'event_restored',
    'Midsummer at the lake',
    'Olivia Ortega restored the event, with its chat and photos.',
  ])
  const ofThis = (await notificationsOf(gus)).filter(one => one.event_id === event_id)
  expect(ofThis.map(one => one.notification_kind)).not.toContain('event_deleted')
  expect((await gus.api.chats.listMessages({ group_chat_id, ...paged })).data[0]?.message_content).toBe(
    `Words of ${event_id}`,
  )
  await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Back again' })
  const again = await gus.api.gallery.readPhoto({ event_photo_id })
  expect((await fetch(again.event_photo_url)).status).toBe(200)
  // A link from before stays dead.
  expect((await fetch(photo.event_photo_url)).status).toBe(404)
  const { event_avatar_url } = await gus.api.events.readEvent({ event_id })
  expect((await fetch(event_avatar_url)).status).toBe(200)
  const acts = (await asha.api.events.listAudit({ event_id, ...paged })).data.map(({ audit_act }) => audit_act)
  expect(acts.slice(0, 2)).toEqual(['event.restored', 'event.deleted'])
})

test('a cancelled event comes back cancelled', async () => {
  const { event_id, group_chat_id } = await hold()
  await olivia.api.events.cancelEvent({ event_id })
  await olivia.api.events.deleteEvent({ event_id })
  expect(await olivia.api.events.restoreEvent({ event_id })).toMatchObject({ event_status: 2 })
  expect(await gus.api.chats.readChat({ group_chat_id })).toMatchObject({ group_chat_status: 2 })
})

test('until it is erased, people download what they uploaded, and nothing else', async () => {
  const { event_id } = await hold()
  await asha.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
  await olivia.api.events.deleteEvent({ event_id })
  const mine = await gus.api.gallery.linkAlbum({ event_id, mine: true })
  expect(mine.download_photos_count).toBe(1)
  expect((await fetch(mine.download_url)).status).toBe(200)
  expect(await refusal(gus.api.gallery.linkAlbum({ event_id }))).toEqual(noSuchEvent)
  expect(await refusal(gus.api.gallery.linkAlbum({ event_id, taken_by: asha.id }))).toEqual(noSuchEvent)
  expect(await refusal(sam.api.gallery.linkAlbum({ event_id, mine: true }))).toEqual(noSuchEvent)
  await daysAgo(event_id, '30 days')
  expect(await refusal(gus.api.gallery.linkAlbum({ event_id, mine: true }))).toEqual(noSuchEvent)
})

test('on day 30 it is too late, and nothing of it is left then', async () => {
  const { event_id, event_photo_id } = await hold({ event_location: 'At the secret place' })
  await gus.api.gallery.saveComment({ event_photo_id, event_photo_comment: `Comment of ${event_id}` })
  await olivia.api.links.makeLink({ event_id })
  await olivia.api.events.deleteEvent({ event_id })
  await daysAgo(event_id, '29 days 23 hours')
  const erase = () =>
    eraseDueEvents(
      app.db,
      slices.flatMap(({ erasesEvent }) => erasesEvent ?? []),
    )
  await erase()
  await olivia.api.events.restoreEvent({ event_id })
  await olivia.api.events.deleteEvent({ event_id })
  await daysAgo(event_id, '30 days 1 minute')
  expect(await refusal(olivia.api.events.restoreEvent({ event_id }))).toEqual(noSuchEvent)
  expect(await deletedOf(olivia)).not.toContain(event_id)
  await daysAgo(event_id, '30 days 2 hours')
  await erase()
  await erase()
  const { rows } = await sql<{ said: string }>`
    select concat_ws('|', e.name, e.location, (select string_agg(content, '') from messages m
        join group_chats c on c.id = m.group_chat_id where c.event_id = e.id),
      (select string_agg(text, '') from comments c join photos p on p.id = c.photo_id where p.event_id = e.id),
      (select count(*) from event_links l where l.event_id = e.id), e.erased_at is not null) as said
    from events e where e.id = ${event_id}`.execute(app.db)
  expect(rows).toEqual([{ said: 'Deleted event|||0|t' }])
  await daysAgo(event_id, '29 days')
  expect(await refusal(olivia.api.events.restoreEvent({ event_id }))).toEqual(noSuchEvent)
})

describe('the operator', () => {
  test('takes an event out of the lists: outsiders see nothing, nobody comes in, its organizers are told', async () => {
    const { event_id } = await hold()
    const link = await olivia.api.links.makeLink({ event_id })
    await olivia.api.events.invite({ event_id, user_ids: [sam.id] })
    expect((await command('events', 'unlist', String(event_id))).event).toMatchObject({
      status: 'unlisted',
      by_operator: true,
      owner: olivia.username,
    })
    const stranger = await enter(app, 'remy')
    const invitations = async () => (await sam.api.events.listInvitations(paged)).data.map(({ event }) => event.id)
    for (const member of [stranger, sam]) {
      expect(await refusal(member.api.events.readEvent({ event_id }))).toEqual(noSuchEvent)
      expect(await refusal(member.api.events.askToJoin({ event_id }))).toEqual(noSuchEvent)
      expect(await refusal(member.api.links.joinByLink({ code: link.link_code }))).toEqual(notFound('Link not found!'))
    }
    expect(await refusal(app.as().links.openLink({ code: link.link_code }))).toEqual(notFound('Link not found!'))
    expect(await invitations()).not.toContain(event_id)
    const open = (await stranger.api.events.listEvents({ filter: 'public', ...paged })).data.map(({ id }) => id)
    expect(open).not.toContain(event_id)
    for (const path of [`/events/${event_id}/cover.jpg`, `/j/${link.link_code}/cover.jpg`])
      expect((await fetch(app.url + path)).status).toBe(404)
    const unlisted = says('Nobody can be let into the event at the moment')
    expect(await refusal(olivia.api.links.makeLink({ event_id }))).toEqual(unlisted)
    const again = { event_id, event_starts_at: evening().event_starts_at }
    expect(await refusal(olivia.api.events.copyEvent(again))).toEqual(unlisted)
    expect(await refusal(olivia.api.events.invite({ event_id, user_ids: [stranger.id] }))).toEqual(unlisted)
    expect(await gus.api.events.readEvent({ event_id })).toMatchObject({ event_role: 'guest' })
    for (const member of [olivia, asha]) expect(await kinds(member)).toContain('event_unlisted')
    expect(await kinds(gus)).not.toContain('event_unlisted')

    await command('events', 'restore', String(event_id))
    expect(await invitations()).toContain(event_id)
    expect(await stranger.api.events.readEvent({ event_id })).toMatchObject({ id: event_id })
    await stranger.api.links.joinByLink({ code: link.link_code })
    expect(await kinds(asha)).toContain('event_listed')
  })

  test('deletes an event, and alone brings it back', async () => {
    const { event_id } = await hold()
    await command('events', 'delete', String(event_id), '--yes')
    expect((await unread(gus))[0]?.slice(0, 3)).toEqual([
      'event_deleted',
      'Midsummer at the lake',
      'The operator of this service deleted the event. Your own photos stay in your downloads for 30 days.',
    ])
    expect(await kinds(olivia)).toContain('event_deleted')
    expect(await refusal(olivia.api.events.restoreEvent({ event_id }))).toEqual(noSuchEvent)
    expect(await deletedOf(olivia)).not.toContain(event_id)
    expect(await command('events', 'show', String(event_id))).toMatchObject({ status: 'deleted', by_operator: true })
    expect((await command('events', 'list', '--status', 'deleted')).map(({ id }: { id: number }) => id)).toContain(
      event_id,
    )
    await command('events', 'restore', String(event_id))
    expect(await gus.api.events.readEvent({ event_id })).toMatchObject({ event_role: 'guest' })
    expect((await unread(olivia))[0]?.[2]).toBe(
      'The operator of this server restored the event, with its chat and photos.',
    )
  })
})

test('an event whose organizers are all suspended is listed nowhere, until one of them is back', async () => {
  const [owner, second] = [await enter(app, 'olivia'), await enter(app, 'ana')]
  const { id: event_id } = await owner.api.events.saveEvent(evening())
  await bringIn(owner, event_id, second)
  await owner.api.events.makeOrganizer({ event_id, user_id: second.id })
  const { link_code: code } = await owner.api.links.makeLink({ event_id })
  await owner.api.events.invite({ event_id, user_ids: [sam.id] })
  await quiet()
  await command('users', 'suspend', owner.username)
  expect(await sam.api.events.readEvent({ event_id })).toMatchObject({ event_role: 'invited' })
  await command('users', 'suspend', second.username)
  expect(await refusal(sam.api.events.readEvent({ event_id }))).toEqual(noSuchEvent)
  expect(await refusal(app.as().links.openLink({ code }))).toEqual(notFound('Link not found!'))
  expect(await command('events', 'show', String(event_id))).toMatchObject({ status: 'unlisted', by_operator: false })
  expect((await unread(sam)).filter(([kind, , , link]) => kind === 'invitation' && link === '/invitations')).toEqual([])
  await command('users', 'unsuspend', owner.username)
  expect(await sam.api.events.readEvent({ event_id })).toMatchObject({ event_role: 'invited' })
  expect(await app.as().links.openLink({ code })).toMatchObject({ event_id })
})

test('an act that changes who decides, or sends everybody away, asks who holds the phone', async () => {
  const owner = await enter(app, 'gwen')
  const { id: event_id } = await owner.api.events.saveEvent(evening())
  await bringIn(owner, event_id, gus)
  await sql`
    update devices set created_at = created_at - interval '11 minutes', proven_at = proven_at - interval '11 minutes'
    where user_id = ${owner.id}`.execute(app.db)
  const user = { event_id, user_id: gus.id }
  const proveFirst = says('Please confirm that it is you: by your password, or by signing in again.')
  const webhook_url = 'https://party.example/hook'
  const acts = [
    () => owner.api.events.makeOrganizer(user),
    () => owner.api.events.unmakeOrganizer(user),
    () => owner.api.events.handOver(user),
    () => owner.api.links.revokeLinks({ event_id }),
    () => owner.api.webhooks.makeWebhook({ event_id, webhook_url }),
    () => owner.api.events.deleteEvent({ event_id }),
  ]
  await unchanged(app.db, event_id, async () => {
    for (const act of acts) expect(await refusal(act())).toEqual(proveFirst)
  })
  // Not what an organizer does all evening.
  const { link_code: code } = await owner.api.links.makeLink({ event_id })
  await owner.api.events.removeGuest(user)
  await owner.api.accounts.proveAccount({ user_password: owner.password })
  await owner.api.links.revokeLinks({ event_id })
  await owner.api.links.revokeLinks({ event_id })
  expect(await refusal(app.as().links.openLink({ code }))).toEqual(notFound('Link not found!'))
})

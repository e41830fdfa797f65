import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { expectHeard, openAudience } from '../../../test/audience.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { quarter } from '../../../test/full.ts'
import { wrongGalleries } from '../../../test/gallery-state.ts'
import { notificationsOf, openNotifiedApp } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { anew, png } from '../../../test/pictures.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'
import { listAlbum } from '../../albums/album-store.ts'
import { announcePhotos, announceWaiting } from '../photo-announcements/announce-photos.ts'

const { app, quiet } = await openNotifiedApp()
const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
const image = new Blob([await png({ width: 24, height: 16 })])
const paged = { page: 1, page_length: 100 }

afterAll(async () => expect(await wrongGalleries(app.db)).toEqual({}))

const rounds = quarter('approved, refused and deleted at once', 16)

/** Lets the first act continue once all have arrived; their order from there is random. */
const together = async (eventId: number, acts: readonly (() => Promise<unknown>)[]) => {
  // Within a transaction, others' changes are read once.
  const waiting = async () =>
    (
      await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
    ).rows.length
  const { acting } = await app.db.transaction().execute(async tx => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`select from photos where event_id = ${eventId} for update`.execute(tx)
    const acting = Promise.allSettled(acts.map(act => act()))
    await expect.poll(waiting).toBeGreaterThanOrEqual(acts.length)
    return { acting }
  })
  expect((await acting).filter(({ status }) => status === 'rejected')).toEqual([])
}

const hold = async (event_photo_approval: 'none' | 'wall' | 'album') => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_photo_approval }))
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  return { event_id, group_chat_id }
}
const add = async (by: Member, event_id: number) =>
  Number((await by.api.gallery.uploadPhoto({ event_id, image: await anew(image) })).id)
const idsFor = async (viewer: Member, event_id: number, more = {}) =>
  (await viewer.api.gallery.listPhotos({ event_id, ...more, ...paged })).data.map(({ id }) => Number(id))
const zipFor = async ({ id: viewerId }: Member, eventId: number) =>
  (
    await listAlbum(
      app.db,
      { eventId, viewerId, takenBy: null, liked: false, choiceId: null, upTo: 9, size: 'full' },
      0,
      9,
    )
  ).length
const timelineFor = async (viewer: Member, event_id: number) =>
  (await viewer.api.gallery.readTimeline({ event_id })).timeline_photos_count
const stateOf = async (viewer: Member, event_photo_id: number) => {
  const { extra } = await viewer.extra.gallery.readPhoto({ event_photo_id })
  return { hidden: extra?.hidden, waiting: extra?.waiting }
}
const logOf = async (event_id: number) =>
  (await olivia.api.events.listAudit({ event_id, ...paged })).data
    .filter(({ audit_act }) => audit_act.startsWith('photo.'))
    .map(({ audit_act, subject_id }) => [audit_act, subject_id])

describe('a photo that waits before the album', () => {
  test('is visible to its uploader and its approvers, and to nobody else anywhere', async () => {
    const { event_id } = await hold('album')
    const audience = await openAudience(app, { olivia, gus, ana })
    let id = 0
    const heard = await audience.heardOf(async () => {
      id = await add(gus, event_id)
    })
    expectHeard(heard, { olivia: ['photo.created'], gus: ['photo.created'] })
    expect(await Promise.all([olivia, gus].map(who => stateOf(who, id)))).toEqual(
      Array.from({ length: 2 }, () => ({ hidden: true, waiting: true })),
    )
    expect(await refusal(ana.api.gallery.readPhoto({ event_photo_id: id }))).toEqual(notFound('Event Photo not found!'))
    for (const [who, sees] of [
      [olivia, 1],
      [gus, 1],
      [ana, 0],
    ] as const) {
      for (const sort of ['newest', 'taken_newest', 'most_liked'] as const)
        expect(await idsFor(who, event_id, { sort })).toHaveLength(sees)
      expect(await idsFor(who, event_id, { waiting: true })).toHaveLength(sees)
      expect(await timelineFor(who, event_id)).toBe(sees)
      expect(await zipFor(who, event_id)).toBe(0)
    }
    await quiet()
    const told = (await notificationsOf(ana)).filter(one => one.event_id === event_id)
    expect(told.filter(({ notification_kind }) => notification_kind.startsWith('photo'))).toEqual([])
  })

  test('becomes visible to everybody on approval, which is logged once, however often it is repeated', async () => {
    const { event_id } = await hold('album')
    const [first, second] = [await add(gus, event_id), await add(ana, event_id)]
    const audience = await openAudience(app, { olivia, gus, ana })
    const approve = () => olivia.api.gallery.approvePhotos({ event_id, event_photo_ids: [first, 999_999] })
    expectHeard(await audience.heardOf(approve), {
      olivia: ['photo.updated'],
      gus: ['photo.updated'],
      ana: ['photo.created', 'photo.updated'],
    })
    expectHeard(await audience.heardOf(approve), {})
    expect(await idsFor(ana, event_id)).toEqual([second, first])
    expect(await idsFor(olivia, event_id, { waiting: true })).toEqual([second])
    expect(await stateOf(ana, first)).toEqual({ hidden: false, waiting: false })
    await olivia.api.gallery.refusePhotos({ event_id, event_photo_ids: [first, second] })
    expect(await Promise.all([idsFor(gus, event_id), idsFor(ana, event_id)])).toEqual([[first], [second, first]])
    expect(await stateOf(ana, second)).toEqual({ hidden: true, waiting: false })
    expect(await logOf(event_id)).toEqual([
      ['photo.refused', second],
      ['photo.approved', first],
    ])
  })

  test('is decided once when approved and refused simultaneously: the second decision changes nothing', async () => {
    const { event_id } = await hold('album')
    const gwen = await enter(app, 'gwen')
    await bringIn(olivia, event_id, gwen)
    await olivia.api.events.makeOrganizer({ event_id, user_id: gwen.id })
    const audience = await openAudience(app, { ana })
    for (let round = 0; round < rounds; round++) {
      const ids = [await add(gus, event_id), await add(gus, event_id)]
      const asked = { event_id, event_photo_ids: ids }
      const heard = await audience.heardOf(() =>
        together(event_id, [
          () => olivia.api.gallery.approvePhotos(asked),
          () => gwen.api.gallery.refusePhotos(asked),
          () => gwen.api.gallery.approvePhotos(asked),
          () => olivia.api.gallery.hidePhoto({ event_photo_id: ids[0] ?? 0 }),
        ]),
      )
      const acts = (await logOf(event_id)).filter(([, id]) => ids.includes(Number(id)))
      const [first, second] = ids.map(id => acts.filter(([, of]) => of === id).map(([act]) => act))
      // Hiding is a separate act, which may follow.
      expect(second).toHaveLength(1)
      expect(first?.filter(act => act !== 'photo.hidden')).toHaveLength(1)
      const shown = second?.[0] === 'photo.approved'
      expect(await stateOf(gus, ids[1] ?? 0)).toEqual({ hidden: !shown, waiting: false })
      expect(await stateOf(gus, ids[0] ?? 0)).toEqual({ hidden: true, waiting: false })
      expect((await idsFor(ana, event_id)).includes(ids[1] ?? 0)).toBe(shown)
      const created = heard.ana.filter(({ kind }) => kind === 'photo.created').length
      expect(created - heard.ana.filter(({ kind }) => kind === 'photo.deleted').length).toBe(Number(shown))
    }
  })

  test('is gone for everybody when deleted during its approval, and nobody is notified', async () => {
    const { event_id } = await hold('album')
    const audience = await openAudience(app, { ana })
    for (let round = 0; round < rounds; round++) {
      const id = await add(gus, event_id)
      const heard = await audience.heardOf(() =>
        together(event_id, [
          () => olivia.api.gallery.approvePhotos({ event_id, event_photo_ids: [id] }),
          () => (round % 2 ? gus : olivia).api.gallery.deletePhoto({ event_photo_id: id }),
        ]),
      )
      expect(await Promise.all([olivia, gus, ana].map(who => idsFor(who, event_id)))).toEqual([[], [], []])
      const kinds = heard.ana.map(({ kind }) => kind)
      expect(kinds.length ? kinds : ['photo.deleted'], JSON.stringify(kinds)).toContain('photo.deleted')
    }
    await sql`update untold_photos set added_at = now() - interval '1 hour' where event_id = ${event_id}`.execute(
      app.db,
    )
    await announcePhotos(app.db)()
    await quiet()
    const told = (await notificationsOf(ana)).filter(one => one.event_id === event_id)
    expect(told.filter(({ notification_kind }) => notification_kind.startsWith('photo'))).toEqual([])
  })

  test('may come from the chat as well, and does not wait if an approver added it', async () => {
    const { event_id, group_chat_id } = await hold('album')
    const attach = async () => {
      const attachments = [await anew(image)]
      const message = await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Look', attachments })
      return message.attachments[0]?.id ?? 0
    }
    const { id } = await gus.api.chats.addToAlbum({ message_attachment_id: await attach() })
    expect(await idsFor(ana, event_id)).toEqual([])
    const { id: byOlivia } = await olivia.api.chats.addToAlbum({ message_attachment_id: await attach() })
    expect(await idsFor(ana, event_id)).toEqual([Number(byOlivia)])
    expect(await stateOf(olivia, Number(id))).toEqual({ hidden: true, waiting: true })
  })
})

test('a photo waiting before the wall is in the album, and marked until it is approved', async () => {
  const { event_id } = await hold('wall')
  const id = await add(gus, event_id)
  expect(await stateOf(ana, id)).toEqual({ hidden: false, waiting: true })
  await olivia.api.gallery.approvePhotos({ event_id, event_photo_ids: [id] })
  expect(await stateOf(ana, id)).toEqual({ hidden: false, waiting: false })
  const other = await add(gus, event_id)
  await olivia.api.gallery.hidePhoto({ event_photo_id: other })
  expect(await stateOf(gus, other)).toEqual({ hidden: true, waiting: false })
  expect((await logOf(event_id))[0]).toEqual(['photo.refused', other])
})

test('a photo refused for the wall is on no screen and stays in the album, unless approved later', async () => {
  const { event_id } = await hold('wall')
  const id = await add(gus, event_id)
  const { photo_states } = await olivia.api.gallery.refusePhotos({ event_id, event_photo_ids: [id] })
  expect(photo_states).toEqual([{ event_photo_id: id, photo_state: 'off_wall' }])
  expect([await stateOf(ana, id), await idsFor(ana, event_id), await zipFor(ana, event_id)]).toEqual([
    { hidden: false, waiting: false },
    [id],
    1,
  ])
  expect(await idsFor(olivia, event_id, { waiting: true })).toEqual([])
  const screen = async () => (await olivia.api.wall.readWall({ event_id })).hidden_photo_ids
  expect(await screen()).toEqual([id])
  await olivia.api.wall.markForWall({ event_photo_id: id, wall_mark: 'chosen' })
  expect(await olivia.api.wall.readWall({ event_id })).toMatchObject({ chosen_photo_ids: [id], hidden_photo_ids: [] })
})

test('a mark for the wall decides about a photo waiting there', async () => {
  const { event_id } = await hold('wall')
  const [chosen, hidden] = [await add(gus, event_id), await add(gus, event_id)]
  await olivia.api.wall.markForWall({ event_photo_id: chosen, wall_mark: 'chosen' })
  await olivia.api.wall.markForWall({ event_photo_id: hidden, wall_mark: 'hidden' })
  const wall = { chosen_photo_ids: [chosen], hidden_photo_ids: [hidden] }
  expect(await olivia.api.wall.readWall({ event_id })).toMatchObject(wall)
  expect(await idsFor(olivia, event_id, { waiting: true })).toEqual([])
  expect((await logOf(event_id)).toReversed()).toEqual([
    ['photo.approved', chosen],
    ['photo.refused', hidden],
  ])
  await olivia.api.wall.markForWall({ event_photo_id: hidden, wall_mark: 'none' })
  expect(await olivia.api.wall.readWall({ event_id })).toMatchObject({ ...wall, hidden_photo_ids: [] })
})

/** Adds this many copies of a waiting photo. */
const multiply = async (id: number, more: number) => {
  await sql`
    with added as (
      insert into photos (event_id, sequence, media_id, taken_by, shares_media, moment, plays, created_at, updated_at,
        picture_epoch, endings, waits, hidden_at)
      select event_id, sequence + n, media_id, taken_by, shares_media, moment, plays, created_at, updated_at,
        picture_epoch, endings, waits, hidden_at
      from photos, generate_series(1, ${more}) n where id = ${id} returning event_id
    ), numbered as (
      update galleries set last_sequence = last_sequence + ${more} where event_id = (select event_id from added limit 1)
    ), counted as (
      update photo_quarters set photos = photos + ${more} where event_id = (select event_id from added limit 1)
    )
    update guests set photos_count = photos_count + ${more}
    where (event_id, user_id) = (select event_id, taken_by from photos where id = ${id})`.execute(app.db)
}

describe.each(['album', 'wall'] as const)('641 photos that wait before the %s', mode => {
  test('are approved, or refused, in one act, which says how many, and undone as a whole', async () => {
    const { event_id } = await hold(mode)
    const id = await add(gus, event_id)
    await multiply(id, 640)
    const count = async () => {
      const { extra } = await olivia.extra.events.readEvent({ event_id })
      return extra.waiting.find(({ waiting_kind }) => waiting_kind === 'photos')?.waiting_count ?? 0
    }
    const seenByAna = async () =>
      (
        await sql<{ count: number }>`select count(*)::int as count from photos
        where event_id = ${event_id} and hidden_at is null`.execute(app.db)
      ).rows[0]?.count
    const before = mode === 'album' ? 0 : 641
    expect([await count(), await seenByAna()]).toEqual([641, before])
    for (const decide of ['approvePhotos', 'refusePhotos'] as const) {
      const done = await olivia.api.gallery[decide]({ event_id, all: true })
      expect(done).toMatchObject({ photos_decided_count: 641, photos_waiting_count: 0, photo_states: [] })
      expect([await count(), await seenByAna()]).toEqual([0, decide === 'approvePhotos' ? 641 : before])
      const decision_id = done.decision_id ?? 0
      const undone = await olivia.api.gallery.undoDecision({ decision_id })
      expect(undone).toMatchObject({ photos_decided_count: 641, photos_waiting_count: 641 })
      expect([await count(), await seenByAna()]).toEqual([641, before])
      expect(await refusal(olivia.api.gallery.undoDecision({ decision_id }))).toEqual(
        invalid('decision_id', 'The selected decision id is invalid.'),
      )
    }
    expect(await refusal(olivia.api.gallery.approvePhotos({ event_id }))).toEqual(
      invalid('event_photo_ids', 'The event photo ids field is required.'),
    )
  })
})

test('an undo keeps later decisions, and is refused to guests', async () => {
  const { event_id } = await hold('album')
  const [first, second] = [await add(gus, event_id), await add(gus, event_id)]
  const { decision_id } = await olivia.api.gallery.approvePhotos({ event_id, all: true })
  await olivia.api.gallery.hidePhoto({ event_photo_id: first })
  const undo = (by: Member) => by.api.gallery.undoDecision({ decision_id: decision_id ?? 0 })
  expect(await refusal(undo(gus))).toEqual(says('The user is not an organizer of the event'))
  expect(await undo(olivia)).toMatchObject({ photos_decided_count: 1, photos_waiting_count: 1 })
  expect(await stateOf(olivia, first)).toEqual({ hidden: true, waiting: false })
  expect(await stateOf(olivia, second)).toEqual({ hidden: true, waiting: true })
  expect(await idsFor(ana, event_id)).toEqual([])
  const { decision_id: last } = await olivia.api.gallery.refusePhotos({ event_id, all: true })
  await sql`update events set deleted_at = now() where id = ${event_id}`.execute(app.db)
  expect(await refusal(olivia.api.gallery.undoDecision({ decision_id: last ?? 0 }))).toEqual(
    notFound('Event not found!'),
  )
})

test('photos of trusted people, and by a photographer’s link, do not wait unless the link says so', async () => {
  const { event_id } = await hold('album')
  expect(await olivia.api.gallery.allowPhotos({ event_id, user_id: gus.id, trusted: true })).toMatchObject({
    trusted: true,
    person_photos_max: null,
  })
  expect(await stateOf(olivia, await add(gus, event_id))).toEqual({ hidden: false, waiting: false })
  await olivia.api.gallery.allowPhotos({ event_id, user_id: gus.id, trusted: false })
  expect(await stateOf(olivia, await add(gus, event_id))).toEqual({ hidden: true, waiting: true })
  for (const photos_wait of [undefined, true]) {
    const fields = { event_id, kind: 'drop', photographer: true, ...(photos_wait && { photos_wait }) } as const
    const { link_code: code, link_photos_wait } = await olivia.api.links.makeLink(fields)
    expect(link_photos_wait).toBe(photos_wait ?? false)
    await ana.api.links.joinByLink({ code })
    expect(await stateOf(olivia, await add(ana, event_id))).toEqual({
      hidden: photos_wait ?? false,
      waiting: photos_wait ?? false,
    })
  }
  const open = olivia.api.links.makeLink({ event_id, photos_wait: false })
  expect(await refusal(open)).toEqual(invalid('photos_wait', 'The selected photos wait is invalid.'))
})

test('an approver is notified once how many wait, never twice of the same, and no longer once none does', async () => {
  const { event_id } = await hold('album')
  for (const by of [gus, ana, gus]) await add(by, event_id)
  const told = async (who: Member) =>
    (await notificationsOf(who)).filter(one => one.event_id === event_id && one.notification_kind === 'photos_waiting')
  const tell = async () => {
    await sql`update photos set created_at = created_at - interval '2 minutes' where event_id = ${event_id}`.execute(
      app.db,
    )
    await announceWaiting(app.db)()
    await quiet()
  }
  await tell()
  expect(await told(olivia)).toMatchObject([
    { notification_count: 3, notification_body: '3 photos are waiting for your approval.', read: false },
  ])
  expect(await told(gus)).toEqual([])
  await tell()
  expect(await told(olivia)).toMatchObject([{ notification_count: 3 }])
  expect((await olivia.api.events.listWaiting(paged)).data).toContainEqual({
    event_id,
    event_name: expect.any(String),
    waiting_kind: 'photos',
    waiting_count: 3,
    waiting_since: expect.any(String),
  })
  expect((await gus.api.events.listWaiting(paged)).data).toEqual([])
  await olivia.api.gallery.refusePhotos({ event_id, all: true })
  await quiet()
  expect(await told(olivia)).toEqual([])
})

test('photos are visible at once by default, and organizers’ always; guests approve nothing', async () => {
  const { event_id } = await hold('none')
  expect(await stateOf(ana, await add(gus, event_id))).toEqual({ hidden: false, waiting: false })
  await olivia.api.events.saveEvent(evening({ event_id, event_photo_approval: 'album' }))
  expect(await stateOf(ana, await add(olivia, event_id))).toEqual({ hidden: false, waiting: false })
  const id = await add(gus, event_id)
  const outsider = await enter(app, 'sam')
  for (const decide of ['approvePhotos', 'refusePhotos'] as const) {
    const asked = { event_id, event_photo_ids: [id] }
    expect(await refusal(gus.api.gallery[decide](asked))).toEqual(says('The user is not an organizer of the event'))
    expect(await refusal(outsider.api.gallery[decide](asked))).toEqual(
      says('The user is neither a guest nor an organizer of the event'),
    )
    expect(await refusal(olivia.api.gallery[decide]({ ...asked, event_id: 999_999 }))).toEqual(
      notFound('Event not found!'),
    )
  }
  expect(await stateOf(olivia, id)).toEqual({ hidden: true, waiting: true })
})

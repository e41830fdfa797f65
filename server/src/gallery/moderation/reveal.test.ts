import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { expectHeard, openAudience } from '../../../test/audience.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { wrongGalleries } from '../../../test/gallery-state.ts'
import { notificationsOf, openNotifiedApp } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { anew, png } from '../../../test/pictures.ts'
import { notFound, refusal } from '../../../test/refused.ts'
import { listAlbum } from '../../albums/album-store.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { revealDue } from './reveal.ts'

const { app, quiet } = await openNotifiedApp()
const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
const image = new Blob([await png({ width: 24, height: 16 })])
const paged = { page: 1, page_length: 100 }
const later = () => new Date(Date.now() + 3_600_000).toISOString()
type EventChanges = Partial<Parameters<Member['extra']['events']['saveEvent']>[0]>

afterAll(async () => expect(await wrongGalleries(app.db)).toEqual({}))

const hold = async (wish: EventChanges = { event_reveals_at: later() }) => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening(wish))
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  const change = async (more: EventChanges) =>
    (await olivia.extra.events.saveEvent(evening({ event_id, ...more }))).extra as NonNullable<
      Awaited<ReturnType<typeof olivia.extra.events.saveEvent>>['extra']
    >
  /** Lets the time come. */
  const pass = () => sql`update galleries set reveals_at = now() where event_id = ${event_id}`.execute(app.db)
  return { event_id, group_chat_id, change, pass }
}
const add = async (by: Member, event_id: number, of = image) =>
  Number((await by.api.gallery.uploadPhoto({ event_id, image: await anew(of) })).id)
const idsFor = async (viewer: Member, event_id: number, more = {}) =>
  (await viewer.api.gallery.listPhotos({ event_id, ...more, ...paged })).data.map(({ id }) => Number(id))
const everybody = (event_id: number) =>
  Promise.all([olivia, gus, ana].map(async who => (await idsFor(who, event_id)).length))
/** Everything that counts or lists photos for a viewer. */
const everywhere = async (viewer: Member, eventId: number) => {
  const lists = await Promise.all(
    (['newest', 'oldest', 'taken_newest', 'most_liked'] as const).map(sort => idsFor(viewer, eventId, { sort })),
  )
  const zip = {
    eventId,
    viewerId: viewer.id,
    takenBy: null,
    liked: false,
    choiceId: null,
    upTo: 9,
    size: 'full',
  } as const
  // What others do not see is in a zip only for those who ask for it by name.
  expect(await listAlbum(app.db, zip, 0, 9)).toEqual([])
  return [
    ...lists.map(({ length }) => length),
    (await listAlbum(app.db, { ...zip, hidden: true }, 0, 9)).length,
    (await viewer.api.gallery.readTimeline({ event_id: eventId })).timeline_photos_count,
  ]
}
const told = async (who: Member, event_id: number) => {
  await quiet()
  return (await notificationsOf(who))
    .filter(one => one.event_id === event_id && one.notification_kind.startsWith('photo'))
    .map(({ notification_kind, notification_body }) => [notification_kind, notification_body])
}

describe('photos with a reveal time', () => {
  test('are private until then, in every list, count, zip, channel and notification', async () => {
    const { event_id } = await hold()
    const audience = await openAudience(app, { olivia, gus, ana })
    let [id] = [0]
    const heard = await audience.heardOf(async () => {
      id = await add(gus, event_id)
    })
    expectHeard(heard, { gus: ['photo.created'] })
    for (const [who, sees] of [
      [gus, 1],
      [ana, 0],
      [olivia, 0],
    ] as const)
      expect(await everywhere(who, event_id)).toEqual(Array.from({ length: 6 }, () => sees))
    for (const who of [ana, olivia])
      expect(await refusal(who.api.gallery.readPhoto({ event_photo_id: id }))).toMatchObject({ status: 404 })
    expect((await gus.extra.gallery.readPhoto({ event_photo_id: id })).extra).toMatchObject({
      hidden: true,
      sealed: true,
    })
    expectHeard(await audience.heardOf(() => gus.api.gallery.deletePhoto({ event_photo_id: id })), {
      gus: ['photo.deleted'],
    })
    expect(await told(ana, event_id)).toEqual([])
  })

  test('stay private when deleted, until organizers see photos, and so do their comments', async () => {
    const { event_id, change } = await hold()
    const photo = { event_photo_id: await add(gus, event_id) }
    const audience = await openAudience(app, { olivia, gus, ana })
    const heard = await audience.heardOf(async () => {
      const { id } = await gus.api.gallery.saveComment({ ...photo, event_photo_comment: 'Not this one' })
      await gus.api.gallery.deleteComment({ event_photo_comment_id: id })
    })
    expect([heard.olivia, heard.ana]).toEqual([[], []])
    expect(heard.gus.map(({ kind }) => kind)).toContain('comment.deleted')
    await gus.api.gallery.deletePhoto(photo)
    const deletedFor = async (who: Member) =>
      (await who.api.gallery.listDeletedPhotos({ event_id, ...paged })).data.map(({ id }) => Number(id))
    expect([await deletedFor(olivia), await deletedFor(gus)]).toEqual([[], [photo.event_photo_id]])
    expect(await refusal(olivia.api.gallery.restorePhoto(photo))).toEqual(notFound('Event Photo not found!'))
    await gus.api.gallery.restorePhoto(photo)
    await gus.api.gallery.deletePhoto(photo)
    await change({ event_organizers_see_photos: true })
    expect(await deletedFor(olivia)).toEqual([photo.event_photo_id])
  })

  test('are sent to no webhook, which organizers read', async () => {
    const { event_id, change } = await hold()
    const { id: webhook_id } = await olivia.api.webhooks.makeWebhook({
      event_id,
      webhook_url: 'https://party.example/photos',
    })
    const [kept, gone] = [await add(gus, event_id), await add(gus, event_id)]
    await gus.api.gallery.saveComment({ event_photo_id: kept, event_photo_comment: 'Ours!' })
    await gus.api.gallery.likePhoto({ event_photo_id: kept })
    await gus.api.gallery.deletePhoto({ event_photo_id: gone })
    await change({ event_name: 'Told' })
    const toldTo = async () =>
      (await olivia.api.webhooks.listWebhookDeliveries({ webhook_id, ...paged })).data.map(({ kind }) => kind)
    await expect.poll(toldTo).toContain('event.updated')
    expect((await toldTo()).filter(kind => /^(photo|comment)/.test(kind))).toEqual([])
    await olivia.api.webhooks.deleteWebhook({ webhook_id })
  })

  test('are shown to organizers earlier on request, and to them alone', async () => {
    const { event_id, change } = await hold()
    await add(gus, event_id)
    expect(await change({ event_organizers_see_photos: true })).toMatchObject({ event_photos_shown: 'later' })
    expect(await everybody(event_id)).toEqual([1, 1, 0])
    await change({ event_organizers_see_photos: false })
    expect(await everybody(event_id)).toEqual([0, 1, 0])
  })

  test('are revealed at that time, once, by two processes, with one notice to all, even after downtime', async () => {
    const { event_id, pass } = await hold()
    for (const by of [gus, gus, ana]) await add(by, event_id)
    const dbs = [0, 1].map(() => openDatabase(app.databaseUrl, { connections: 1 }))
    const reveal = () => Promise.all(dbs.map(db => revealDue(db)()))
    await reveal()
    expect(await everybody(event_id)).toEqual([0, 2, 1])
    await pass()
    const audience = await openAudience(app, { olivia, gus, ana })
    const all = ['event.updated' as const]
    expectHeard(await audience.heardOf(reveal), { olivia: all, gus: all, ana: all })
    await reveal()
    await Promise.all(dbs.map(db => db.destroy()))
    expect(await everybody(event_id)).toEqual([3, 3, 3])
    expect((await ana.extra.events.readEvent({ event_id })).extra).toMatchObject({
      event_photos_shown: 'at_once',
      event_reveals_at: null,
      event_revealed_at: expect.any(String),
    })
    for (const who of [olivia, gus, ana])
      expect(await told(who, event_id)).toEqual([['photos_revealed', 'The photos are here: 3 photos by 2 people.']])
  })

  test('are revealed once, although the revealing process dies in the middle of it', async () => {
    const { event_id, pass } = await hold()
    for (const by of [gus, ana]) await add(by, event_id)
    const doomed = openDatabase(app.databaseUrl, { connections: 1 })
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(doomed)
    await app.db.transaction().execute(async tx => {
      // The gallery is marked by then, and its photos are not.
      await sql`select from photos where event_id = ${event_id} for update`.execute(tx)
      // Immediately before, or the service's own job would be the first.
      await pass()
      const dying = revealDue(doomed)().catch(error => error)
      await expect
        .poll(
          async () =>
            (
              await sql`select from pg_stat_activity where pid = ${rows[0]?.pid} and wait_event_type = 'Lock'`.execute(
                tx,
              )
            ).rows,
        )
        .toHaveLength(1)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(tx)
      expect(await dying).toBeInstanceOf(Error)
    })
    await doomed.destroy()
    expect(await everybody(event_id)).toEqual([0, 1, 1])
    for (let time = 0; time < 2; time++) await revealDue(app.db)()
    expect(await everybody(event_id)).toEqual([2, 2, 2])
    expect(await told(gus, event_id)).toHaveLength(1)
  })

  test('leave none behind that is uploaded, approved or added to the album at that moment', async () => {
    const { event_id, group_chat_id, pass } = await hold({ event_reveals_at: later(), event_photo_approval: 'album' })
    const waiting = await add(ana, event_id)
    const attach = async () => {
      const attachments = [await anew(image)]
      const message = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Look', attachments })
      return message.attachments[0]?.id ?? 0
    }
    const attached = await attach()
    await pass()
    await Promise.all([
      add(olivia, event_id),
      add(olivia, event_id),
      olivia.api.chats.addToAlbum({ message_attachment_id: attached }),
      revealDue(app.db)(),
      olivia.api.gallery.approvePhotos({ event_id, event_photo_ids: [waiting] }),
      add(olivia, event_id),
    ])
    expect(await everybody(event_id)).toEqual([5, 5, 5])
  })

  test('are gone for everybody if deleted at that moment', async () => {
    const { event_id, pass } = await hold()
    const id = await add(gus, event_id)
    await pass()
    const audience = await openAudience(app, { ana })
    const waiting = async () =>
      (
        await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
      ).rows.length
    const heard = await audience.heardOf(async () => {
      const { both } = await app.db.transaction().execute(async tx => {
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
        await sql`select from photos where id = ${id} for update`.execute(tx)
        const revealing = revealDue(app.db)()
        await expect.poll(waiting).toBeGreaterThanOrEqual(1)
        const deleting = gus.api.gallery.deletePhoto({ event_photo_id: id })
        await expect.poll(waiting).toBeGreaterThanOrEqual(2)
        return { both: Promise.all([revealing, deleting]) }
      })
      await both
    })
    expect(await everybody(event_id)).toEqual([0, 0, 0])
    expectHeard(heard, { ana: ['event.updated', 'photo.deleted'] })
  })

  test('are revealed earlier, later or never, as the organizer decides, and a past time means now', async () => {
    const { event_id, change, pass } = await hold()
    await add(gus, event_id)
    const moved = new Date(Date.now() + 7_200_000).toISOString()
    expect(await change({ event_reveals_at: moved })).toMatchObject({ event_reveals_at: moved })
    expect(await change({ event_photos_shown: 'never' })).toMatchObject({
      event_photos_shown: 'never',
      event_reveals_at: null,
    })
    await pass().then(() => sql`update galleries set reveals_at = null where event_id = ${event_id}`.execute(app.db))
    await revealDue(app.db)()
    expect(await everybody(event_id)).toEqual([0, 1, 0])
    expect(await refusal(change({ event_photos_shown: 'later' }))).toMatchObject({
      status: 400,
      body: { event_reveals_at: ['The event reveals at field is required.'] },
    })
    const contradicts = {
      status: 400,
      body: { event_reveals_at: ['The event reveals at field contradicts event photos shown.'] },
    }
    for (const event_photos_shown of ['at_once', 'never'] as const)
      expect(await refusal(change({ event_photos_shown, event_reveals_at: later() }))).toEqual(contradicts)
    expect(await refusal(change({ event_reveals_at: '2020-01-01T00:00:00Z' }))).toMatchObject({
      body: { event_reveals_at: ['The event reveals at field must not be more than 180 days before event starts at.'] },
    })
    expect(await everybody(event_id)).toEqual([0, 1, 0])
    const said = await change({ event_reveals_at: new Date(Date.now() - 60_000).toISOString() })
    expect(said).toMatchObject({ event_photos_shown: 'at_once', event_revealed_at: expect.any(String) })
    expect(await everybody(event_id)).toEqual([1, 1, 1])
    await change({ event_photos_shown: 'at_once' })
    expect(await told(ana, event_id)).toHaveLength(1)
  })

  test('vanish for others with their URLs when a time is set later, and return', async () => {
    const { event_id, change } = await hold({})
    const id = await add(gus, event_id)
    const before = await ana.api.gallery.readPhoto({ event_photo_id: id })
    await ana.api.gallery.saveComment({ event_photo_id: id, event_photo_comment: 'Ours!' })
    await change({ event_reveals_at: later() })
    expect(await everybody(event_id)).toEqual([0, 1, 0])
    expect((await fetch(before.event_photo_preview_url)).status).toBe(404)
    await change({ event_photos_shown: 'at_once' })
    expect(await everybody(event_id)).toEqual([1, 1, 1])
    expect(await ana.api.gallery.readPhoto({ event_photo_id: id })).toMatchObject({ event_photo_comments_count: '1' })
  })

  test('stay hidden if an organizer hid them meanwhile, and are sealed again if shown too early', async () => {
    const { event_id, change } = await hold({ event_reveals_at: later(), event_organizers_see_photos: true })
    const [first, second] = [await add(gus, event_id), await add(gus, event_id)]
    for (const event_photo_id of [first, second]) await olivia.api.gallery.hidePhoto({ event_photo_id })
    await olivia.api.gallery.unhidePhoto({ event_photo_id: second })
    expect(await everybody(event_id)).toEqual([2, 2, 0])
    await change({ event_photos_shown: 'at_once' })
    expect(await idsFor(ana, event_id)).toEqual([second])
  })

  test('can be unhidden or restored once by an organizer who sees none, and are sealed again afterwards', async () => {
    const { event_id, change } = await hold({})
    const [hidden, gone, kept] = [await add(gus, event_id), await add(gus, event_id), await add(gus, event_id)]
    await olivia.api.gallery.hidePhoto({ event_photo_id: hidden })
    await olivia.api.gallery.deletePhoto({ event_photo_id: gone })
    await change({ event_photos_shown: 'never' })
    expect(await olivia.api.gallery.unhidePhoto({ event_photo_id: hidden })).toMatchObject({ id: String(hidden) })
    expect(await olivia.api.gallery.restorePhoto({ event_photo_id: gone })).toMatchObject({ id: String(gone) })
    const noSuchPhoto = notFound('Event Photo not found!')
    for (const event_photo_id of [hidden, gone, kept]) {
      expect(await refusal(olivia.api.gallery.readPhoto({ event_photo_id }))).toEqual(noSuchPhoto)
      expect(await refusal(olivia.api.gallery.restorePhoto({ event_photo_id }))).toEqual(noSuchPhoto)
      expect(await refusal(olivia.api.gallery.unhidePhoto({ event_photo_id }))).toEqual(noSuchPhoto)
    }
    expect(await everybody(event_id)).toEqual([0, 3, 0])
  })

  test('may arrive twice from two people, who learn nothing of each other', async () => {
    const { event_id, change } = await hold()
    const same = await anew(image)
    for (const by of [gus, ana]) await by.api.gallery.uploadPhoto({ event_id, image: same })
    expect(await everybody(event_id)).toEqual([0, 1, 1])
    await change({ event_photos_shown: 'at_once' })
    const shown = await ana.extra.gallery.listPhotos({ event_id, ...paged })
    expect(shown.data.map(({ extra }) => extra?.same_as)).toEqual([shown.data[1]?.id, null])
  })
})

import { afterAll, describe, expect, test } from 'vitest'
import { expectHeard, openAudience } from '../../../test/audience.ts'
import type { Member } from '../../../test/cast.ts'
import { enter } from '../../../test/cast.ts'
import { fillGallery, wrongGalleries } from '../../../test/gallery-state.ts'
import { notificationsOf, openNotifiedApp } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { anew, png } from '../../../test/pictures.ts'
import { notFound, refusal, says } from '../../../test/refused.ts'
import { listAlbum } from '../../albums/album-store.ts'

const { app, quiet } = await openNotifiedApp()
const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
const image = new Blob([await png({ width: 24, height: 16 })])
const paged = { page: 1, page_length: 100 }
const noSuchPhoto = notFound('Event Photo not found!')

afterAll(async () => expect(await wrongGalleries(app.db)).toEqual({}))

const hold = async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  return { event_id, group_chat_id }
}
const photoOf = async (by: Member, event_id: number) => {
  const photo = await by.api.gallery.uploadPhoto({ event_id, image: await anew(image) })
  return { photo, event_photo_id: Number(photo.id) }
}
const comment = async (by: Member, event_photo_id: number, replyTo?: number) =>
  (
    await by.api.gallery.saveComment({
      event_photo_id,
      event_photo_comment: 'Nice',
      ...(replyTo && { event_photo_comment_reply_id: replyTo }),
    })
  ).id
const idsFor = async (viewer: Member, event_id: number) =>
  (await viewer.api.gallery.listPhotos({ event_id, ...paged })).data.map(({ id }) => Number(id))
const status = async (url: string) => (await fetch(url)).status

describe('a hidden photo', () => {
  test('is visible to its uploader, who is told, and to organizers; to nobody else', async () => {
    const { event_id } = await hold()
    const { event_photo_id } = await photoOf(gus, event_id)
    const hidden = await olivia.extra.gallery.hidePhoto({ event_photo_id })
    expect(hidden.extra).toMatchObject({ hidden: true, may: { hide: true } })
    expect((await gus.extra.gallery.readPhoto({ event_photo_id })).extra).toMatchObject({
      hidden: true,
      may: { hide: false },
    })
    expect([await idsFor(olivia, event_id), await idsFor(gus, event_id), await idsFor(ana, event_id)]).toEqual([
      [event_photo_id],
      [event_photo_id],
      [],
    ])
    // A hidden photo is in no zip unless asked for by name.
    const inZip = async ({ id: viewerId }: Member) =>
      (
        await listAlbum(
          app.db,
          { eventId: event_id, viewerId, takenBy: null, liked: false, choiceId: null, upTo: 9, size: 'full' },
          0,
          9,
        )
      ).length
    expect([await inZip(olivia), await inZip(gus), await inZip(ana)]).toEqual([0, 0, 0])
    expect(await refusal(ana.api.gallery.readPhoto({ event_photo_id }))).toEqual(noSuchPhoto)
    expect(await refusal(ana.api.gallery.likePhoto({ event_photo_id }))).toEqual(noSuchPhoto)
    expect(await refusal(ana.api.gallery.listComments({ event_photo_id, ...paged }))).toEqual(
      notFound('Photo not found!'),
    )
    const report = { report_type: 'photo' as const, report_id: event_photo_id, report_reason: 'x' }
    expect((await refusal(ana.api.people.report(report))).status).toBe(404)
  })

  test('loses every URL given out before, and no other picture does', async () => {
    const { event_id } = await hold()
    const { photo, event_photo_id } = await photoOf(gus, event_id)
    const other = (await photoOf(gus, event_id)).photo
    const shown = await olivia.api.gallery.hidePhoto({ event_photo_id })
    expect([await status(photo.event_photo_url), await status(photo.event_photo_preview_url)]).toEqual([404, 404])
    expect([await status(shown.event_photo_url), await status(other.event_photo_url)]).toEqual([200, 200])
  })

  test('from the chat loses its URLs there too, and the message gets new ones', async () => {
    const { event_id, group_chat_id } = await hold()
    const fields = { group_chat_id, message_content: 'Look', attachments: [image] }
    const [attachment] = (await gus.api.chats.saveMessage(fields)).attachments
    const { id } = await gus.api.chats.addToAlbum({ message_attachment_id: attachment?.id ?? 0 })
    await olivia.api.gallery.hidePhoto({ event_photo_id: Number(id) })
    expect(await status(attachment?.message_attachment_url ?? '')).toBe(404)
    const { data } = await ana.api.chats.listMessages({ group_chat_id, ...paged })
    expect(await status(data[0]?.attachments[0]?.message_attachment_url ?? '')).toBe(200)
    expect(await idsFor(ana, event_id)).toEqual([])
  })

  test('can be restored unchanged', async () => {
    const { event_id } = await hold()
    const { event_photo_id } = await photoOf(gus, event_id)
    const before = await ana.extra.gallery.readPhoto({ event_photo_id })
    await olivia.api.gallery.hidePhoto({ event_photo_id })
    await olivia.api.gallery.hidePhoto({ event_photo_id })
    await olivia.api.gallery.unhidePhoto({ event_photo_id })
    await olivia.api.gallery.unhidePhoto({ event_photo_id })
    const after = await ana.extra.gallery.readPhoto({ event_photo_id })
    const { event_photo_url: _, event_photo_preview_url: __, updated_at: ___, extra, ...rest } = before
    const { screen_url: ____, original: _____, ...more } = extra as NonNullable<typeof extra>
    expect(after).toMatchObject({ ...rest, extra: more })
    for (const url of [after.event_photo_url, after.extra?.screen_url, after.extra?.original?.url])
      expect(await status(url as string)).toBe(200)
    const { data } = await olivia.api.events.listAudit({ event_id, ...paged })
    expect(data.slice(0, 2).map(({ audit_act, about }) => [audit_act, about?.id])).toEqual([
      ['photo.unhidden', gus.id],
      ['photo.hidden', gus.id],
    ])
  })

  test('leaves pages full for everybody, however deep', async () => {
    const { event_id } = await hold()
    const { event_photo_id } = await photoOf(gus, event_id)
    await fillGallery(app.db, { like: event_photo_id, takenBy: gus.id, count: 700 })
    const all = (await app.db.selectFrom('photos').select('id').where('event_id', '=', event_id).execute()).map(
      ({ id }) => id,
    )
    const hidden = all.filter((_, at) => at % 90 === 7 || at === 600)
    for (const id of hidden) await olivia.api.gallery.hidePhoto({ event_photo_id: id })
    await olivia.api.gallery.deletePhoto({ event_photo_id: all[601] as number })
    const unionOf = async (viewer: Member, sort: 'newest' | 'oldest' | 'taken_newest' | 'taken_oldest') => {
      const ids: number[] = []
      for (let page = 1; ; page++) {
        const { data, next_page_url } = await viewer.api.gallery.listPhotos({ event_id, sort, page, page_length: 64 })
        ids.push(...data.map(({ id }) => Number(id)))
        if (next_page_url === null) return ids
        expect(data).toHaveLength(64)
      }
    }
    const living = all.filter(id => id !== all[601])
    const visible = living.filter(id => !hidden.includes(id))
    for (const sort of ['newest', 'oldest'] as const) {
      const inOrder = (ids: number[]) => (sort === 'newest' ? ids.toReversed() : ids)
      expect(await unionOf(olivia, sort)).toEqual(inOrder(living))
      expect(await unionOf(gus, sort)).toEqual(inOrder(living))
      expect(await unionOf(ana, sort)).toEqual(inOrder(visible))
    }
    const inAnyOrder = (ids: number[]) => ids.toSorted((a, b) => a - b)
    for (const sort of ['taken_newest', 'taken_oldest'] as const) {
      expect(inAnyOrder(await unionOf(gus, sort))).toEqual(inAnyOrder(living))
      expect(inAnyOrder(await unionOf(ana, sort))).toEqual(inAnyOrder(visible))
    }
  })

  test('withdraws its notifications, and causes no new ones', async () => {
    const { event_id } = await hold()
    const { event_photo_id } = await photoOf(gus, event_id)
    await ana.api.gallery.likePhoto({ event_photo_id })
    await comment(ana, event_photo_id)
    await quiet()
    const ofEvent = async (member: Member) => (await notificationsOf(member)).filter(one => one.event_id === event_id)
    expect((await ofEvent(gus)).map(({ notification_kind }) => notification_kind)).toEqual(
      expect.arrayContaining(['photo_like', 'photo_comment']),
    )
    await olivia.api.gallery.hidePhoto({ event_photo_id })
    await comment(olivia, event_photo_id)
    await quiet()
    expect((await ofEvent(gus)).filter(({ notification_kind }) => /^photo/.test(notification_kind))).toEqual([])
  })

  test('disappears for others as if deleted, and its changes are announced to those who see it', async () => {
    const { event_id } = await hold()
    const { event_photo_id } = await photoOf(gus, event_id)
    const audience = await openAudience(app, { olivia, gus, ana })
    expectHeard(await audience.heardOf(() => olivia.api.gallery.hidePhoto({ event_photo_id })), {
      olivia: ['photo.updated'],
      gus: ['photo.updated'],
      ana: ['photo.deleted'],
    })
    expectHeard(await audience.heardOf(() => gus.api.gallery.likePhoto({ event_photo_id })), {
      olivia: ['photo.liked'],
      gus: ['photo.liked'],
    })
    expectHeard(await audience.heardOf(() => olivia.api.gallery.unhidePhoto({ event_photo_id })), {
      olivia: ['photo.updated'],
      gus: ['photo.updated'],
      ana: ['photo.created', 'photo.updated'],
    })
  })
})

describe('a hidden comment', () => {
  test('is hidden with its replies for all but its author and the organizers, and the counts follow', async () => {
    const { event_id } = await hold()
    const { event_photo_id } = await photoOf(olivia, event_id)
    const nasty = await comment(gus, event_photo_id)
    const reply = await comment(ana, event_photo_id, nasty)
    await comment(ana, event_photo_id)
    const [hide, at] = [{ event_photo_comment_id: nasty }, { event_photo_id, ...paged }]
    await olivia.api.gallery.hideComment(hide)
    const listed = async (viewer: Member) => (await viewer.api.gallery.listComments(at)).data.map(({ id }) => id)
    expect([(await listed(ana)).length, (await listed(gus)).length, (await listed(olivia)).length]).toEqual([1, 2, 2])
    expect((await ana.api.gallery.readPhoto({ event_photo_id })).event_photo_comments_count).toBe('1')
    expect((await refusal(ana.api.gallery.listReplies({ ...hide, ...paged }))).status).toBe(400)
    expect((await gus.api.gallery.listReplies({ ...hide, ...paged })).data.map(({ id }) => id)).toEqual([reply])
    expect(await refusal(ana.api.gallery.reactToComment(hide))).toEqual(notFound('Comment not found!'))
    await comment(gus, event_photo_id, nasty)
    await olivia.api.gallery.unhideComment(hide)
    expect((await ana.api.gallery.readPhoto({ event_photo_id })).event_photo_comments_count).toBe('4')
    expect(await listed(ana)).toContain(nasty)
  })

  test('may be a single reply, and may be deleted while hidden', async () => {
    const { event_id } = await hold()
    const { event_photo_id } = await photoOf(olivia, event_id)
    const parent = await comment(gus, event_photo_id)
    const reply = await comment(gus, event_photo_id, parent)
    await olivia.api.gallery.hideComment({ event_photo_comment_id: reply })
    const { data } = await ana.api.gallery.listReplies({ event_photo_comment_id: parent, ...paged })
    expect(data).toEqual([])
    await olivia.api.gallery.hideComment({ event_photo_comment_id: parent })
    await gus.api.gallery.deleteComment({ event_photo_comment_id: reply })
    await olivia.api.gallery.deleteComment({ event_photo_comment_id: parent })
    expect((await ana.api.gallery.readPhoto({ event_photo_id })).event_photo_comments_count).toBe('0')
  })
})

test('only organizers may hide, and a refusal writes nothing', async () => {
  const { event_id } = await hold()
  const { event_photo_id } = await photoOf(gus, event_id)
  const notOrganizer = says('The user is not an organizer of the event')
  for (const guest of [gus, ana])
    expect(await refusal(guest.api.gallery.hidePhoto({ event_photo_id }))).toEqual(notOrganizer)
  expect(await idsFor(ana, event_id)).toEqual([event_photo_id])
})

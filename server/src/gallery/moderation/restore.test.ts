import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { expectHeard, openAudience } from '../../../test/audience.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { wrongGalleries } from '../../../test/gallery-state.ts'
import { bringIn, evening, party } from '../../../test/party.ts'
import { anew, png } from '../../../test/pictures.ts'
import { notFound, refusal, says } from '../../../test/refused.ts'

const app = await openTestApp({ photosPerGuest: 2 })
const cast = await party(app)
const { olivia, gus } = cast
const ana = await enter(app, 'ana')
const image = new Blob([await png({ width: 24, height: 16 })])
const noSuchPhoto = notFound('Event Photo not found!')
const paged = { page: 1, page_length: 10 }

const aParty = async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  return { event_id, group_chat_id }
}
const upload = async (by: Member, event_id: number) => ({
  event_photo_id: Number((await by.api.gallery.uploadPhoto({ event_id, image: await anew(image) })).id),
})
const deleted = (by: Member, event_id: number) =>
  by.api.gallery.listDeletedPhotos({ event_id, ...paged }).then(({ data }) => data.map(({ id }) => Number(id)))
const restore = (by: Member, photo: { event_photo_id: number }) => by.api.gallery.restorePhoto(photo)
const deletedAgo = (photo: { event_photo_id: number }, days: number) =>
  sql`update photos set deleted_at = now() - make_interval(days => ${days}) where id = ${photo.event_photo_id}`.execute(
    app.db,
  )

afterAll(async () => expect(await wrongGalleries(app.db)).toEqual({}))

describe('a deleted photo', () => {
  test('is restored unchanged, to its place, with likes, comments and replies', async () => {
    const { event_id } = await aParty()
    const [photo, later] = [await upload(gus, event_id), await upload(gus, event_id)]
    await ana.api.gallery.likePhoto(photo)
    const { id } = await ana.api.gallery.saveComment({ ...photo, event_photo_comment: 'Nice' })
    const reply = { ...photo, event_photo_comment_reply_id: id, event_photo_comment: 'Thanks' }
    await gus.api.gallery.saveComment(reply)
    const before = await ana.extra.gallery.readPhoto(photo)
    await gus.api.gallery.deletePhoto(photo)
    expect((await fetch(before.event_photo_url)).status).toBe(404)

    expect(await gus.extra.gallery.restorePhoto(photo)).toMatchObject({ id: String(photo.event_photo_id) })
    expect(await ana.extra.gallery.readPhoto(photo)).toEqual(before)
    expect((await fetch(before.event_photo_url)).status).toBe(200)
    const { data } = await gus.api.gallery.listPhotos({ event_id, ...paged })
    expect(data.map(({ id }) => Number(id))).toEqual([later.event_photo_id, photo.event_photo_id])
    expect((await gus.api.gallery.listComments({ ...photo, ...paged })).data).toMatchObject([{ id }])
    const replies = await gus.api.gallery.listReplies({ event_photo_comment_id: id, ...paged })
    expect(replies.data).toHaveLength(1)
  })

  test('is shown to its uploader and to organizers, latest first, by a link that nobody else has', async () => {
    const { event_id } = await aParty()
    const [ofGus, ofAna] = [await upload(gus, event_id), await upload(ana, event_id)]
    const { event_photo_preview_url } = await gus.api.gallery.readPhoto(ofGus)
    await gus.api.gallery.deletePhoto(ofGus)
    await olivia.api.gallery.deletePhoto(ofAna)
    expect(await deleted(olivia, event_id)).toEqual([ofAna.event_photo_id, ofGus.event_photo_id])
    expect(await deleted(gus, event_id)).toEqual([ofGus.event_photo_id])
    const { data } = await gus.api.gallery.listDeletedPhotos({ event_id, ...paged })
    expect((await fetch(event_photo_preview_url)).status).toBe(404)
    expect((await fetch(data[0]?.event_photo_preview_url as string)).headers.get('content-type')).toMatch(/^image/)
    const days = (Date.parse(data[0]?.restorable_until ?? '') - Date.parse(data[0]?.deleted_at ?? '')) / 86_400_000
    expect(days).toBe(30)
    // An organizer restores what somebody else deleted; another guest cannot.
    expect(await refusal(restore(gus, ofAna))).toEqual(noSuchPhoto)
    await restore(olivia, ofGus)
    expect(await deleted(olivia, event_id)).toEqual([ofAna.event_photo_id])
  })

  test('can be restored for thirty days, unless its event is deleted', async () => {
    const { event_id } = await aParty()
    const photo = await upload(gus, event_id)
    expect(await refusal(restore(ana, photo))).toEqual(noSuchPhoto)
    await gus.api.gallery.deletePhoto(photo)
    await deletedAgo(photo, 30)
    expect(await deleted(olivia, event_id)).toEqual([])
    expect(await refusal(restore(gus, photo))).toEqual(noSuchPhoto)
    await deletedAgo(photo, 29)
    await olivia.api.events.deleteEvent({ event_id })
    expect(await refusal(restore(gus, photo))).toEqual(noSuchPhoto)
  })

  test('takes its place in the quota again, once, and stays deleted without one', async () => {
    const { event_id } = await aParty()
    const [first, second] = [await upload(gus, event_id), await upload(gus, event_id)]
    await gus.api.gallery.deletePhoto(first)
    const twice = await Promise.allSettled([restore(gus, first), restore(olivia, first)])
    expect(twice.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    await gus.api.gallery.deletePhoto(second)
    const third = await upload(gus, event_id)
    const full = says("You've exceeded the maximum number of photos allowed to be uploaded.")
    for (const who of [gus, olivia]) expect(await refusal(restore(who, second))).toEqual(full)
    await gus.api.gallery.deletePhoto(third)
    await restore(gus, second)
    expect(await refusal(upload(gus, event_id))).toMatchObject({ status: 400 })
  })

  test('that an organizer took down can be restored by organizers only, even if its uploader deletes it later', async () => {
    const { event_id } = await aParty()
    const photo = await upload(gus, event_id)
    await olivia.api.gallery.deletePhoto(photo)
    expect(await deleted(gus, event_id)).toEqual([])
    expect(await refusal(restore(gus, photo))).toEqual(
      says('The organizers chose to leave this picture out of the album.'),
    )
    expect(await deleted(olivia, event_id)).toEqual([photo.event_photo_id])
    await restore(olivia, photo)
    await gus.api.gallery.deletePhoto(photo)
    await restore(gus, photo)
    // A guest who becomes an organizer decides as one.
    await olivia.api.gallery.deletePhoto(photo)
    await olivia.api.events.makeOrganizer({ event_id, user_id: gus.id })
    expect(await deleted(gus, event_id)).toEqual([photo.event_photo_id])
    await restore(gus, photo)
  })

  test('is announced to everyone in the event when restored', async () => {
    const { chatId: _, event, otherEvent: __, ...members } = cast
    const photo = await upload(gus, event.id)
    await gus.api.gallery.deletePhoto(photo)
    const { heardOf } = await openAudience(app, members)
    const heard = await heardOf(() => restore(gus, photo))
    expectHeard(heard, { olivia: ['photo.created'], gus: ['photo.created'] })
    expect(heard.olivia[0]?.payload).toEqual(await olivia.extra.gallery.readPhoto(photo))
    expectHeard(await heardOf(() => restore(gus, photo)), {})
  })
})

describe('a deleted photo of an attachment', () => {
  const inAlbum = async () => {
    const { event_id, group_chat_id } = await aParty()
    const sent = await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Look', attachments: [image] })
    const attachment = { message_attachment_id: sent.attachments[0]?.id ?? 0 }
    const added = await olivia.api.chats.addToAlbum(attachment)
    const photo = { event_photo_id: Number(added.id) }
    await gus.api.gallery.deletePhoto(photo)
    const shown = async () => {
      const { data } = await gus.api.chats.listMessages({ group_chat_id, ...paged })
      return data.flatMap(({ attachments }) => attachments.map(each => each.message_attachment_added_to_album))
    }
    return { event_id, message_id: Number(sent.id), attachment, photo, url: added.event_photo_url, shown }
  }

  test('is restored beside its attachment, which is in the album again', async () => {
    const { photo, attachment, url, shown } = await inAlbum()
    expect(await shown()).toEqual([false])
    await restore(gus, photo)
    expect(await shown()).toEqual([true])
    await gus.api.gallery.deletePhoto(photo)
    await restore(gus, photo)
    await gus.api.chats.deleteAttachment(attachment)
    expect((await fetch(url)).status).toBe(200)
  })

  test('is restored after its message was deleted', async () => {
    const { photo, message_id, url } = await inAlbum()
    await gus.api.chats.deleteMessage({ message_id })
    expect((await fetch(url)).status).toBe(404)
    await restore(gus, photo)
    expect((await fetch(url)).status).toBe(200)
    await gus.api.gallery.deletePhoto(photo)
    expect((await fetch(url)).status).toBe(404)
  })

  test('stays deleted if the attachment has become another photo, even simultaneously', async () => {
    const { photo, attachment } = await inAlbum()
    const results = await Promise.allSettled([restore(olivia, photo), gus.api.chats.addToAlbum(attachment)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const again = await inAlbum()
    await gus.api.chats.addToAlbum(again.attachment)
    expect(await refusal(restore(gus, again.photo))).toEqual(says('The attachment is in the gallery'))
  })
})

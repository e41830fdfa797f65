import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { wrongGalleries } from '../../test/gallery-state.ts'
import { party } from '../../test/party.ts'
import { anew, jpeg } from '../../test/pictures.ts'
import { transact } from '../platform/database/database.ts'
import { Refused } from '../platform/http/refusals.ts'
import { removeMedia } from '../platform/media/records.ts'
import { addAttachmentToAlbum, leaveMediaToPhotos } from './album.ts'

const app = await openTestApp({ photosPerGuest: 1 })
const { db } = app
const { olivia, gus, event, chatId } = await party(app)
const event_id = event.id
const image = new Blob([await jpeg({ width: 64, height: 48 })])
await gus.api.gallery.uploadPhoto({ event_id, image })

/** A message's picture, as a chat stores it; each with different bytes. */
const attachment = async () => {
  const { attachments } = await gus.extra.chats.saveMessage({
    group_chat_id: chatId,
    message_content: 'Look',
    attachments: [await anew(image)],
  })
  const attachmentId = attachments[0]?.id ?? 0
  const { media_id } = await db
    .selectFrom('attachments')
    .select('media_id')
    .where('id', '=', attachmentId)
    .executeTakeFirstOrThrow()
  const by = { id: olivia.id, standing: 'organizer' as const }
  return { eventId: event_id, mediaId: media_id, takenBy: gus.id, attachmentId, by }
}
type Attachment = Awaited<ReturnType<typeof attachment>>

/** Undefined if the album already has its bytes. */
const add = (picture: Attachment) =>
  transact(db, tx => addAttachmentToAlbum(tx, picture)).catch(refused =>
    refused instanceof Refused && refused.code === 'alreadyInAlbum' ? undefined : Promise.reject(refused),
  )
const deletePhoto = (id: number | undefined) => olivia.api.gallery.deletePhoto({ event_photo_id: id ?? 0 })
/** Deletes an attachment as a chat does. */
const deleteAttachment = ({ attachmentId, mediaId }: Attachment) =>
  transact(db, async tx => {
    const left = await leaveMediaToPhotos(tx, [attachmentId, 999_999])
    if (!left.has(attachmentId)) await removeMedia(tx, [mediaId])
    return [...left]
  })
const isRemoved = async ({ mediaId }: Attachment) => {
  const { removed_at } = await db
    .selectFrom('media')
    .select('removed_at')
    .where('id', '=', mediaId)
    .executeTakeFirstOrThrow()
  return removed_at !== null
}

afterAll(async () => expect(await wrongGalleries(db)).toEqual({}))

test('an attachment becomes one photo, even if several people add it at once', async () => {
  const picture = await attachment()
  const added = await Promise.all(Array.from({ length: 8 }, () => add(picture)))
  const [id, ...others] = added.filter(one => one !== undefined)
  expect(others).toEqual([])
  const shown = await gus.extra.gallery.readPhoto({ event_photo_id: id ?? 0 })
  expect(shown).toMatchObject({ taken_by: { id: gus.id }, extra: { width: 64, caption: null } })
  expect((await fetch(shown.event_photo_url)).status).toBe(200)
  expect(await add(picture)).toBeUndefined()
  const { data } = await gus.api.gallery.listPhotos({ event_id, page: 2, page_length: 1 })
  expect(data).toHaveLength(1)
})

test('a photo from an attachment takes no place in the quota, and frees none', async () => {
  expect((await add(await attachment())) ?? 0).toBeGreaterThan(0)
  await deletePhoto(await add(await attachment()))
  await expect(gus.api.gallery.uploadPhoto({ event_id, image: await anew(image) })).rejects.toMatchObject({
    status: 400,
  })
})

test('deleting such a photo leaves the attachment its picture, and it can be added again', async () => {
  const picture = await attachment()
  const id = await add(picture)
  await deletePhoto(id)
  expect(await isRemoved(picture)).toBe(false)
  expect((await add(picture)) ?? 0).toBeGreaterThan(id ?? 0)
})

test('such a photo outlives its attachment, and then owns the picture', async () => {
  const picture = await attachment()
  const id = await add(picture)
  expect(await deleteAttachment(picture)).toEqual([picture.attachmentId])
  expect(await isRemoved(picture)).toBe(false)
  const { event_photo_url } = await gus.api.gallery.readPhoto({ event_photo_id: id ?? 0 })
  expect((await fetch(event_photo_url)).status).toBe(200)
  await deletePhoto(id)
  expect(await isRemoved(picture)).toBe(true)
  expect((await fetch(event_photo_url)).status).toBe(404)
})

test('deleting photo and attachment at the same time removes the picture too', async () => {
  for (let round = 0; round < 10; round++) {
    const picture = await attachment()
    const id = await add(picture)
    await Promise.all([deletePhoto(id), deleteAttachment(picture)])
    expect(await isRemoved(picture)).toBe(true)
  }
})

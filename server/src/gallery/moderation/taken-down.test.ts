import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { expectHeard, openAudience } from '../../../test/audience.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { wrongGalleries } from '../../../test/gallery-state.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { anew, png } from '../../../test/pictures.ts'
import { refusal, says } from '../../../test/refused.ts'

/* A photo that an organizer took down stays down for everybody but organizers, however its bytes arrive again. */

const app = await openTestApp()
const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
const picture = new Blob([await png({ width: 24, height: 16 })])
const said = 'The organizers chose to leave this picture out of the album.'
const paged = { page: 1, page_length: 50 }

afterAll(async () => expect(await wrongGalleries(app.db)).toEqual({}))

const openParty = async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  const image = await anew(picture)
  const upload = async (by: Member, bytes: Blob = image) => ({
    event_photo_id: Number((await by.api.gallery.uploadPhoto({ event_id, image: bytes })).id),
  })
  const send = async (by: Member, bytes: Blob = image) => {
    const fields = { group_chat_id, message_content: 'Look', attachments: [bytes] }
    const { id, attachments } = await by.api.chats.saveMessage(fields)
    return { message_id: Number(id), message_attachment_id: attachments[0]?.id ?? 0 }
  }
  const add = (by: Member, { message_attachment_id }: { message_attachment_id: number }) =>
    by.api.chats.addToAlbum({ message_attachment_id })
  const album = async (of: Member) =>
    (await of.api.gallery.listPhotos({ event_id, ...paged })).data.map(({ id }) => Number(id))
  return { event_id, group_chat_id, image, upload, send, add, album }
}
const taken = { status: 400, body: { error: said } }

describe.each(['hides', 'deletes'])('a photo that an organizer %s', how => {
  const takeDown = (photo: { event_photo_id: number }) =>
    how === 'hides' ? olivia.api.gallery.hidePhoto(photo) : olivia.api.gallery.deletePhoto(photo)

  test('cannot be uploaded again by a guest, under any name and with any bytes after its end', async () => {
    const { image, upload, album } = await openParty()
    const photo = await upload(gus)
    await takeDown(photo)
    expect(await refusal(upload(ana))).toEqual(taken)
    expect(await refusal(upload(ana, new File([image], 'another-name.png')))).toEqual(taken)
    expect(await refusal(upload(ana, new Blob([image, 'and more'])))).toEqual(taken)
    if (how === 'deletes') expect(await refusal(upload(gus))).toEqual(taken)
    // Its uploader still has it, and it stays hidden.
    else expect(await upload(gus)).toEqual(photo)
    expect(await album(ana)).toEqual([])
  })

  test('cannot return through an attachment with its bytes, and only its uploader learns why', async () => {
    const { upload, send, add, album } = await openParty()
    const ofAna = await send(ana)
    await takeDown(await upload(gus))
    expect(await refusal(add(ana, ofAna))).toEqual(says(said))
    const ofGus = await send(gus)
    expect(await refusal(add(ana, ofGus))).toEqual(says('You do not have permission to upload this image.'))
    expect(await album(ana)).toEqual([])
  })

  test('cannot return through another deleted photo with its bytes', async () => {
    const { upload, album } = await openParty()
    const first = await upload(gus)
    await gus.api.gallery.deletePhoto(first)
    await takeDown(await upload(ana))
    expect(await refusal(gus.api.gallery.restorePhoto(first))).toEqual(says(said))
    expect(await album(gus)).toEqual([])
  })

  test('stays down when its uploader deletes, restores, or adds it again', async () => {
    const { upload, album } = await openParty()
    const photo = await upload(gus)
    await takeDown(photo)
    await gus.api.gallery.deletePhoto(photo)
    expect(await refusal(upload(gus))).toEqual(taken)
    await gus.api.gallery.restorePhoto(photo).catch(() => {})
    expect(await album(ana)).toEqual([])
  })

  test('can be restored by an organizer, and is then everybody’s again', async () => {
    const { upload, send, add, album } = await openParty()
    const photo = await upload(gus)
    await takeDown(photo)
    if (how === 'hides') await olivia.api.gallery.unhidePhoto(photo)
    else await olivia.api.gallery.restorePhoto(photo)
    expect(await upload(ana)).toEqual(photo)
    await takeDown(photo)
    if (how === 'hides') await gus.api.gallery.deletePhoto(photo)
    const again = Number((await add(olivia, await send(gus))).id)
    expect(await album(ana)).toEqual([again])
  })
})

test('a hidden photo’s bytes in the chat look like any others', async () => {
  const { group_chat_id, upload, send } = await openParty()
  const before = await send(ana)
  const photo = await upload(gus)
  await olivia.api.gallery.hidePhoto(photo)
  const after = await send(ana)
  const other = await send(ana, await anew(picture))
  for (const viewer of [ana, gus, olivia]) {
    const { data } = await viewer.extra.chats.listMessages({ group_chat_id, ...paged })
    const shown = [before, after, other].map(({ message_id }) => {
      const { extra, attachments } = data.find(({ id }) => Number(id) === message_id) ?? { attachments: [] }
      return [Object.keys(extra ?? {}), attachments.map(each => each.message_attachment_added_to_album)]
    })
    expect(shown[0]).toEqual(shown[2])
    expect(shown[1]).toEqual(shown[2])
  }
  // Messages that show them say whether they are in the album once they are.
  const audience = await openAudience(app, { ana })
  const heard = await audience.heardOf(() => olivia.api.gallery.unhidePhoto(photo))
  expectHeard(heard, { ana: ['photo.created', 'photo.updated', 'message.updated', 'message.updated'] })
})

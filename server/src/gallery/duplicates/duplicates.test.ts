import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import type { Member } from '../../../test/cast.ts'
import { galleryRows, wrongGalleries } from '../../../test/gallery-state.ts'
import { withoutHolders } from '../../../test/link-holders.ts'
import { bringIn, evening, party } from '../../../test/party.ts'
import { anew, jpeg } from '../../../test/pictures.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'

const quota = 4
const app = await openTestApp({ photosPerGuest: quota })
const { olivia, gus, asha, sam, remy, gwen } = await party(app)
const picture = await jpeg({ width: 320, height: 240, seed: 3 })
const image = new Blob([picture])
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const partyOf = async (...guests: Member[]) => {
  const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  for (const guest of guests) await bringIn(olivia, id, guest)
  return { event_id: id, group_chat_id }
}
const upload = async (by: Member, event_id: number, of: Blob = image, fields = {}) =>
  by.extra.gallery.uploadPhoto({ event_id, image: of, ...fields })
const listed = async (event_id: number) =>
  (await olivia.extra.gallery.listPhotos({ event_id, page: 1, page_length: 20 })).data
const files = async () => (await Array.fromAsync(app.storage.stored())).map(({ sha256 }) => sha256).sort()
const fileOf = async (bytes: Promise<Buffer>) => new Blob([new Uint8Array(await bytes)])

afterAll(async () => expect(await wrongGalleries(app.db)).toEqual({}))

describe('the same bytes again', () => {
  test('are answered with the existing photo, and change nothing', async () => {
    const { event_id } = await partyOf(gus)
    const { extra, ...first } = await upload(gus, event_id, image, { event_photo_caption: 'The pier' })
    const before = { rows: await galleryRows(app.db), files: await files() }
    for (const by of [gus, olivia])
      expect(withoutHolders(await upload(by, event_id, image, { event_photo_caption: 'Again' }))).toMatchObject({
        ...withoutHolders(first),
        extra: { caption: extra?.caption, same_as: null },
      })
    expect({ rows: await galleryRows(app.db), files: await files() }).toEqual(before)
  })

  test('need no place in the quota, even sent all at once', async () => {
    const { event_id } = await partyOf(gus)
    const photos = await Promise.all(Array.from({ length: 6 }, () => upload(gus, event_id)))
    expect(new Set(photos.map(({ id }) => id)).size).toBe(1)
    for (let taken = 1; taken < quota; taken++) await upload(gus, event_id, await anew(image))
    expect((await upload(gus, event_id)).id).toBe(photos[0]?.id)
    expect((await refusal(upload(gus, event_id, await anew(image)))).status).toBe(400)
    expect(await listed(event_id)).toHaveLength(quota)
  })

  test('become a new photo in another event, and after the first is deleted', async () => {
    const [one, other] = [await partyOf(gus), await partyOf(gus)]
    const first = await upload(gus, one.event_id)
    expect((await upload(gus, other.event_id)).id).not.toBe(first.id)
    await gus.api.gallery.deletePhoto({ event_photo_id: Number(first.id) })
    const again = await upload(gus, one.event_id)
    expect(again.id).not.toBe(first.id)
    expect(again.extra?.same_as).toBe(null)
  })

  test('are stored once in chat and album', async () => {
    const { event_id, group_chat_id } = await partyOf(gus)
    const own = new Blob([await jpeg({ width: 1000, height: 700, seed: 41 })])
    const before = await files()
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Look', attachments: [own] })
    const sent = await files()
    expect(sent.length).toBe(before.length + 4)
    await upload(gus, event_id, own)
    expect(await files()).toEqual(sent)
  })

  test('added from the chat are the photo that an upload of them returns', async () => {
    const { event_id, group_chat_id } = await partyOf(gus)
    const fields = { group_chat_id, message_content: 'Look', attachments: [image] }
    const { attachments } = await gus.api.chats.saveMessage(fields)
    const photo = await olivia.api.chats.addToAlbum({ message_attachment_id: attachments[0]?.id ?? 0 })
    expect((await upload(gus, event_id)).id).toBe(photo.id)
  })
})

describe('a picture that looks the same', () => {
  test('is marked, whatever its size and encoding, and stays a photo of its own', async () => {
    const { event_id } = await partyOf(gus)
    const first = await upload(gus, event_id, await fileOf(jpeg({ width: 1600, height: 1200, seed: 11 })))
    const other = await upload(gus, event_id, await fileOf(jpeg({ width: 1600, height: 1200, seed: 12 })))
    const messenger = sharp(await jpeg({ width: 1600, height: 1200, seed: 11 }))
    const sent = await upload(
      olivia,
      event_id,
      await fileOf(messenger.clone().resize(800).jpeg({ quality: 60 }).toBuffer()),
    )
    const shot = await upload(
      olivia,
      event_id,
      await fileOf(messenger.clone().resize(1000).webp({ quality: 70 }).toBuffer()),
    )
    expect([first, other, sent, shot].map(({ extra }) => extra?.same_as)).toEqual([null, null, first.id, first.id])
    expect(await listed(event_id)).toHaveLength(4)
  })

  test('is no longer marked when the earlier one is deleted', async () => {
    const { event_id } = await partyOf(gus)
    const first = await upload(gus, event_id)
    const second = await upload(olivia, event_id, await anew(image))
    expect(second.extra?.same_as).toBe(first.id)
    await gus.api.gallery.deletePhoto({ event_photo_id: Number(first.id) })
    expect((await olivia.extra.gallery.readPhoto({ event_photo_id: Number(second.id) })).extra?.same_as).toBe(null)
  })

  test('is not marked if the pictures are too plain to compare', async () => {
    const { event_id } = await partyOf(gus)
    const plain = (grey: number) =>
      fileOf(
        sharp({ create: { width: 400, height: 300, channels: 3, background: { r: grey, g: grey, b: grey } } })
          .png()
          .toBuffer(),
      )
    await upload(gus, event_id, await plain(10))
    expect((await upload(gus, event_id, await plain(200))).extra?.same_as).toBe(null)
  })

  test('is only sought in the album of the event', async () => {
    const [one, other] = [await partyOf(gus), await partyOf(gus)]
    await upload(gus, one.event_id)
    expect((await upload(olivia, other.event_id)).extra?.same_as).toBe(null)
  })

  test('is found among simultaneous uploads', async () => {
    const { event_id } = await partyOf(gus, gwen)
    await Promise.all([olivia, gus, gwen].map(async by => upload(by, event_id, await anew(image))))
    const [last, middle, first] = await listed(event_id)
    expect([first, middle, last].map(photo => photo?.extra?.same_as)).toEqual([null, first?.id, first?.id])
  })
})

describe('checking before uploading', () => {
  const ask = (by: Member, event_id: number, ...sha256: string[]) => by.api.gallery.checkUploads({ event_id, sha256 })

  test('reports existing files and their uploaders', async () => {
    const { event_id } = await partyOf(gus)
    const other = await jpeg({ width: 100, height: 80, seed: 4 })
    const theirs = await upload(olivia, event_id, new Blob([other]))
    const own = await upload(gus, event_id)
    const [sha256, otherSum, unknown] = [sumOf(picture), sumOf(other), 'ab'.repeat(32)]
    const knownOf = async (by: Member) =>
      new Map((await ask(by, event_id, unknown, sha256, otherSum)).known.map(known => [known.sha256, known]))
    expect(await knownOf(gus)).toEqual(
      new Map([
        [sha256, { sha256, event_photo_id: Number(own.id), mine: true }],
        [otherSum, { sha256: otherSum, event_photo_id: Number(theirs.id), mine: false }],
      ]),
    )
    expect((await knownOf(olivia)).get(sha256)).toMatchObject({ event_photo_id: Number(own.id), mine: false })
    await olivia.api.gallery.deletePhoto({ event_photo_id: Number(theirs.id) })
    expect((await knownOf(gus)).has(otherSum)).toBe(false)
  })

  test('ignores chats and other albums', async () => {
    const [one, other] = [await partyOf(gus), await partyOf(gus)]
    await gus.api.chats.saveMessage({ group_chat_id: one.group_chat_id, message_content: 'x', attachments: [image] })
    await upload(gus, other.event_id)
    expect(await ask(gus, one.event_id, sumOf(picture))).toEqual({ known: [] })
  })

  test('is for members, with a limited number of valid sums', async () => {
    const { event_id } = await partyOf(gus)
    const sum = sumOf(picture)
    for (const outsider of [asha, sam, remy, gwen])
      expect(await refusal(ask(outsider, event_id, sum))).toEqual(
        says('The user is neither a guest nor an organizer of the event'),
      )
    expect(await refusal(ask(gus, 999_999, sum))).toEqual(notFound('Event not found!'))
    expect(await refusal(ask(gus, event_id))).toEqual(invalid('sha256', 'The sha256 field is required.'))
    expect(await refusal(ask(gus, event_id, ...Array(201).fill(sum)))).toEqual(
      invalid('sha256', 'The sha256 field must not have more than 200 items.'),
    )
    expect((await refusal(ask(gus, event_id, sum.toUpperCase()))).status).toBe(400)
    expect((await ask(gus, event_id, ...Array(200).fill(sum))).known).toEqual([])
  })
})

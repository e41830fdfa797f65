import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { bringIn, evening, party } from '../../../test/party.ts'
import { anew, jpeg, png } from '../../../test/pictures.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'

const app = await openTestApp()
const { olivia, gus, asha, sam, remy, gwen, chatId, event } = await party(app)
const guest = await enter(app, 'ana')
await bringIn(olivia, event.id, guest)
const notInEvent = says('The user is neither a guest nor an organizer of the event')
const mayNotAdd = says('You do not have permission to upload this image.')
const inGallery = says('The attachment is in the gallery')
const noSuchAttachment = notFound('Attachment not found!')
const pictures = await Promise.all([1, 2, 3].map(async seed => new Blob([await jpeg({ width: 32, height: 24, seed })])))

const send = async (who: Member, count = 1, group_chat_id = chatId) =>
  who.api.chats.saveMessage({
    group_chat_id,
    message_content: 'Look',
    attachments: await Promise.all(Array.from({ length: count }, (_, at) => anew(pictures[at % 3] as Blob))),
  })
const newAttachment = async (who: Member) => {
  const message = await send(who)
  const [attachment] = message.attachments
  return {
    message_id: Number(message.id),
    message_attachment_id: attachment?.id as number,
    url: attachment?.message_attachment_url as string,
  }
}
const add = (who: Member, { message_attachment_id }: { message_attachment_id: number }) =>
  who.api.chats.addToAlbum({ message_attachment_id })
const photosIn = async (eventId: number) =>
  (await olivia.api.gallery.listPhotos({ event_id: eventId, page: 1, page_length: 100 })).data
const livingMedia = async () =>
  (await sql<{ count: number }>`select count(*) from media where removed_at is null`.execute(app.db)).rows[0]?.count

describe('pictures in a message', () => {
  test('keep the order of sending, whichever is on disk first', { tags: 'slow' }, async () => {
    const widths = Array.from({ length: 10 }, (_, at) => 40 - at)
    const attachments = await Promise.all(
      widths.map(async (width, seed) => new Blob([await png({ width, height: 20, seed })])),
    )
    for (let round = 0; round < 6; round++) {
      const message = { group_chat_id: chatId, message_content: 'In order', attachments }
      const sent = await gus.extra.chats.saveMessage(message)
      expect(sent.attachments.map(({ extra }) => extra?.width)).toEqual(widths)
    }
  })

  test('come back in order, with links that work, under every name of the field', async () => {
    const form = (name: (at: number) => string) => {
      const fields = new FormData()
      fields.append('group_chat_id', String(chatId))
      fields.append('message_content', 'Two')
      for (const at of [0, 1]) fields.append(name(at), pictures[at] as Blob, `${at}.jpg`)
      return fields
    }
    for (const name of [() => 'attachments', () => 'attachments[]', (at: number) => `attachments[${at}]`]) {
      const headers = { authorization: `Bearer ${gus.token}` }
      const reply = await fetch(`${app.url}/api/message?include=extra`, { method: 'POST', headers, body: form(name) })
      const message = (await reply.json()) as Awaited<ReturnType<typeof send>>
      expect(message.attachments).toHaveLength(2)
      for (const attachment of message.attachments) {
        expect(attachment).toMatchObject({ message_attachment_added_to_album: false, user: { id: gus.id } })
        expect(attachment.extra).toMatchObject({
          width: 32,
          height: 24,
          message_id: Number(message.id),
          may: { add_to_album: true, delete: true },
        })
        for (const url of [attachment.message_attachment_url, attachment.extra?.preview_url as string])
          expect((await fetch(url)).headers.get('content-type')).toMatch(/^image\//)
      }
    }
  })

  test('need a text', async () => {
    const wordless = { group_chat_id: chatId, attachments: pictures } as unknown as { message_content: string }
    expect(await refusal(gus.api.chats.saveMessage({ ...wordless, group_chat_id: chatId }))).toEqual(
      invalid('message_content', 'The message content field is required.'),
    )
  })

  test('files that are no pictures are refused, and nothing of the message is stored', async () => {
    const before = await livingMedia()
    const { rows } = await sql`select from messages`.execute(app.db)
    const cutOff = new Blob([(await jpeg({ width: 64, height: 64 })).subarray(0, 300)])
    for (const file of [new Blob(['no picture']), cutOff]) {
      const message = { group_chat_id: chatId, message_content: 'x', attachments: [pictures[0] as Blob, file] }
      expect(await refusal(gus.api.chats.saveMessage(message))).toEqual(
        invalid('attachments', 'The attachments field must be an image.'),
      )
    }
    expect(await refusal(send(sam))).toEqual(notInEvent)
    expect(await livingMedia()).toBe(before)
    expect((await sql`select from messages`.execute(app.db)).rows).toHaveLength(rows.length)
  })
})

describe('adding to the album', () => {
  test('makes the sender the photo’s uploader, for the sender, an organizer and other guests', async () => {
    for (const adder of [gus, olivia, guest]) {
      const attachment = await newAttachment(gus)
      const photo = await adder.extra.chats.addToAlbum(attachment)
      expect(photo).toMatchObject({ event_id: String(event.id), taken_by: { id: gus.id }, liked: false })
      expect(photo.extra).toMatchObject({ width: 32, height: 24, video: false })
      expect((await fetch(photo.event_photo_url)).status).toBe(200)
      expect((await photosIn(event.id))[0]?.id).toBe(photo.id)
      expect(await refusal(add(adder, attachment))).toEqual(inGallery)
    }
  })

  test('shows the photo to the person who adds it, even if it waits or they see no album', async () => {
    const unseen = [
      { event_photo_approval: 'album' },
      { event_photos_shown: 'never' },
      { event_album_for: 'coming' },
    ] as const
    for (const fields of unseen) {
      const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening(fields))
      for (const one of [gus, guest]) await bringIn(olivia, event_id, one)
      await guest.api.plans.answerEvent({ event_id, event_answer: 'no' })
      const attachments = [await anew(pictures[0] as Blob)]
      const sent = await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Look', attachments })
      const attachment = { message_attachment_id: sent.attachments[0]?.id ?? 0 }
      const photo = await guest.api.chats.addToAlbum(attachment)
      expect(photo).toMatchObject({ event_id: String(event_id), taken_by: { id: gus.id } })
      expect(await refusal(add(guest, attachment))).toEqual(inGallery)
      expect(await refusal(guest.api.gallery.readPhoto({ event_photo_id: Number(photo.id) }))).toMatchObject({
        status: 404,
      })
      expect(await gus.api.gallery.readPhoto({ event_photo_id: Number(photo.id) })).toMatchObject({ id: photo.id })
    }
  })

  test('two people who add a picture to the album at once add it once', async () => {
    const before = (await photosIn(event.id)).length
    const attachment = await newAttachment(gus)
    const results = await Promise.allSettled([add(gus, attachment), add(olivia, attachment), add(guest, attachment)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(await refusal(Promise.reject(result.reason))).toEqual(inGallery)
    expect(await photosIn(event.id)).toHaveLength(before + 1)
  })

  test('is refused to strangers, who do not learn whether it is in the album', async () => {
    const attachment = await newAttachment(gus)
    await add(gus, attachment)
    for (const outsider of [asha, sam, remy, gwen]) expect(await refusal(add(outsider, attachment))).toEqual(mayNotAdd)
    expect(await refusal(add(gus, { message_attachment_id: 999_999 }))).toEqual(noSuchAttachment)
  })

  test('can be limited to senders and organizers, and ends with the event', async () => {
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(
      evening({ event_attachments_to_album: false }),
    )
    await bringIn(olivia, event_id, gus)
    await bringIn(olivia, event_id, guest)
    const ids = (await send(gus, 3, group_chat_id)).attachments.map(({ id }) => ({ message_attachment_id: id }))
    const may = async (who: Member) => {
      const { data } = await who.extra.chats.listAttachments({ group_chat_id, page: 1, page_length: 1 })
      return data[0]?.extra?.may
    }
    expect(await refusal(add(guest, ids[0] as never))).toEqual(mayNotAdd)
    expect(await may(guest)).toEqual({ add_to_album: false, delete: false })
    expect(await may(olivia)).toEqual({ add_to_album: true, delete: true })
    await add(gus, ids[0] as never)
    await add(olivia, ids[1] as never)
    await olivia.api.events.cancelEvent({ event_id })
    expect(await refusal(add(olivia, ids[2] as never))).toEqual(mayNotAdd)
    expect(await may(olivia)).toEqual({ add_to_album: false, delete: true })
  })

  test('can be repeated after the photo is deleted, as the attachment keeps the picture', async () => {
    const attachment = await newAttachment(gus)
    const photo = await add(gus, attachment)
    await gus.api.gallery.deletePhoto({ event_photo_id: Number(photo.id) })
    expect((await fetch(attachment.url)).status).toBe(200)
    expect((await add(guest, attachment)).id).not.toBe(photo.id)
  })
})

describe('deleting', () => {
  test('an attachment takes its picture away, unless a photo shows it', async () => {
    const [lone, shared] = [await newAttachment(gus), await newAttachment(gus)]
    const photo = await add(gus, shared)
    expect(await gus.api.chats.deleteAttachment(lone)).toEqual({ done: true })
    expect(await olivia.api.chats.deleteAttachment(shared)).toEqual({ done: true })
    expect([(await fetch(lone.url)).status, (await fetch(photo.event_photo_url)).status]).toEqual([404, 200])
    expect(await gus.api.chats.deleteAttachment(lone)).toEqual({ done: true })
    expect(await refusal(add(gus, lone))).toEqual(noSuchAttachment)
    const { data } = await gus.api.chats.listMessages({
      group_chat_id: chatId,
      message_id: lone.message_id,
      page: 1,
      page_length: 1,
    })
    expect(data[0]).toMatchObject({ message_content: 'Look', attachments: [] })
  })

  test('a message keeps the photo made from it', async () => {
    const attachment = await newAttachment(gus)
    const photo = await add(gus, attachment)
    await gus.api.chats.deleteMessage(attachment)
    expect((await fetch(photo.event_photo_url)).status).toBe(200)
    await gus.api.gallery.deletePhoto({ event_photo_id: Number(photo.id) })
    expect((await fetch(photo.event_photo_url)).status).toBe(404)
  })

  test('an attachment is allowed to its sender and the organizers alone', async () => {
    const attachment = await newAttachment(gus)
    const mayNot = says('You do not have permission to delete this attachment.')
    expect(await refusal(guest.api.chats.deleteAttachment(attachment))).toEqual(mayNot)
    for (const outsider of [asha, sam, remy, gwen])
      expect(await refusal(outsider.api.chats.deleteAttachment(attachment))).toEqual(notInEvent)
  })

  test('an attachment while adding it leaves either a photo with its picture or none', async () => {
    for (let round = 0; round < 6; round++) {
      const attachment = await newAttachment(gus)
      const [added] = await Promise.allSettled([add(guest, attachment), gus.api.chats.deleteAttachment(attachment)])
      if (added.status === 'fulfilled') expect((await fetch(added.value.event_photo_url)).status).toBe(200)
      else expect(await refusal(Promise.reject(added.reason))).toEqual(noSuchAttachment)
    }
  })
})

describe("a chat's attachments", () => {
  test('are listed newest first, page by page, also after deletions', async () => {
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, event_id, gus)
    const sent = []
    for (const count of [3, 1, 4, 2]) sent.push((await send(gus, count, group_chat_id)).attachments.map(({ id }) => id))
    const list = async (page: number, page_length: number, who: Member = gus) =>
      who.api.chats.listAttachments({ group_chat_id, page, page_length })
    const all = sent.flat().reverse()
    expect((await list(1, 100)).data.map(({ id }) => id)).toEqual(all)
    for (const at of [8, 3, 2]) {
      const [gone] = all.splice(at, 1)
      await gus.api.chats.deleteAttachment({ message_attachment_id: gone as number })
    }
    const pages = []
    for (let page = 1; page <= 4; page++) pages.push(await list(page, 2))
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(all)
    expect(pages.map(({ next_page_url }) => next_page_url !== null)).toEqual([true, true, true, false])
    expect((await list(9, 2)).data).toEqual([])
    for (const outsider of [asha, sam, gwen]) expect(await refusal(list(1, 2, outsider))).toEqual(notInEvent)
    expect(await refusal(gus.api.chats.listAttachments({ group_chat_id: 999_999, page: 1, page_length: 2 }))).toEqual(
      notFound('Group chat not found!'),
    )
  })
})

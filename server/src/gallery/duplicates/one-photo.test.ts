import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { wrongGalleries } from '../../../test/gallery-state.ts'
import { bringIn, party } from '../../../test/party.ts'
import { anew, jpeg } from '../../../test/pictures.ts'
import { notFound, refusal, says } from '../../../test/refused.ts'

const app = await openTestApp()
const { olivia, gus, event, chatId: group_chat_id } = await party(app)
const { id: event_id } = event
const ana = await enter(app, 'ana')
await bringIn(olivia, event_id, ana)
const drawn = new Blob([await jpeg({ width: 64, height: 48, seed: 3 })])
const inGallery = says('The attachment is in the gallery')

const upload = (by: Member, image: Blob, fields = {}) => by.extra.gallery.uploadPhoto({ event_id, image, ...fields })
const post = (by: Member, image: Blob) =>
  by.extra.chats.saveMessage({ group_chat_id, message_content: 'Look', attachments: [image] })
type Message = Awaited<ReturnType<typeof post>>
const add = (by: Member, { attachments }: Message) =>
  by.extra.chats.addToAlbum({ message_attachment_id: attachments[0]?.id ?? 0 })
const photos = async () =>
  (await olivia.extra.gallery.listPhotos({ event_id, page: 1, page_length: 100, sort: 'oldest' })).data
/** The message as a chat shows it: its list is cached, and must not be older than the album. */
const saysInAlbum = async ({ id }: Message, viewer = gus) => {
  const page = { group_chat_id, message_id: Number(id), page: 1, page_length: 1 }
  const [message] = (await viewer.extra.chats.listMessages(page)).data
  const [{ message_attachment_added_to_album: added, extra } = {}] = message?.attachments ?? []
  expect(extra?.may.add_to_album).toBe(!added)
  return added
}
const madeBy = async (work: () => Promise<unknown>) => {
  const before = (await photos()).length
  await work()
  return (await photos()).slice(before)
}

afterAll(async () => expect(await wrongGalleries(app.db)).toEqual({}))

describe('the same bytes become one photo', () => {
  test.each([
    ['uploaded, then posted', ['upload', 'post']],
    ['posted, then uploaded', ['post', 'upload']],
    ['posted, posted and added, then uploaded', ['post', 'post', 'add', 'upload']],
    ['posted and added, then posted', ['post', 'add', 'post']],
    ['uploaded, posted, uploaded', ['upload', 'post', 'upload']],
  ] as const)('%s: by one person, and by two', async (_, acts) => {
    for (const people of [
      [gus, gus, gus, gus],
      [gus, ana, ana, olivia],
      [ana, gus, olivia, ana],
    ]) {
      const image = await anew(drawn)
      const messages: Message[] = []
      const ids: string[] = []
      const made = await madeBy(async () => {
        for (const [at, act] of acts.entries()) {
          const by = people[at] as Member
          if (act === 'upload') ids.push((await upload(by, image)).id)
          else if (act === 'add') ids.push((await add(by, messages[0] as Message)).id)
          else {
            messages.push(await post(by, image))
            await saysInAlbum(messages.at(-1) as Message)
          }
        }
      })
      expect(made).toHaveLength(1)
      expect(new Set(ids)).toEqual(new Set([made[0]?.id]))
      const first = acts.findIndex(act => act === 'upload' || act === 'add')
      const owner = acts[first] === 'add' ? people[acts.indexOf('post')] : people[first]
      expect(made[0]?.taken_by.id).toBe(owner?.id)
      for (const message of messages) {
        expect(await saysInAlbum(message)).toBe(true)
        expect(await refusal(add(olivia, message))).toEqual(inGallery)
      }
      expect((await photos()).at(-1)?.id).toBe(made[0]?.id)

      await olivia.api.gallery.deletePhoto({ event_photo_id: Number(made[0]?.id) })
      for (const message of messages) expect(await saysInAlbum(message)).toBe(false)
    }
  })

  const races: Record<string, ((image: Blob, posted: Message[]) => Promise<unknown>)[]> = {
    'two uploads': [image => upload(gus, image), image => upload(ana, image)],
    'an upload and a post': [
      image => upload(gus, image),
      async (image, posted) => posted.push(await post(ana, image)),
      async (image, posted) => posted.push(await post(gus, image)),
    ],
    'an upload and two who add what was posted': [
      image => upload(ana, image),
      (_, [first]) => add(olivia, first as Message),
      (_, [, second]) => add(gus, second as Message),
    ],
    everything: [
      image => upload(ana, image),
      image => upload(gus, image),
      async (image, posted) => posted.push(await post(ana, image)),
      (_, [first]) => add(olivia, first as Message),
      (_, [, second]) => add(gus, second as Message),
      image => upload(olivia, image),
    ],
  }
  test.each(Object.entries(races))('at the same moment: %s', async (_, acts) => {
    for (let round = 0; round < 4; round++) {
      const image = await anew(drawn)
      const posted = [await post(gus, image), await post(ana, image)]
      for (const message of posted) expect(await saysInAlbum(message)).toBe(false)
      const made = await madeBy(async () => {
        const turned = [...acts.slice(round), ...acts.slice(0, round)]
        for (const result of await Promise.allSettled(turned.map(act => act(image, posted))))
          if (result.status === 'rejected') expect(await refusal(Promise.reject(result.reason))).toEqual(inGallery)
      })
      expect(made).toHaveLength(1)
      for (const message of posted) expect(await saysInAlbum(message)).toBe(true)
    }
  })

  test('and need one place in the quota, of the first uploader', async () => {
    const image = await anew(drawn)
    const places = async () => {
      const { rows } = await sql<{ user_id: number; photos_count: number }>`
        select user_id, photos_count from guests where event_id = ${event_id}`.execute(app.db)
      return new Map(rows.map(row => [row.user_id, row.photos_count]))
    }
    const before = await places()
    await upload(gus, image)
    await upload(ana, image)
    const now = await places()
    expect([gus, ana].map(({ id }) => (now.get(id) ?? 0) - (before.get(id) ?? 0))).toEqual([1, 0])
  })

  test('and a deleted photo does not return beside it', async () => {
    const image = await anew(drawn)
    const first = { event_photo_id: Number((await upload(gus, image)).id) }
    await gus.api.gallery.deletePhoto(first)
    const second = await upload(ana, image)
    expect(second.taken_by.id).toBe(ana.id)
    expect(await refusal(gus.api.gallery.restorePhoto(first))).toEqual(inGallery)
    await ana.api.gallery.deletePhoto({ event_photo_id: Number(second.id) })
    expect((await gus.api.gallery.restorePhoto(first)).id).toBe(String(first.event_photo_id))
  })

  test('and a hidden photo is neither shown to another uploader nor restored', async () => {
    const image = await anew(drawn)
    const first = await upload(gus, image)
    await olivia.api.gallery.hidePhoto({ event_photo_id: Number(first.id) })
    expect((await upload(olivia, image)).id).toBe(first.id)
    expect((await upload(gus, image)).id).toBe(first.id)
    expect(await refusal(upload(ana, image))).toMatchObject({ status: 400, body: { error: expect.any(String) } })
    expect(await refusal(ana.api.gallery.readPhoto({ event_photo_id: Number(first.id) }))).toEqual(
      notFound('Event Photo not found!'),
    )
  })
})

describe('a caption with the second upload', () => {
  const told = ({ extra }: Awaited<ReturnType<typeof upload>>) => [extra?.caption, extra?.alt_text, extra?.upload]
  const words = { event_photo_caption: 'The pier', event_photo_alt_text: 'A pier at night' }
  const upTo = (was_there: boolean, taken: boolean | null) => ({
    was_there,
    caption_taken: taken,
    alt_text_taken: taken,
  })

  test('fills an empty one, and is otherwise reported as unused', async () => {
    const image = await anew(drawn)
    expect(told(await upload(gus, image))).toEqual([null, null, upTo(false, null)])
    expect(told(await upload(ana, image, words))).toEqual(['The pier', 'A pier at night', upTo(true, true)])
    const others = { event_photo_caption: 'Another', event_photo_alt_text: 'Other words' }
    expect(told(await upload(gus, image, others))).toEqual(['The pier', 'A pier at night', upTo(true, false)])
    expect(told(await upload(olivia, image, words))).toEqual(['The pier', 'A pier at night', upTo(true, true)])
    expect(
      (await gus.extra.gallery.readPhoto({ event_photo_id: (await upload(gus, image)).id })).extra,
    ).not.toHaveProperty('upload')
  })

  test('wins or loses against a simultaneous one, and the other uploader is told', async () => {
    const image = await anew(drawn)
    const both = await Promise.all(
      [gus, ana].map(by => upload(by, image, { event_photo_caption: `By ${by.username}` })),
    )
    expect(both.map(({ extra }) => extra?.upload?.caption_taken).sort()).toEqual([false, true])
    expect(new Set(both.map(({ id }) => id)).size).toBe(1)
  })

  test('is reported again to a repeated request', async () => {
    const image = await anew(drawn)
    await upload(gus, image, words)
    const key = { idempotencyKey: 'again' }
    const fields = { event_id, image, event_photo_caption: 'Later' }
    const first = await ana.extra.gallery.uploadPhoto(fields, key)
    expect(told(first)).toEqual(['The pier', 'A pier at night', { ...upTo(true, null), caption_taken: false }])
    expect(await ana.extra.gallery.uploadPhoto(fields, key)).toEqual(first)
  })
})

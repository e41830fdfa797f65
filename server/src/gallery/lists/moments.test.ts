import type { ChannelEvents } from '@afterglow/contract/realtime'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { expectHeard, openAudience } from '../../../test/audience.ts'
import { fillGallery, wrongGalleries } from '../../../test/gallery-state.ts'
import { bringIn, evening, party } from '../../../test/party.ts'
import { jpeg } from '../../../test/pictures.ts'

const app = await openTestApp({ photosPerGuest: 100_000 })
const cast = await party(app)
const { olivia, gus, event } = cast
const event_id = event.id

type Sort = 'taken_newest' | 'taken_oldest'
const pageOf = (page: number, page_length: number, sort: Sort, taken_by?: number) =>
  gus.api.gallery.listPhotos({ event_id, page, page_length, sort, ...(taken_by && { taken_by }) })
const walk = async (page_length: number, sort: Sort, taken_by?: number) => {
  const seen: number[] = []
  for (let page = 1; ; page++) {
    const reply = await pageOf(page, page_length, sort, taken_by)
    seen.push(...reply.data.map(({ id }) => Number(id)))
    if (!reply.next_page_url) return seen
  }
}
const taken = async (wish: Parameters<typeof jpeg>[0], by = gus) =>
  by.extra.gallery.uploadPhoto({ event_id, image: new Blob([await jpeg({ width: 64, height: 48, ...wish })]) })

afterAll(async () => expect(await wrongGalleries(app.db)).toEqual({}))

describe('a photo’s capture time', () => {
  test('uses the camera’s offset, else the event’s zone, and keeps the local time', async () => {
    const abroad = await olivia.api.events.saveEvent(evening({ event_timezone: 'America/New_York' }))
    const image = async (offset?: string) =>
      new Blob([await jpeg({ width: 64, height: 48, takenAt: '2026:06:21 21:04:11', ...(offset && { offset }) })])
    const photos = [
      await olivia.extra.gallery.uploadPhoto({ event_id: abroad.id, image: await image('+02:00') }),
      await olivia.extra.gallery.uploadPhoto({ event_id: abroad.id, image: await image() }),
    ]
    expect(photos.map(({ extra }) => extra?.taken_at)).toEqual(['2026-06-21T19:04:11.000Z', '2026-06-22T01:04:11.000Z'])
    const { rows } = await sql`
      select m.taken_local from photos p join media m on m.id = p.media_id where p.event_id = ${abroad.id} order by p.id`.execute(
      app.db,
    )
    expect(rows).toEqual([{ taken_local: '2026-06-21T21:04:11+02:00' }, { taken_local: '2026-06-21T21:04:11' }])
  })
})

describe('a photo’s location', () => {
  test('is shown to its uploader, everywhere, and to nobody else', async () => {
    const { heardOf } = await openAudience(app, { olivia, gus })
    const heard = await heardOf(() => taken({ gps: true, seed: 91 }))
    expectHeard(heard, { olivia: ['photo.created'], gus: ['photo.created'] })
    const place = { latitude: 47.37, longitude: 8.54 }
    const [mine, theirs] = [heard.gus[0]?.payload, heard.olivia[0]?.payload] as ChannelEvents['photo.created'][]
    expect([mine?.extra?.place, theirs?.extra?.place]).toEqual([place, null])
    const event_photo_id = Number(mine?.id)
    for (const [who, expected] of [
      [gus, place],
      [olivia, null],
    ] as const) {
      expect((await who.extra.gallery.readPhoto({ event_photo_id })).extra?.place).toEqual(expected)
      const { data } = await who.extra.gallery.listPhotos({ event_id, page: 1, page_length: 1 })
      expect(data[0]?.extra?.place).toEqual(expected)
      expect((await who.extra.gallery.likePhoto({ event_photo_id })).extra?.place).toEqual(expected)
    }
  })

  test('stays with the sender when an organizer adds their picture to the album', async () => {
    const attachments = [new Blob([await jpeg({ width: 64, height: 48, gps: true, seed: 92 })])]
    const sent = await gus.extra.chats.saveMessage({ group_chat_id: cast.chatId, message_content: 'x', attachments })
    expect(JSON.stringify(sent)).not.toMatch(/latitude/)
    const photo = await olivia.extra.chats.addToAlbum({ message_attachment_id: sent.attachments[0]?.id ?? 0 })
    expect(photo.extra?.place).toBe(null)
    const own = await gus.extra.gallery.readPhoto({ event_photo_id: Number(photo.id) })
    expect(own.extra?.place).toEqual({ latitude: 47.37, longitude: 8.54 })
  })
})

describe('pages by capture time', () => {
  test('begin with the latest or earliest photo, whenever it was added', async () => {
    const own = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, own.id, gus)
    const add = async (takenAt: string) => {
      const image = new Blob([await jpeg({ width: 64, height: 48, takenAt, offset: '+00:00' })])
      return (await gus.api.gallery.uploadPhoto({ event_id: own.id, image })).id
    }
    const [second, third, first] = [
      await add('2026:06:21 21:00:00'),
      await add('2026:06:21 23:00:00'),
      await add('2026:06:21 20:00:00'),
    ]
    const order = async (sort: Sort) =>
      (await gus.api.gallery.listPhotos({ event_id: own.id, page: 1, page_length: 5, sort })).data.map(({ id }) => id)
    expect(await order('taken_oldest')).toEqual([first, second, third])
    expect(await order('taken_newest')).toEqual([third, second, first])
  })

  test('equal a full sort, after deletions, at any depth', async () => {
    const like = Number((await taken({ seed: 93 })).id)
    await fillGallery(app.db, { like, takenBy: gus.id, count: 700 })
    await fillGallery(app.db, { like, takenBy: olivia.id, count: 300 })
    // A party's capture times: dense for hours, some equal, a few years earlier.
    await sql`
      with moved as (
        update photos set moment = case when id % 97 = 0 then timestamptz '2019-01-01' + id * interval '1 day'
          else timestamptz '2026-06-21 18:00' + (id * 7919 % 20000 / 3 * 3) * interval '1 second' end
        where event_id = ${event_id} returning 1
      ) delete from photo_quarters where event_id = ${event_id} and exists (select from moved)`.execute(app.db)
    await sql`
      insert into photo_quarters (event_id, quarter, photos)
      select event_id, floor(extract(epoch from moment) / 900), count(*) from photos
      where event_id = ${event_id} and deleted_at is null group by 1, 2`.execute(app.db)
    const sorted = async (takenBy?: number) => {
      const { rows } = await sql<{ id: number }>`
        select id from photos where event_id = ${event_id} and deleted_at is null
          and (${takenBy ?? null}::bigint is null or taken_by = ${takenBy ?? null}) order by moment, id`.execute(app.db)
      return rows.map(({ id }) => id)
    }
    const gone = (await sorted()).filter((_, at) => at % 13 === 4)
    for (let at = 0; at < gone.length; at += 20)
      await Promise.all(
        gone.slice(at, at + 20).map(event_photo_id => olivia.api.gallery.deletePhoto({ event_photo_id })),
      )
    const all = await sorted()
    expect(all.length).toBeGreaterThan(900)
    expect(await walk(47, 'taken_oldest')).toEqual(all)
    expect(await walk(100, 'taken_newest')).toEqual(all.toReversed())
    expect(await walk(61, 'taken_newest', olivia.id)).toEqual((await sorted(olivia.id)).toReversed())
    expect(await pageOf(1000, 100, 'taken_oldest')).toMatchObject({ data: [], from: null, next_page_url: null })
    expect(await pageOf(Number.MAX_SAFE_INTEGER, 100, 'taken_newest')).toMatchObject({ data: [] })
  })
})

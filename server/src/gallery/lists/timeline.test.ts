import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { fillGallery } from '../../../test/gallery-state.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { jpeg } from '../../../test/pictures.ts'

const app = await openTestApp({ photosPerGuest: 100_000 })
const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]

const hold = async () => {
  const { id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, id, gus)
  const image = new Blob([await jpeg({ width: 64, height: 48 })])
  const like = Number((await gus.api.gallery.uploadPhoto({ event_id: id, image })).id)
  await fillGallery(app.db, { like, takenBy: olivia.id, count: 240 })
  return id
}

test('a timeline counts the photos that its reader sees per quarter of an hour, by time of upload and of capture', async () => {
  const event_id = await hold()
  await sql`
    update photos set moment = timestamptz '2026-06-21 18:07' + id % 5 * interval '15 minutes',
      created_at = timestamptz '2026-06-22 09:00' + sequence * interval '10 seconds'
    where event_id = ${event_id}`.execute(app.db)
  const [hidden] = (await olivia.api.gallery.listPhotos({ event_id, page: 1, page_length: 1 })).data
  await olivia.api.gallery.hidePhoto({ event_photo_id: Number(hidden?.id) })
  const counted = async (who: typeof gus, asked: Parameters<typeof gus.api.gallery.readTimeline>[0]) => {
    const { timeline_photos_count, timeline_quarters } = await who.api.gallery.readTimeline(asked)
    const sum = timeline_quarters.reduce((total, each) => total + each.quarter_photos_count, 0)
    expect(sum).toBe(timeline_photos_count)
    return { all: sum, quarters: timeline_quarters.map(each => each.quarter_starts_at) }
  }
  expect(await counted(olivia, { event_id, by: 'taken' })).toEqual({
    all: 241,
    quarters: ['18:00', '18:15', '18:30', '18:45', '19:00'].map(at => `2026-06-21T${at}:00.000Z`),
  })
  expect(await counted(gus, { event_id })).toEqual({
    all: 240,
    quarters: ['09:00', '09:15', '09:30'].map(at => `2026-06-22T${at}:00.000Z`),
  })
  expect((await counted(gus, { event_id, taken_by: gus.id })).all).toBe(1)
})

test('the most liked photos come first, each once over all pages, ties latest first', async () => {
  const event_id = await hold()
  await sql`update photos set likes_count = id % 4 where event_id = ${event_id}`.execute(app.db)
  const walk = async (who: typeof gus, page_length: number, taken_by?: number) => {
    const seen: number[] = []
    for (let page = 1; ; page++) {
      const asked = { event_id, sort: 'most_liked', page, page_length, ...(taken_by && { taken_by }) } as const
      const reply = await who.api.gallery.listPhotos(asked)
      seen.push(...reply.data.map(({ id }) => Number(id)))
      if (!reply.next_page_url) return seen
    }
  }
  const { rows } = await sql<{ id: number; taken_by: number }>`
    select id, taken_by from photos where event_id = ${event_id} order by likes_count desc, id desc`.execute(app.db)
  expect(await walk(gus, 7)).toEqual(rows.map(({ id }) => id))
  const own = rows.filter(({ taken_by }) => taken_by === olivia.id).map(({ id }) => id)
  expect(await walk(gus, 100, olivia.id)).toEqual(own)
  const first = rows.find(({ taken_by }) => taken_by === olivia.id)?.id as number
  await olivia.api.gallery.hidePhoto({ event_photo_id: first })
  expect(await walk(gus, 60)).toEqual(rows.map(({ id }) => id).filter(id => id !== first))
  expect(await walk(olivia, 60)).toEqual(rows.map(({ id }) => id))
})

import { operationsBySlice } from '@afterglow/contract/operations'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { takeHappenings } from '../src/webhooks/store.ts'
import { type Api, openTestApp } from './app.ts'
import { enter, type Member } from './cast.ts'
import { call } from './matrix-of.ts'
import { bringIn, evening } from './party.ts'
import { anew, png } from './pictures.ts'
import { filesIn } from './zips.ts'

/* A viewer cannot pass on photos that others may not see: every state by every way out. */

const app = await openTestApp()
const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
const image = new Blob([await png({ width: 24, height: 16 })])

/** Ways for a photo by Gus to be visible to him and the organizers alone. */
const states = {
  waiting: async () => {},
  refused: (event_id: number) => olivia.api.gallery.refusePhotos({ event_id, all: true }),
  hidden: async (event_id: number, event_photo_id: number) => {
    await olivia.api.gallery.approvePhotos({ event_id, all: true })
    await olivia.api.gallery.hidePhoto({ event_photo_id })
  },
  sealed: async (event_id: number) => {
    await olivia.api.gallery.approvePhotos({ event_id, all: true })
    await olivia.api.events.saveEvent(
      evening({ event_id, event_photos_shown: 'never', event_organizers_see_photos: true }),
    )
  },
} as const satisfies Record<string, (event_id: number, event_photo_id: number) => Promise<unknown>>

/** Every operation that names a photo or a comment, and what else it needs. */
const naming = Object.entries(operationsBySlice).flatMap(([slice, all]) =>
  all.flatMap(({ name, input }) => {
    const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
    const fields = new Set(Object.keys(properties))
    return ['event_photo_id', 'event_photo_comment_id'].some(field => fields.has(field))
      ? [{ slice: slice as keyof Api, name, fields }]
      : []
  }),
)
const beside = {
  event_photo_comment: 'Nice',
  comment_reaction: '👍',
  event_photo_caption: 'Mine',
  page: 1,
  page_length: 9,
}
const unknown = { event_photo_id: 999_999, event_photo_comment_id: 999_999 }

const zipOf = async ({ token }: Member, event_id: number, query = '') => {
  const reply = await fetch(`${app.url}/api/gallery/download/${event_id}${query}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(reply.status).toBe(200)
  return (await filesIn(Buffer.from(await reply.arrayBuffer()))).map(({ name }) => name)
}

describe.each(Object.keys(states) as (keyof typeof states)[])('a photo that is %s', state => {
  test('is in no zip, link or webhook, except in a separate folder for viewers who request it', async () => {
    const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_photo_approval: 'album' }))
    for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
    const id = Number((await gus.api.gallery.uploadPhoto({ event_id, image: await anew(image) })).id)
    await states[state](event_id, id)
    await olivia.api.webhooks.makeWebhook({ event_id, webhook_url: `https://party.example/${state}` })
    await gus.api.gallery.captionPhoto({ event_photo_id: id, event_photo_caption: 'Mine' })
    for (const who of [olivia, gus, ana]) expect(await zipOf(who, event_id)).toEqual([])
    const { download_photos_count } = await olivia.api.gallery.linkAlbum({ event_id })
    expect(download_photos_count).toBe(0)
    const apart = [expect.stringMatching(/^Not in the album\/.+\.png$/)]
    expect(await zipOf(olivia, event_id, '?hidden=1')).toEqual(apart)
    expect(await zipOf(gus, event_id, '?mine=1')).toEqual(apart)
    expect(await zipOf(ana, event_id, '?hidden=1')).toEqual([])
    const chosen = await olivia.api.gallery.linkAlbum({ event_id, event_photo_ids: [id] })
    expect(chosen.download_photos_count).toBe(1)
    await sql`select place_changes(20000)`.execute(app.db)
    await app.db.transaction().execute(takeHappenings)
    const { rows } = await sql<{ kind: string }>`
      select d.kind from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where w.event_id = ${event_id} and d.kind like 'photo.%' and d.kind <> 'photo.deleted'`.execute(app.db)
    expect(rows).toEqual([])
  })
})

const ways = {
  ...states,
  deleted: (_: number, event_photo_id: number) => gus.api.gallery.deletePhoto({ event_photo_id }),
}

test.each(Object.entries(ways))('a photo that is %s answers another guest like one that never was', async (_, hide) => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_photo_approval: 'album' }))
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  const event_photo_id = Number((await gus.api.gallery.uploadPhoto({ event_id, image: await anew(image) })).id)
  const comment = { event_photo_id, event_photo_comment: 'My own' }
  const event_photo_comment_id = (await gus.api.gallery.saveComment(comment)).id
  await hide(event_id, event_photo_id)
  expect(naming.length).toBeGreaterThan(15)
  for (const { slice, name, fields } of naming) {
    const answerTo = (about: object) =>
      call(
        ana.api,
        { slice, name },
        Object.fromEntries(Object.entries({ ...beside, event_id, ...about }).filter(([field]) => fields.has(field))),
      )
    const answer = await answerTo({ event_photo_id, event_photo_comment_id })
    expect([name, answer]).toEqual([name, await answerTo(unknown)])
  }
})

import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import type { Member } from '../../test/cast.ts'
import { galleryRows, wrongGalleries } from '../../test/gallery-state.ts'
import { bringIn, evening, party } from '../../test/party.ts'
import { anew, jpeg } from '../../test/pictures.ts'
import { notFound, refusal, says } from '../../test/refused.ts'

const app = await openTestApp()
const cast = await party(app)
const { olivia, gus, asha, sam, remy, gwen, event } = cast
const event_id = event.id
const image = new Blob([await jpeg({ width: 900, height: 600, gps: true, takenAt: '2026:06:21 21:04:11' })])
const page = { page: 1, page_length: 10 }

const noSuchPhoto = notFound('Event Photo not found!')
const notInEvent = says('User is not allowed to access this event photo')

const upload = async (by: Member = gus, fields = {}) => {
  const photo = await by.api.gallery.uploadPhoto({ event_id, image: await anew(image), ...fields })
  return { photo, event_photo_id: Number(photo.id) }
}

afterAll(async () => expect(await wrongGalleries(app.db)).toEqual({}))

describe('a photo', () => {
  test('has the documented shape, and its links show pictures without a bearer', async () => {
    const { photo, event_photo_id } = await upload()
    expect(photo).toEqual({
      id: String(event_photo_id),
      event_id: String(event_id),
      event_photo_url: expect.stringContaining('/full.jpg?'),
      event_photo_preview_url: expect.stringContaining('/preview.jpg?'),
      event_photo_likes_count: '0',
      event_photo_comments_count: '0',
      liked: false,
      taken_by: expect.objectContaining({ id: gus.id, user_username: gus.username, user_visible: '1' }),
      created_at: photo.updated_at,
      updated_at: photo.created_at,
    })
    expect(await gus.api.gallery.readPhoto({ event_photo_id })).toEqual(photo)
    for (const url of [photo.event_photo_url, photo.event_photo_preview_url]) {
      const reply = await fetch(url)
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    }
    const widthOf = async (url: string) => {
      const { width } = await sharp(await (await fetch(url)).arrayBuffer()).metadata()
      return width
    }
    const small = `${photo.event_photo_preview_url}&w=400`
    expect([await widthOf(photo.event_photo_preview_url), await widthOf(small)]).toEqual([640, 400])
    expect(await widthOf(`${photo.event_photo_preview_url}&w=4000`)).toBe(640)
    expect((await fetch(small.replace(/s=./, 's=*'))).status).toBe(404)
    // Uploads from before full sizes existed.
    await sql`update media set variants = variants - 'tile'`.execute(app.db)
    expect(await widthOf(small)).toBe(640)
  })

  test('has more fields on request: its size, texts, time, and the viewer’s permissions', async () => {
    const { event_photo_id } = await upload(gus, { event_photo_caption: 'The pier', event_photo_alt_text: 'A pier' })
    const shown = {
      width: 900,
      height: 600,
      thumbhash: expect.stringMatching(/^[\w+/=]{8,}$/),
      caption: 'The pier',
      alt_text: 'A pier',
      video: false,
      video_state: null,
      hidden: false,
      waiting: false,
      off_wall: false,
      new_words: null,
      photographer: false,
      sealed: false,
      taken_at: '2026-06-21T19:04:11.000Z',
      live: null,
      incomplete: false,
      same_as: expect.anything(),
      screen_url: expect.stringContaining('/display.jpg?'),
      original: expect.objectContaining({ url: expect.stringContaining('/original.jpg?'), type: 'image/jpeg' }),
      raw: null,
      motion_url: null,
    }
    const place = { latitude: 47.37, longitude: 8.54 }
    const may = async (by: Member) => {
      const { extra } = await by.extra.gallery.readPhoto({ event_photo_id })
      expect(extra).toEqual({ ...shown, place: by === gus ? place : null, may: expect.anything() })
      return extra?.may
    }
    expect(await may(gus)).toEqual({ comment: true, update: true, delete: true, hide: false })
    expect(await may(olivia)).toEqual({ comment: true, update: false, delete: true, hide: true })
    const { data } = await olivia.extra.gallery.listPhotos({ event_id, ...page })
    expect(data[0]?.extra).toEqual({
      ...shown,
      place: null,
      may: { comment: true, update: false, delete: true, hide: true },
    })
  })

  test('does not exist for anybody when it, or its event, is deleted', async () => {
    const { photo, event_photo_id } = await upload()
    await gus.api.gallery.deletePhoto({ event_photo_id })
    const gone = await gwen.api.events.saveEvent(evening())
    const other = await gwen.api.gallery.uploadPhoto({ event_id: gone.id, image })
    await gwen.api.events.deleteEvent({ event_id: gone.id })
    const before = await galleryRows(app.db)
    for (const [by, id] of [
      [gus, event_photo_id],
      [sam, event_photo_id],
      [gwen, Number(other.id)],
      [gus, 999_999],
    ] as const) {
      const { gallery } = by.api
      const named = { event_photo_id: id }
      expect(await refusal(gallery.readPhoto(named))).toEqual(noSuchPhoto)
      expect(await refusal(gallery.captionPhoto({ ...named, event_photo_caption: 'x' }))).toEqual(noSuchPhoto)
      expect(await refusal(gallery.likePhoto(named))).toEqual(noSuchPhoto)
      expect(await refusal(gallery.unlikePhoto(named))).toEqual(noSuchPhoto)
      expect(await refusal(gallery.listLikes({ ...named, ...page }))).toEqual(noSuchPhoto)
      // Its uploader may delete it again without an error.
      const again = by === gus && id === event_photo_id
      if (again) expect(await gallery.deletePhoto(named)).toEqual({ done: true })
      else expect(await refusal(gallery.deletePhoto(named))).toEqual(noSuchPhoto)
      expect(await refusal(gallery.listComments({ ...named, ...page }))).toEqual(notFound('Photo not found!'))
      expect(await refusal(gallery.saveComment({ ...named, event_photo_comment: 'x' }))).toEqual(
        notFound('Photo not found!'),
      )
    }
    expect(await refusal(gwen.api.gallery.listPhotos({ event_id: gone.id, ...page }))).toEqual(
      notFound('Event not found!'),
    )
    expect(await refusal(gwen.api.gallery.uploadPhoto({ event_id: gone.id, image }))).toEqual(
      notFound('Event not found'),
    )
    expect(await galleryRows(app.db)).toEqual(before)
    expect((await fetch(photo.event_photo_url)).status).toBe(404)
    expect((await fetch(other.event_photo_url)).status).toBe(404)
  })

  test('is hidden from strangers, and its links end for a removed guest', async () => {
    const { photo, event_photo_id } = await upload()
    for (const outsider of [asha, sam, remy, gwen])
      expect(await refusal(outsider.api.gallery.readPhoto({ event_photo_id }))).toEqual(notInEvent)
    const other = await gwen.api.events.saveEvent(evening())
    await bringIn(gwen, other.id, gus)
    const theirs = await gwen.api.gallery.uploadPhoto({ event_id: other.id, image })
    await gwen.api.events.removeGuest({ event_id: other.id, user_id: gus.id })
    expect((await fetch(theirs.event_photo_url)).status).toBe(404)
    expect((await fetch(photo.event_photo_url)).status).toBe(200)
    const { event_photo_url: fresh } = await gwen.api.gallery.readPhoto({ event_photo_id: Number(theirs.id) })
    expect((await fetch(fresh)).status).toBe(200)
  })
})

describe('a caption', () => {
  test('is set, kept when absent, and removed by null', async () => {
    const { photo, event_photo_id } = await upload()
    const set = (fields: { event_photo_caption?: string | null; event_photo_alt_text?: string | null }) =>
      gus.extra.gallery.captionPhoto({ event_photo_id, ...fields })
    const texts = async (...of: Parameters<typeof set>) => {
      const { extra } = await set(...of)
      return [extra?.caption, extra?.alt_text]
    }
    expect(await texts({ event_photo_caption: 'שלום 👋', event_photo_alt_text: 'Two people' })).toEqual([
      'שלום 👋',
      'Two people',
    ])
    expect(await texts({ event_photo_caption: 'Hello' })).toEqual(['Hello', 'Two people'])
    expect(await texts({ event_photo_caption: null })).toEqual([null, 'Two people'])
    expect(await texts({ event_photo_alt_text: '' })).toEqual([null, null])
    expect((await set({})).updated_at > photo.updated_at).toBe(true)
  })

  test('is written by the photo’s uploader', async () => {
    const { event_photo_id } = await upload()
    const before = await galleryRows(app.db)
    expect(await refusal(olivia.api.gallery.captionPhoto({ event_photo_id, event_photo_caption: 'Mine' }))).toEqual(
      says('Only the person who took the photo can describe it'),
    )
    expect(await galleryRows(app.db)).toEqual(before)
  })
})

describe('likes', () => {
  test('count once per person, whatever happens simultaneously', async () => {
    const { event_photo_id } = await upload()
    const both = [olivia, gus].flatMap(by =>
      Array.from({ length: 6 }, () => by.api.gallery.likePhoto({ event_photo_id })),
    )
    const replies = await Promise.all(both)
    expect(replies.every(reply => reply.liked)).toBe(true)
    expect(await gus.api.gallery.readPhoto({ event_photo_id })).toMatchObject({
      event_photo_likes_count: '2',
      liked: true,
    })
    await Promise.all(Array.from({ length: 6 }, () => gus.api.gallery.unlikePhoto({ event_photo_id })))
    expect(await gus.api.gallery.readPhoto({ event_photo_id })).toMatchObject({
      event_photo_likes_count: '1',
      liked: false,
    })
  })

  test('are listed newest first', async () => {
    const { event_photo_id } = await upload()
    await gus.api.gallery.likePhoto({ event_photo_id })
    await olivia.api.gallery.likePhoto({ event_photo_id })
    const { data, next_page_url } = await gus.api.gallery.listLikes({ event_photo_id, page: 1, page_length: 1 })
    expect([data.map(person => person.id), next_page_url]).toEqual([
      [olivia.id],
      `${app.url}/api/gallery/photo/likes/${event_photo_id}?page_length=1&page=2`,
    ])
    const second = await gus.api.gallery.listLikes({ event_photo_id, page: 2, page_length: 1 })
    expect([second.data.map(person => person.id), second.next_page_url]).toEqual([[gus.id], null])
  })

  test('and comments continue in a cancelled event, uploads do not', async () => {
    const over = await gwen.api.events.saveEvent(evening())
    await bringIn(gwen, over.id, gus)
    const { id } = await gus.api.gallery.uploadPhoto({ event_id: over.id, image })
    await gwen.api.events.cancelEvent({ event_id: over.id })
    const event_photo_id = Number(id)
    expect((await gus.api.gallery.likePhoto({ event_photo_id })).liked).toBe(true)
    expect((await gus.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'A pity' })).id).toBeGreaterThan(0)
    expect(await refusal(gus.api.gallery.uploadPhoto({ event_id: over.id, image }))).toEqual({
      status: 400,
      body: { error: "You're not authorized to upload an image for this event." },
    })
  })
})

describe('deleting a photo', () => {
  test('is for its uploader and organizers, and happens once, however often it is repeated', async () => {
    const { photo, event_photo_id } = await upload(olivia)
    expect(await refusal(gus.api.gallery.deletePhoto({ event_photo_id }))).toEqual(
      says('User is not allowed to delete this event photo'),
    )
    const attempts = [1, 2, 3].map(() => olivia.api.gallery.deletePhoto({ event_photo_id }))
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    expect((await fetch(photo.event_photo_url)).status).toBe(404)
    const theirs = await upload(gus)
    expect(await olivia.api.gallery.deletePhoto({ event_photo_id: theirs.event_photo_id })).toEqual({ done: true })
  })

  test('leaves no like or comment on it counted elsewhere', async () => {
    const { event_photo_id } = await upload()
    const writes = [
      gus.api.gallery.likePhoto({ event_photo_id }),
      olivia.api.gallery.deletePhoto({ event_photo_id }),
      gus.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'In between' }),
    ]
    for (const outcome of await Promise.allSettled(writes))
      if (outcome.status === 'rejected') expect(outcome.reason.status).toBe(404)
    expect(await refusal(gus.api.gallery.readPhoto({ event_photo_id }))).toEqual(noSuchPhoto)
  })
})

import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { fillComments, fillGallery, wrongGalleries } from '../../../test/gallery-state.ts'
import { later } from '../../../test/later.ts'
import { party } from '../../../test/party.ts'
import { anew, jpeg } from '../../../test/pictures.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'
import { statementsOf } from '../../../test/statements.ts'

const app = await openTestApp({ photosPerGuest: 100_000 })
const { olivia, gus, asha, sam, remy, gwen, event } = await party(app)
const event_id = event.id
const image = new Blob([await jpeg({ width: 64, height: 48 })])

const uploaded = await gus.api.gallery.uploadPhoto({ event_id, image })
const like = Number(uploaded.id)
for (let turn = 0; turn < 13; turn++)
  await fillGallery(app.db, { like, takenBy: turn % 2 ? olivia.id : gus.id, count: 100 })

/** IDs of the existing photos, in the order they were added. */
const living = async (takenBy?: number) => {
  const rows = await app.db
    .selectFrom('photos')
    .select('id')
    .where('event_id', '=', event_id)
    .where('deleted_at', 'is', null)
    .$if(takenBy !== undefined, query => query.where('taken_by', '=', takenBy as number))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
const ids = (reply: { data: { id: string | number }[] }) => reply.data.map(({ id }) => Number(id))
type Filter = { sort?: 'newest' | 'oldest'; taken_by?: number }
const pageOf = (page: number, page_length: number, filter: Filter = {}) =>
  gus.api.gallery.listPhotos({ event_id, page, page_length, ...filter })

/** Follows a list from its first page to its last. */
const walk = async (
  list: (page: number) => Promise<{ data: { id: string | number }[]; next_page_url: string | null }>,
) => {
  const seen: number[] = []
  for (let page = 1; ; page++) {
    const reply = await list(page)
    seen.push(...ids(reply))
    if (!reply.next_page_url) return seen
  }
}

afterAll(async () => expect(await wrongGalleries(app.db)).toEqual({}))

describe('the pages of a gallery', () => {
  test('contain the photos from newest to oldest, from oldest to newest, and of one person', async () => {
    const all = await living()
    expect(await walk(page => pageOf(page, 100))).toEqual(all.toReversed())
    expect(await walk(page => pageOf(page, 97, { sort: 'oldest' }))).toEqual(all)
    const own = await living(olivia.id)
    expect(own).toHaveLength(600)
    expect(await walk(page => pageOf(page, 99, { taken_by: olivia.id }))).toEqual(own.toReversed())
    expect(await walk(page => pageOf(page, 99, { taken_by: olivia.id, sort: 'oldest' }))).toEqual(own)
    expect(ids(await pageOf(1, 10, { taken_by: sam.id }))).toEqual([])
  })

  test('close the gaps after simultaneous deletions', async () => {
    const all = await living()
    const gone = all.filter((_, at) => at % 17 === 3 || (at > 500 && at < 560))
    for (let at = 0; at < gone.length; at += 20)
      await Promise.all(
        gone.slice(at, at + 20).map(event_photo_id => olivia.api.gallery.deletePhoto({ event_photo_id })),
      )
    const left = await living()
    expect(left).toHaveLength(all.length - gone.length)
    expect(await walk(page => pageOf(page, 93))).toEqual(left.toReversed())
    expect(await walk(page => pageOf(page, 89, { sort: 'oldest' }))).toEqual(left)
    const last = Math.ceil(left.length / 50)
    const links = [`${app.url}/api/gallery/photos/${event_id}?page_length=50&sort=oldest&page=${last - 1}`, null]
    const deepest = await pageOf(last, 50, { sort: 'oldest' })
    expect([deepest.prev_page_url, deepest.next_page_url, deepest.to]).toEqual([...links, left.length])
    expect(await pageOf(last + 1, 50)).toMatchObject({ data: [], from: null, to: null, next_page_url: null })
    expect(await pageOf(Number.MAX_SAFE_INTEGER, 100)).toMatchObject({ data: [], next_page_url: null })
  })

  test('lose and repeat nothing while photos are added', async () => {
    const before = await living()
    let adding = true
    const uploads = later(
      (async () => {
        while (adding)
          await Promise.all(
            [gus, olivia].map(async by => by.api.gallery.uploadPhoto({ event_id, image: await anew(image) })),
          )
      })(),
    )
    const seen = await walk(page => pageOf(page, 20, { sort: 'oldest' })).finally(() => {
      adding = false
    })
    await uploads
    const after = await living()
    expect(after.length).toBeGreaterThan(before.length)
    expect(seen.length).toBeGreaterThanOrEqual(before.length)
    expect(seen).toEqual(after.slice(0, seen.length))
  })

  test('are for members of existing events', async () => {
    const page = { page: 1, page_length: 5 }
    for (const outsider of [asha, sam, remy, gwen])
      expect(await refusal(outsider.api.gallery.listPhotos({ event_id, ...page }))).toEqual(
        says('The user is neither a guest nor an organizer of the event'),
      )
    expect(await refusal(gus.api.gallery.listPhotos({ event_id: 999_999, ...page }))).toEqual(
      notFound('Event not found!'),
    )
    expect(await refusal(pageOf(1, 5, { sort: 'sideways' as 'newest' }))).toEqual(
      invalid('sort', 'The selected sort is invalid.'),
    )
    expect(await refusal(pageOf(1, 5, { taken_by: 'me' as unknown as number }))).toEqual(
      invalid('taken_by', 'The taken by field must be an integer.'),
    )
  })
})

describe('the pages of comments', async () => {
  const event_photo_id = like
  await fillComments(app.db, { photoId: like, by: gus.id, count: 700 })
  const commentIds = async (parent: number | null) => {
    const rows = await app.db
      .selectFrom('comments')
      .select('id')
      .where('photo_id', '=', like)
      .where('parent_id', parent === null ? 'is' : '=', parent)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
    return rows.map(({ id }) => id)
  }
  const [parent = 0] = await commentIds(null)
  await fillComments(app.db, { photoId: like, replyTo: parent, by: olivia.id, count: 700 })

  test('and replies close the gaps after deletions', async () => {
    const comments = (page: number) => gus.api.gallery.listComments({ event_photo_id, page, page_length: 47 })
    const replies = (page: number) =>
      gus.api.gallery.listReplies({ event_photo_comment_id: parent, page, page_length: 47 })
    expect(await walk(comments)).toEqual((await commentIds(null)).toReversed())
    expect(await walk(replies)).toEqual(await commentIds(parent))
    for (const list of [await commentIds(null), await commentIds(parent)])
      for (const id of list.filter(id => id !== parent && id % 23 === 0))
        await olivia.api.gallery.deleteComment({ event_photo_comment_id: id })
    expect(await walk(comments)).toEqual((await commentIds(null)).toReversed())
    expect(await walk(replies)).toEqual(await commentIds(parent))
  })
})

describe('the statements of a list', () => {
  /** Takes the minimum of three runs: once a second the caller's session is looked up again. */
  const counted = async (work: () => Promise<unknown>) => {
    const counts = [await statementsOf(work), await statementsOf(work), await statementsOf(work)]
    return Math.min(...counts)
  }

  test('are as many for a hundred rows as for one, on any page, with extra too', async () => {
    const event_photo_id = like
    const [comment] = (await gus.api.gallery.listComments({ event_photo_id, page: 15, page_length: 47 })).data
    const event_photo_comment_id = comment?.id ?? 0
    await gus.api.gallery.likePhoto({ event_photo_id })
    await gus.api.gallery.reactToComment({ event_photo_comment_id })
    for (const { gallery } of [gus.api, gus.extra]) {
      const lists = {
        photos: (page: { page: number; page_length: number }) => gallery.listPhotos({ event_id, ...page }),
        ofPerson: (page: { page: number; page_length: number }) =>
          gallery.listPhotos({ event_id, taken_by: gus.id, ...page }),
        comments: (page: { page: number; page_length: number }) => gallery.listComments({ event_photo_id, ...page }),
        replies: (page: { page: number; page_length: number }) =>
          gallery.listReplies({ event_photo_comment_id, ...page }),
        likes: (page: { page: number; page_length: number }) => gallery.listLikes({ event_photo_id, ...page }),
        reactions: (page: { page: number; page_length: number }) =>
          gallery.listCommentReactions({ comment_reaction_id: event_photo_comment_id, ...page }),
      }
      // Rows come with the right to see them and with their people; an empty page checks the right once more.
      const most = gallery === gus.api.gallery ? 1 : 2
      for (const [name, list] of Object.entries(lists)) {
        const one = await counted(() => list({ page: 1, page_length: 1 }))
        const hundred = await counted(() => list({ page: 1, page_length: 100 }))
        expect([name, hundred], name).toEqual([name, one])
        expect(one, name).toBeGreaterThan(0)
        expect(one, name).toBeLessThanOrEqual(most + (name === 'likes' || name === 'replies' ? 1 : 0))
        if (name === 'photos' || name === 'ofPerson') expect(one, name).toBe(1)
        if (name === 'photos') expect(await counted(() => list({ page: 9, page_length: 100 }))).toBe(one)
      }
    }
  })
})

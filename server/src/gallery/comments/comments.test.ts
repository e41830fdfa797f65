import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import type { Member } from '../../../test/cast.ts'
import { galleryRows, wrongGalleries } from '../../../test/gallery-state.ts'
import { bringIn, evening, party } from '../../../test/party.ts'
import { anew, jpeg } from '../../../test/pictures.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'

const app = await openTestApp()
const cast = await party(app)
const { olivia, gus, asha, sam, remy, gwen, event } = cast
const image = new Blob([await jpeg({ width: 64, height: 48 })])
const photoBy = async (by: Member, event_id = event.id) =>
  Number((await by.api.gallery.uploadPhoto({ event_id, image: await anew(image) })).id)
const event_photo_id = await photoBy(gus)
const otherPhoto = await photoBy(olivia)

const page = { page: 1, page_length: 10 }
const noSuchComment = notFound('Comment not found!')
const noSuchPhoto = notFound('Photo not found!')
const mayNotComment = says('User is not allowed to comment on this event photo')
const text = { event_photo_comment: 'Lovely' }

const comment = async (by: Member = gus, fields = {}) =>
  (await by.api.gallery.saveComment({ event_photo_id, ...text, ...fields })).id
const reply = (to: number, by: Member = gus) => comment(by, { event_photo_comment_reply_id: to })
const texts = (data: { event_photo_comment: string }[]) => data.map(one => one.event_photo_comment)
const post = (by: Member, fields: object, headers = {}) =>
  fetch(`${app.url}/api/gallery/comment`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(fields),
  })

afterAll(async () => expect(await wrongGalleries(app.db)).toEqual({}))

describe('saving a comment', () => {
  test('adds with 201, replies with 201, updates with 200', async () => {
    const photo = await photoBy(gus)
    const added = await post(olivia, { event_photo_id: photo, event_photo_comment: ' First! ' })
    const first = (await added.json()) as { id: number; created_at: string }
    expect([added.status, first]).toEqual([
      201,
      {
        id: first.id,
        event_photo_comment: 'First!',
        event_photo_comment_replies_count: 0,
        user: expect.objectContaining({ id: olivia.id, user_visible: '1' }),
        created_at: first.created_at,
        updated_at: first.created_at,
      },
    ])
    const replied = await post(gus, {
      event_photo_id: photo,
      event_photo_comment_reply_id: first.id,
      event_photo_comment: 'Thanks',
    })
    expect(replied.status).toBe(201)
    const edited = await post(olivia, { event_photo_comment_id: first.id, event_photo_comment: 'Second!' })
    expect([edited.status, await edited.json()]).toMatchObject([
      200,
      {
        id: first.id,
        event_photo_comment: 'Second!',
        event_photo_comment_replies_count: 1,
        created_at: first.created_at,
      },
    ])
    expect(await gus.api.gallery.readPhoto({ event_photo_id: photo })).toMatchObject({
      event_photo_comments_count: '2',
    })
    const { data } = await gus.extra.gallery.listComments({ event_photo_id: photo, ...page })
    expect(data).toHaveLength(1)
    expect(data[0]?.extra).toEqual({
      event_photo_id: photo,
      reply_to: null,
      edited: true,
      reactions: [],
      my_reaction: null,
      hidden: false,
      blocked: false,
      may: { reply: true, update: false, delete: true, hide: false },
    })
    const { data: replies } = await olivia.extra.gallery.listReplies({ event_photo_comment_id: first.id, ...page })
    expect(replies[0]?.extra).toMatchObject({
      reply_to: first.id,
      edited: false,
      may: { reply: false, update: false, delete: true },
    })
  })

  test('needs a text, and the photo unless it updates', async () => {
    expect(await refusal(gus.api.gallery.saveComment({ event_photo_comment: 'Where?' }))).toEqual(
      invalid('event_photo_id', 'The event photo id field is required.'),
    )
    expect(await refusal(comment(gus, { event_photo_comment: '   ' }))).toEqual(
      invalid('event_photo_comment', 'The event photo comment field is required.'),
    )
    expect(await refusal(comment(gus, { event_photo_comment: '🏳️‍🌈'.repeat(501) }))).toEqual(
      invalid('event_photo_comment', 'The event photo comment field must not be greater than 2000 characters.'),
    )
  })

  test('finds only comments of the named photo', async () => {
    const id = await comment()
    const before = await galleryRows(app.db)
    for (const fields of [{ event_photo_comment_id: id }, { event_photo_comment_reply_id: id }])
      expect(await refusal(comment(gus, { event_photo_id: otherPhoto, ...fields }))).toEqual(noSuchComment)
    for (const fields of [{ event_photo_comment_id: 999_999 }, { event_photo_comment_reply_id: 999_999 }]) {
      expect(await refusal(comment(gus, fields))).toEqual(noSuchComment)
      expect(await refusal(comment(sam, fields))).toEqual(noSuchComment)
      expect(await refusal(comment(gus, { event_photo_id: 999_999, ...fields }))).toEqual(noSuchPhoto)
    }
    expect(await galleryRows(app.db)).toEqual(before)
  })

  test('allows one level of replies', async () => {
    const answered = await reply(await comment())
    const before = await galleryRows(app.db)
    expect(await refusal(reply(answered))).toEqual(says('You can only reply to the original comment.'))
    expect(await refusal(reply(answered, sam))).toEqual(mayNotComment)
    expect(await galleryRows(app.db)).toEqual(before)
  })

  test('is for members, and updating for the author alone', async () => {
    const id = await comment(olivia)
    const before = await galleryRows(app.db)
    for (const outsider of [asha, sam, remy, gwen]) {
      expect(await refusal(comment(outsider))).toEqual(mayNotComment)
      expect(await refusal(reply(id, outsider))).toEqual(mayNotComment)
      expect(await refusal(comment(outsider, { event_photo_comment_id: id }))).toEqual(mayNotComment)
    }
    expect(await refusal(comment(gus, { event_photo_comment_id: id }))).toEqual(mayNotComment)
    expect(await galleryRows(app.db)).toEqual(before)
  })

  test('happens once for its Idempotency-Key, and repeats the answer only to those who may still read', async () => {
    const { id: event_id } = await gwen.api.events.saveEvent(evening())
    await bringIn(gwen, event_id, gus)
    const fields = { event_photo_id: await photoBy(gwen, event_id), ...text }
    const key = { 'idempotency-key': 'comment once' }
    const replies = await Promise.all(Array.from({ length: 8 }, () => post(gus, fields, key)))
    const bodies = (await Promise.all(replies.map(one => one.json()))) as { id: number }[]
    expect(new Set(replies.map(one => one.status))).toEqual(new Set([201]))
    expect(new Set(bodies.map(one => one.id)).size).toBe(1)
    expect(replies.filter(one => one.headers.get('idempotency-replayed') === 'true')).toHaveLength(7)
    expect((await post(gus, { ...fields, event_photo_comment: 'Other' }, key)).status).toBe(400)
    await gwen.api.events.removeGuest({ event_id, user_id: gus.id })
    const late = await post(gus, fields, key)
    expect([late.status, await late.json()]).toEqual([400, mayNotComment.body])
  })
})

describe('lists of comments', () => {
  test('are newest first, replies oldest first, without repeat or gap', async () => {
    const photo = await photoBy(gus)
    const said = Array.from({ length: 7 }, (_, at) => `comment ${at}`)
    for (const event_photo_comment of said) await comment(gus, { event_photo_id: photo, event_photo_comment })
    const pages = await Promise.all(
      [1, 2, 3, 4].map(page => gus.api.gallery.listComments({ event_photo_id: photo, page, page_length: 2 })),
    )
    expect(pages.flatMap(one => texts(one.data))).toEqual(said.toReversed())
    expect(pages.map(one => [one.from, one.to, one.next_page_url === null])).toEqual([
      [1, 2, false],
      [3, 4, false],
      [5, 6, false],
      [7, 7, true],
    ])
    const parent = await comment(gus, { event_photo_id: photo })
    for (const event_photo_comment of said)
      await comment(gus, { event_photo_id: photo, event_photo_comment_reply_id: parent, event_photo_comment })
    const replies = await Promise.all(
      [1, 2, 3].map(page => gus.api.gallery.listReplies({ event_photo_comment_id: parent, page, page_length: 3 })),
    )
    expect(replies.flatMap(one => texts(one.data))).toEqual(said)
    const first = await gus.api.gallery.listComments({ event_photo_id: photo, ...page })
    expect(first.data).toHaveLength(8)
    expect(first.data[0]?.event_photo_comment_replies_count).toBe(7)
  })

  test('refuse strangers, and an unknown comment as the field', async () => {
    const id = await comment()
    const mayNotRead = says('User is not authorized to access the comments.')
    for (const outsider of [asha, sam, remy, gwen]) {
      expect(await refusal(outsider.api.gallery.listComments({ event_photo_id, ...page }))).toEqual(mayNotRead)
      expect(await refusal(outsider.api.gallery.listReplies({ event_photo_comment_id: id, ...page }))).toEqual(
        mayNotRead,
      )
    }
    expect(await refusal(gus.api.gallery.listReplies({ event_photo_comment_id: 999_999, ...page }))).toEqual(
      invalid('event_photo_comment_id', 'The selected event photo comment id is invalid.'),
    )
  })
})

describe('deleting a comment', () => {
  const remove = (by: Member, event_photo_comment_id: number) =>
    by.api.gallery.deleteComment({ event_photo_comment_id })

  test('deletes its replies and updates the counts', async () => {
    const photo = await photoBy(gus)
    const on = { event_photo_id: photo }
    const [kept, gone] = [await comment(gus, on), await comment(olivia, on)]
    const replies = [1, 2, 3].map(() => comment(gus, { ...on, event_photo_comment_reply_id: gone }))
    const [one = 0, two = 0] = await Promise.all(replies)
    await remove(gus, one)
    expect((await gus.api.gallery.listReplies({ event_photo_comment_id: gone, ...page })).data).toHaveLength(2)
    expect(await gus.api.gallery.readPhoto(on)).toMatchObject({ event_photo_comments_count: '4' })
    expect(await remove(olivia, gone)).toEqual({ done: true })
    expect(await gus.api.gallery.readPhoto(on)).toMatchObject({ event_photo_comments_count: '1' })
    expect((await gus.api.gallery.listComments({ ...on, ...page })).data.map(({ id }) => id)).toEqual([kept])
    for (const id of [gone, one, two]) {
      expect(await remove(olivia, id)).toEqual({ done: true })
      expect(await refusal(gus.api.gallery.reactToComment({ event_photo_comment_id: id }))).toEqual(noSuchComment)
      expect(await refusal(comment(gus, { ...on, event_photo_comment_reply_id: id }))).toEqual(noSuchComment)
      expect(await refusal(comment(gus, { event_photo_comment_id: id }))).toEqual(noSuchComment)
    }
  })

  test('is for its author, the photo’s uploader and organizers', async () => {
    const { id: event_id } = await gwen.api.events.saveEvent(evening())
    for (const guest of [gus, asha, sam]) await bringIn(gwen, event_id, guest)
    const on = { event_photo_id: await photoBy(gus, event_id) }
    const id = await comment(sam, on)
    expect(await refusal(remove(asha, id))).toEqual(says('User is not allowed to delete this comment'))
    expect(await refusal(remove(olivia, id))).toEqual(says('User is not authorized to access the comments.'))
    for (const by of [sam, gus, gwen]) expect(await remove(by, await comment(sam, on))).toEqual({ done: true })
    const may = async (by: Member) => {
      const { data } = await by.extra.gallery.listComments({ ...on, ...page })
      return data[0]?.extra?.may
    }
    expect(await may(asha)).toEqual({ reply: true, update: false, delete: false, hide: false })
    expect(await may(sam)).toEqual({ reply: true, update: true, delete: true, hide: false })
    expect(await may(gwen)).toEqual({ reply: true, update: false, delete: true, hide: true })
  })

  test('while replying to it leaves exact counts', async () => {
    const on = { event_photo_id: await photoBy(gus) }
    for (let round = 0; round < 5; round++) {
      const id = await comment(gus, on)
      const answers = [1, 2, 3, 4].map(() => comment(olivia, { ...on, event_photo_comment_reply_id: id }))
      await Promise.allSettled([...answers, remove(gus, id), comment(gus, on)])
    }
    expect(await gus.api.gallery.readPhoto(on)).toMatchObject({ event_photo_comments_count: '5' })
  })
})

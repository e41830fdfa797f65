import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { expectHeard, openAudience } from '../../test/audience.ts'
import { enter } from '../../test/cast.ts'
import type { ReceivedEvent } from '../../test/channel.ts'
import { bringIn, party } from '../../test/party.ts'
import { anew, png } from '../../test/pictures.ts'

const app = await openTestApp()
const image = new Blob([await png({ width: 24, height: 16 })])

/** A party with one more guest and a photo by Gus, everybody listening, and strangers of every kind. */
const listening = async () => {
  const { chatId: _, event, otherEvent: __, ...cast } = await party(app)
  const ana = await enter(app, 'ana')
  await bringIn(cast.olivia, event.id, ana)
  const members = { ...cast, ana }
  const upload = async () => {
    const { id } = await cast.gus.api.gallery.uploadPhoto({ event_id: event.id, image: await anew(image) })
    return { event_photo_id: Number(id) }
  }
  const photo = await upload()
  const { heardOf } = await openAudience(app, members)
  return { ...members, event_id: event.id, photo, upload, heardOf }
}

const all = (...kinds: ReceivedEvent['kind'][]) => ({ olivia: kinds, gus: kinds, ana: kinds })

describe('the channel tells people in the event, and nobody else, of', () => {
  test('a photo that is added, described and deleted, as each would read it', { tags: 'slow' }, async () => {
    const { heardOf, upload, gus, ana, olivia, event_id } = await listening()
    let photo = { event_photo_id: 0 }
    const came = await heardOf(async () => {
      photo = await upload()
    })
    expectHeard(came, all('photo.created'))
    for (const [name, { extra }] of Object.entries({ gus, ana, olivia }))
      expect(came[name as 'gus'][0]?.payload).toEqual(await extra.gallery.readPhoto(photo))
    const caption = { ...photo, event_photo_caption: 'Look' }
    expectHeard(await heardOf(() => gus.api.gallery.captionPhoto(caption)), all('photo.updated'))
    const gone = await heardOf(() => olivia.api.gallery.deletePhoto(photo))
    expectHeard(gone, all('photo.deleted'))
    expect(gone.ana[0]?.payload).toEqual({ id: String(photo.event_photo_id), event_id: String(event_id) })
  })

  test('a like that changes something', async () => {
    const { heardOf, photo, ana } = await listening()
    const liked = await heardOf(() => ana.api.gallery.likePhoto(photo))
    expectHeard(liked, all('photo.liked'))
    expect([liked.ana, liked.gus].map(([event]) => event?.payload)).toMatchObject([
      { liked: true, event_photo_likes_count: '1' },
      { liked: false, event_photo_likes_count: '1' },
    ])
    expectHeard(await heardOf(() => ana.api.gallery.likePhoto(photo)), {})
    expectHeard(await heardOf(() => ana.api.gallery.unlikePhoto(photo)), all('photo.liked'))
    expectHeard(await heardOf(() => ana.api.gallery.unlikePhoto(photo)), {})
  })

  test('comments and replies, with the counts that they change', async () => {
    const { heardOf, photo, ana, gus, olivia } = await listening()
    let comment = 0
    const came = await heardOf(async () => {
      comment = (await ana.api.gallery.saveComment({ ...photo, event_photo_comment: 'Nice' })).id
    })
    expectHeard(came, all('comment.created', 'photo.updated'))
    for (const [name, { extra }] of Object.entries({ gus, ana, olivia })) {
      const { data } = await extra.gallery.listComments({ ...photo, page: 1, page_length: 1 })
      expect(came[name as 'gus'].map(({ payload }) => payload)).toEqual([data[0], await extra.gallery.readPhoto(photo)])
    }
    const reply = { ...photo, event_photo_comment_reply_id: comment, event_photo_comment: 'Thanks' }
    const replied = await heardOf(() => gus.api.gallery.saveComment(reply))
    expectHeard(replied, all('comment.created', 'comment.updated', 'photo.updated'))
    expect(replied.olivia.map(({ payload }) => payload)).toMatchObject([
      { extra: { reply_to: comment } },
      { id: comment, event_photo_comment_replies_count: 1 },
      { event_photo_comments_count: '2' },
    ])
    const edit = { event_photo_comment_id: comment, event_photo_comment: 'Very nice' }
    expectHeard(await heardOf(() => ana.api.gallery.saveComment(edit)), all('comment.updated'))
    const deleted = await heardOf(() => ana.api.gallery.deleteComment({ event_photo_comment_id: comment }))
    expectHeard(deleted, all('comment.deleted', 'photo.updated'))
    expect(deleted.gus.map(({ payload }) => payload)).toMatchObject([
      { id: comment, event_photo_id: photo.event_photo_id, reply_to: null },
      { event_photo_comments_count: '0' },
    ])
  })

  test('a reaction to a comment that changes something', async () => {
    const { heardOf, photo, ana, gus } = await listening()
    const { id } = await ana.api.gallery.saveComment({ ...photo, event_photo_comment: 'Nice' })
    const comment = { event_photo_comment_id: id }
    const reacted = await heardOf(() => gus.api.gallery.reactToComment(comment))
    expectHeard(reacted, all('comment.reacted'))
    expect([reacted.gus, reacted.ana].map(([event]) => event?.payload)).toMatchObject([
      { extra: { my_reaction: '❤️', reactions: [{ comment_reaction: '❤️', comment_reaction_count: 1 }] } },
      { extra: { my_reaction: null } },
    ])
    expectHeard(await heardOf(() => gus.api.gallery.reactToComment(comment)), {})
    const other = { ...comment, comment_reaction: '🎉' }
    expectHeard(await heardOf(() => gus.api.gallery.reactToComment(other)), all('comment.reacted'))
    expectHeard(await heardOf(() => gus.api.gallery.unreactToComment(comment)), all('comment.reacted'))
    expectHeard(await heardOf(() => gus.api.gallery.unreactToComment(comment)), {})
  })

  test('no refused act', async () => {
    const { heardOf, photo, event_id, sam, asha, remy, ana } = await listening()
    const { id } = await ana.api.gallery.saveComment({ ...photo, event_photo_comment: 'Nice' })
    const heard = await heardOf(async () => {
      const tried = await Promise.allSettled([
        ...[sam, asha, remy].flatMap(({ api: { gallery } }) => [
          gallery.uploadPhoto({ event_id, image }),
          gallery.likePhoto(photo),
          gallery.saveComment({ ...photo, event_photo_comment: 'Hm' }),
          gallery.reactToComment({ event_photo_comment_id: id }),
          gallery.deletePhoto(photo),
        ]),
        ana.api.gallery.deletePhoto(photo),
      ])
      for (const { status } of tried) expect(status).toBe('rejected')
    })
    expectHeard(heard, {})
  })
})

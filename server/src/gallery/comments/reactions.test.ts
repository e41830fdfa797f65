import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import type { Member } from '../../../test/cast.ts'
import { galleryRows } from '../../../test/gallery-state.ts'
import { party } from '../../../test/party.ts'
import { jpeg } from '../../../test/pictures.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'

const app = await openTestApp()
const { olivia, gus, asha, sam, remy, gwen, event } = await party(app)
const image = new Blob([await jpeg({ width: 64, height: 48 })])
const event_photo_id = Number((await gus.api.gallery.uploadPhoto({ event_id: event.id, image })).id)
const page = { page: 1, page_length: 10 }
const comment = async () => (await gus.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'Lovely' })).id

describe('reactions to a comment', () => {
  const reactions = async (by: Member, id: number) => {
    const { extra } = await by.extra.gallery.reactToComment({ event_photo_comment_id: id, comment_reaction: '🔥' })
    return extra
  }

  test('are one per person: another emoji replaces the first', async () => {
    const id = await comment()
    await olivia.api.gallery.reactToComment({ event_photo_comment_id: id })
    expect((await reactions(gus, id))?.reactions).toEqual([
      { comment_reaction: '❤️', comment_reaction_count: 1 },
      { comment_reaction: '🔥', comment_reaction_count: 1 },
    ])
    const again = await Promise.all([1, 2, 3, 4].map(() => reactions(olivia, id)))
    expect(again.at(-1)).toMatchObject({
      reactions: [{ comment_reaction: '🔥', comment_reaction_count: 2 }],
      my_reaction: '🔥',
    })
    const { extra } = await gus.extra.gallery.unreactToComment({ event_photo_comment_id: id })
    expect(extra).toMatchObject({
      reactions: [{ comment_reaction: '🔥', comment_reaction_count: 1 }],
      my_reaction: null,
    })
    expect((await gus.api.gallery.unreactToComment({ event_photo_comment_id: id })).id).toBe(id)
  })

  test('are listed by the comment, newest first', async () => {
    const id = await comment()
    const list = { comment_reaction_id: id, ...page }
    expect((await gus.api.gallery.listCommentReactions(list)).data).toEqual([])
    await gus.api.gallery.reactToComment({ event_photo_comment_id: id })
    await olivia.api.gallery.reactToComment({ event_photo_comment_id: id })
    await gus.api.gallery.reactToComment({ event_photo_comment_id: id, comment_reaction: '👏🏽' })
    const { data } = await gus.api.gallery.listCommentReactions(list)
    expect(data.map(one => one.user.id)).toEqual([olivia.id, gus.id])
    expect(Object.keys(data[0] ?? {})).toEqual(['id', 'user', 'created_at', 'updated_at'])
    expect((data[1]?.updated_at ?? '') > (data[1]?.created_at ?? '')).toBe(true)
  })

  test('must be emoji, by members, on existing comments', async () => {
    const id = await comment()
    const before = await galleryRows(app.db)
    const mayNotReact = says('User is not authorized to react to this comment.')
    for (const comment_reaction of ['x', '❤️❤️', '<3', '\u{1F3FD}x'])
      expect(await refusal(gus.api.gallery.reactToComment({ event_photo_comment_id: id, comment_reaction }))).toEqual(
        invalid('comment_reaction', 'The selected comment reaction is invalid.'),
      )
    for (const { api } of [asha, sam, remy, gwen]) {
      expect(await refusal(api.gallery.reactToComment({ event_photo_comment_id: id }))).toEqual(mayNotReact)
      expect(await refusal(api.gallery.unreactToComment({ event_photo_comment_id: id }))).toEqual(mayNotReact)
      expect(await refusal(api.gallery.listCommentReactions({ comment_reaction_id: id, ...page }))).toEqual(mayNotReact)
    }
    expect(await refusal(gus.api.gallery.listCommentReactions({ comment_reaction_id: 999_999, ...page }))).toEqual(
      notFound('Comment reaction not found!'),
    )
    expect(await galleryRows(app.db)).toEqual(before)
  })
})

import { expect, test } from 'vitest'
import { enter, type Member } from '../../test/cast.ts'
import { openNotifiedApp } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { png } from '../../test/pictures.ts'

const { app, kinds, quiet, unread } = await openNotifiedApp()
const image = new Blob([await png({ width: 24, height: 16 })])

/** Olivia's event with Gus and Ana in it, a photo by Gus, and everything before that read. */
const gathering = async () => {
  const [olivia, gus, ana, sam] = (await Promise.all(
    (['olivia', 'gus', 'ana', 'sam'] as const).map(name => enter(app, name)),
  )) as [Member, Member, Member, Member]
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, gus)
  await bringIn(olivia, event_id, ana)
  const photo = { event_photo_id: Number((await gus.api.gallery.uploadPhoto({ event_id, image })).id) }
  await quiet()
  for (const member of [olivia, gus, ana]) await member.api.notifications.readAllNotifications()
  const comment = async (who: Member, event_photo_comment: string, fields: Record<string, unknown> = {}) => ({
    event_photo_comment_id: (await who.api.gallery.saveComment({ ...photo, event_photo_comment, ...fields })).id,
  })
  return { olivia, gus, ana, sam, event_id, photo, comment, link: `/events/${event_id}/photos/${photo.event_photo_id}` }
}

test('likes of one photo are one notification for its uploader', { tags: 'slow' }, async () => {
  const { olivia, gus, ana, photo, link } = await gathering()
  for (const member of [gus, ana, olivia]) await member.api.gallery.likePhoto(photo)
  await olivia.api.gallery.likePhoto(photo)
  const title = 'Midsummer at the lake'
  expect(await unread(gus)).toEqual([
    ['photo_like', title, 'Olivia Ortega and one other person like your photo.', link, 2],
  ])
  expect(await Promise.all([olivia, ana].map(unread))).toEqual([[], []])
})

test('a comment notifies the photo’s uploader, a reply its addressee, a mention the mentioned person', async () => {
  const { olivia, gus, ana, sam, comment, link } = await gathering()
  const first = await comment(ana, 'Nice')
  expect(await unread(gus)).toEqual([['photo_comment', 'Ana Álvarez commented on your photo', 'Nice', link, 1]])
  await comment(olivia, `Indeed, @${gus.username} and @${sam.username}`, {
    event_photo_comment_reply_id: first.event_photo_comment_id,
  })
  expect(await unread(ana)).toMatchObject([['comment_reply', 'Olivia Ortega replied to your comment', {}, link, 1]])
  expect(await kinds(gus)).toEqual(['comment_mention', 'photo_comment'])
  expect(await Promise.all([olivia, sam].map(unread))).toEqual([[], []])
})

test('an edit notifies only people newly mentioned', async () => {
  const { olivia, gus, ana, comment, link } = await gathering()
  const first = await comment(ana, `@${gus.username} look`)
  await gus.api.notifications.readAllNotifications()
  await quiet()
  await gus.api.notifications.readAllNotifications()
  await comment(ana, `@${gus.username} @${olivia.username} look`, first)
  expect(await unread(olivia)).toMatchObject([
    ['comment_mention', 'Ana Álvarez mentioned you in a comment', {}, link, 1],
  ])
  expect(await unread(gus)).toEqual([])
})

test('a reaction notifies the comment’s author, unless it was removed before', async () => {
  const { gus, ana, comment, link } = await gathering()
  const first = await comment(ana, 'Nice')
  await gus.api.gallery.reactToComment(first)
  expect(await unread(ana)).toEqual([['comment_reaction', 'Gus Grant reacted ❤️ to your comment', 'Nice', link, 1]])
  expect(await kinds(gus)).toEqual(['photo_comment'])
})

test('a deleted photo causes no more notifications, nor do its comments', async () => {
  const { olivia, gus, ana, photo, comment } = await gathering()
  const first = await comment(ana, 'Nice')
  const beneath = { event_photo_comment_reply_id: first.event_photo_comment_id }
  await comment(olivia, `Yes @${gus.username}`, beneath)
  await olivia.api.gallery.reactToComment(first)
  expect([(await kinds(ana)).sort(), (await kinds(gus)).sort()]).toEqual([
    ['comment_reaction', 'comment_reply'],
    ['comment_mention', 'photo_comment'],
  ])
  await ana.api.gallery.deleteComment(first)
  expect([await kinds(ana), await kinds(gus)]).toEqual([[], []])

  await comment(ana, 'one')
  await comment(olivia, 'two')
  for (const member of [ana, olivia]) await member.api.gallery.likePhoto(photo)
  expect((await kinds(gus)).sort()).toEqual(['photo_comment', 'photo_like'])
  await gus.api.gallery.deletePhoto(photo)
  expect(await kinds(gus)).toEqual([])
})

test('a guest who has left is not notified of their photo', async () => {
  const { olivia, gus, ana, photo, comment, event_id } = await gathering()
  await olivia.api.events.removeGuest({ event_id, user_id: gus.id })
  await ana.api.gallery.likePhoto(photo)
  await comment(ana, `@${gus.username}`)
  expect(await kinds(gus)).toEqual(['guest_removed'])
})

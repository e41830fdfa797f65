import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter, type Member } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { notificationsOf, openNotifiedApp } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { png } from '../../test/pictures.ts'

const { app, quiet } = await openNotifiedApp()
const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
const image = new Blob([await png({ width: 24, height: 16 })])

const photo = async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  const { id } = await olivia.api.gallery.uploadPhoto({ event_id, image })
  return { event_id, group_chat_id, event_photo_id: Number(id) }
}
const told = async (event_id: number) => {
  await quiet()
  return (await notificationsOf(olivia)).filter(
    one => one.event_id === event_id && /like|reaction/.test(one.notification_kind),
  )
}
const like = (who: Member, event_photo_id: number) => who.api.gallery.likePhoto({ event_photo_id })
const unlike = (who: Member, event_photo_id: number) => who.api.gallery.unlikePhoto({ event_photo_id })

test('a like that is taken back unread is cleared on every device', async () => {
  const { event_id, event_photo_id } = await photo()
  await like(gus, event_photo_id)
  const [notification] = await told(event_id)
  const listener = await listen(app, olivia)
  await unlike(gus, event_photo_id)
  const { notification_ids } = await listener.next('notification.read')
  expect(notification_ids).toEqual([notification?.id])
  expect(await told(event_id)).toEqual([])
})

test('one that was read stays', async () => {
  const { event_id, event_photo_id } = await photo()
  await like(gus, event_photo_id)
  const [notification] = await told(event_id)
  await olivia.api.notifications.readNotification({ notification_id: notification?.id ?? 0 })
  await unlike(gus, event_photo_id)
  expect((await told(event_id)).map(({ id }) => id)).toEqual([notification?.id])
})

test('the others of a burst stay, and a person who took theirs back is not named', async () => {
  const { event_id, event_photo_id } = await photo()
  await like(ana, event_photo_id)
  await told(event_id)
  await like(gus, event_photo_id)
  expect(await told(event_id)).toMatchObject([
    { notification_count: 2, notification_body: 'Gus Grant and one other person like your photo.' },
  ])
  await unlike(gus, event_photo_id)
  expect(await told(event_id)).toMatchObject([
    { notification_count: 1, notification_body: 'One person likes your photo.' },
  ])
})

test('reactions to messages and comments are taken back alike', async () => {
  const { event_id, group_chat_id, event_photo_id } = await photo()
  const { id } = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Hello' })
  const comment = await olivia.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'Mine' })
  const [message, on] = [{ message_id: Number(id) }, { event_photo_comment_id: comment.id }]
  await gus.api.chats.reactToMessage({ ...message, message_reaction: '🎉' })
  await gus.api.gallery.reactToComment(on)
  expect((await told(event_id)).map(({ notification_kind }) => notification_kind).sort()).toEqual([
    'comment_reaction',
    'message_reaction',
  ])
  await gus.api.chats.unreactToMessage(message)
  await gus.api.gallery.unreactToComment(on)
  expect(await told(event_id)).toEqual([])
})

test('an edit leaves its old words in no notification, read or not, nor in a push that waits', async () => {
  const { group_chat_id, event_photo_id } = await photo()
  const [first, edited] = ['A slip of the tongue', 'What I meant']
  const said = await gus.api.chats.saveMessage({ group_chat_id, message_content: `@${ana.username} ${first}` })
  const comment = await gus.api.gallery.saveComment({ event_photo_id, event_photo_comment: first })
  await olivia.api.chats.reactToMessage({ message_id: Number(said.id), message_reaction: '🎉' })
  await olivia.api.gallery.reactToComment({ event_photo_comment_id: comment.id })
  await quiet()
  await ana.api.notifications.readAllNotifications()
  const bodies = async () => {
    const { rows } = await sql<{ kind: string; body: string }>`
      select kind, coalesce(text_values ->> 'text', body) as body from notifications n join events e on e.id = n.event_id join group_chats c on c.event_id = e.id
      where c.id = ${group_chat_id} and kind not like 'join%' order by kind, n.id`.execute(app.db)
    return rows.map(({ kind, body }) => [kind, body.replace(`@${ana.username} `, '')])
  }
  const kinds = ['comment_reaction', 'mention', 'message', 'message_reaction', 'photo_comment']
  expect(await bodies()).toEqual(kinds.map(kind => [kind, first]))
  await gus.api.chats.saveMessage({ group_chat_id, message_id: Number(said.id), message_content: edited })
  await gus.api.gallery.saveComment({ event_photo_comment_id: comment.id, event_photo_comment: edited })
  await quiet()
  expect(await bodies()).toEqual(kinds.map(kind => [kind, edited]))
})

test('a trace keeps no words of an event that somebody is out of', async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_name: 'A secret party' }))
  await bringIn(olivia, event_id, gus)
  await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Hello' })
  await quiet()
  const told = (await notificationsOf(gus)).filter(one => one.event_id === event_id)
  expect(told).toHaveLength(2)
  await olivia.api.events.removeGuest({ event_id, user_id: gus.id })
  for (const { id } of told) {
    const trace = await gus.api.notifications.traceNotification({ notification_id: id })
    expect(trace.notification).toMatchObject({ notification_title: '', notification_body: '' })
    expect(JSON.stringify(trace)).not.toMatch(/secret|Olivia/)
  }
})

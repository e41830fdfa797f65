import { expect, test } from 'vitest'
import { enter } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { notificationsOf, openNotifiedApp } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { png } from '../../test/pictures.ts'

const { app, quiet } = await openNotifiedApp()
const page = { page: 1, page_length: 10 }

test('a blocked person’s messages are folded, silent, uncounted and not found; an organizer sees them all', async () => {
  const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  await quiet()
  for (const one of [olivia, gus]) {
    await one.api.notifications.readAllNotifications()
    await one.api.people.block({ user_id: ana.id })
  }
  const channel = await listen(app, gus)
  await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'More fireworks' })
  const { id } = await ana.api.chats.saveMessage({ group_chat_id, message_content: `Fireworks, @${gus.username}` })
  await quiet()

  const seenBy = async (who: typeof gus) =>
    (await who.extra.chats.listMessages({ group_chat_id, ...page })).data.map(({ extra }) => extra?.blocked)
  expect([await seenBy(gus), await seenBy(olivia), await seenBy(ana)]).toEqual([
    [true, false],
    [false, false],
    [false, false],
  ])
  const told = await channel.next('message.created', message => message.id === id)
  expect(told.extra?.blocked).toBe(true)
  const latestBlocked = async (who: typeof gus) =>
    (await who.extra.chats.listChats(page)).data.find(chat => chat.id === group_chat_id)?.extra?.latest_blocked
  expect([await latestBlocked(gus), await latestBlocked(olivia)]).toEqual([true, false])
  const waiting = (await notificationsOf(gus)).filter(({ read }) => !read)
  expect(waiting.map(({ notification_body }) => notification_body)).toEqual(['More fireworks'])
  const unread = async (who: typeof gus) =>
    (await who.extra.chats.listChats(page)).data.find(chat => chat.id === group_chat_id)?.extra?.unread_count
  expect([await unread(gus), await unread(olivia), await unread(ana)]).toEqual([1, 1, 0])
  const found = async (who: typeof gus) =>
    (await who.api.chats.searchMessages({ group_chat_id, text: 'fireworks', ...page })).data.map(
      ({ message_content }) => message_content,
    )
  expect(await found(gus)).toEqual(['More fireworks'])
  expect(await found(olivia)).toHaveLength(2)
  expect((await gus.api.chats.searchMessages({ text: 'fireworks', ...page })).data).toHaveLength(1)
  await gus.api.people.unblock({ user_id: ana.id })
  expect([await unread(gus), (await found(gus)).length, await seenBy(gus)]).toEqual([2, 2, [false, false]])
})

test('quotes of a blocked person are folded too', async () => {
  const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  for (const one of [olivia, gus]) await one.api.people.block({ user_id: ana.id })
  const said = await ana.api.chats.saveMessage({ group_chat_id, message_content: 'A rude word' })
  const [hears, sees] = [await listen(app, gus), await listen(app, ana)]
  const { id } = await olivia.api.chats.saveMessage({
    group_chat_id,
    message_content: 'Enough',
    message_reply_id: said.id,
  })
  const seenBy = async (who: typeof gus) =>
    (await who.extra.chats.listMessages({ group_chat_id, ...page })).data[0]?.extra?.quote_blocked
  // Twice, because the second read is from the cache.
  for (const _ of [1, 2])
    expect([await seenBy(gus), await seenBy(olivia), await seenBy(ana)]).toEqual([true, false, false])
  const told = await Promise.all(
    [hears, sees].map(channel => channel.next('message.created', message => message.id === id)),
  )
  expect(told.map(({ extra }) => [extra?.blocked, extra?.quote_blocked])).toEqual([
    [false, true],
    [false, false],
  ])
  expect((await gus.extra.chats.listChats(page)).data[0]?.extra?.latest_blocked).toBe(false)
})

test('comments of a blocked person are folded too', async () => {
  const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  const image = new Blob([await png({ width: 24, height: 16 })])
  const event_photo_id = Number((await gus.api.gallery.uploadPhoto({ event_id, image })).id)
  for (const one of [olivia, gus]) await one.api.people.block({ user_id: ana.id })
  await quiet()
  await gus.api.notifications.readAllNotifications()
  await ana.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'Ugly' })
  await quiet()
  const seenBy = async (who: typeof gus) =>
    (await who.extra.gallery.listComments({ event_photo_id, ...page })).data.map(({ extra }) => extra?.blocked)
  expect([await seenBy(gus), await seenBy(olivia), await seenBy(ana)]).toEqual([[true], [false], [false]])
  expect((await notificationsOf(gus)).filter(({ read }) => !read)).toEqual([])
})

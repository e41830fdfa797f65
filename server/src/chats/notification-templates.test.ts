import { expect, test } from 'vitest'
import { enter, type Member } from '../../test/cast.ts'
import { notificationsOf, openNotifiedApp, traceOfNewest } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'

const { app, kinds, quiet, unread } = await openNotifiedApp()

/** An event of Olivia's with Gus and Ana in it and Sam outside, and everything before that read. */
const gathering = async () => {
  const [olivia, gus, ana, sam] = (await Promise.all(
    (['olivia', 'gus', 'ana', 'sam'] as const).map(name => enter(app, name)),
  )) as [Member, Member, Member, Member]
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, gus)
  await bringIn(olivia, event_id, ana)
  await quiet()
  for (const member of [olivia, gus, ana]) await member.api.notifications.readAllNotifications()
  const say = async (who: Member, message_content: string, fields: Record<string, unknown> = {}) =>
    Number((await who.api.chats.saveMessage({ group_chat_id, message_content, ...fields })).id)
  const link = (id: number) => `/events/${event_id}/chat?message=${id}`
  return { olivia, gus, ana, sam, event_id, group_chat_id, say, link }
}

const lake = 'Midsummer at the lake'

test('a message notifies everyone in the chat except its author, and nobody outside', async () => {
  const { olivia, gus, ana, sam, say, link } = await gathering()
  const id = await say(gus, 'Who\n brings  a lamp?')
  const told = ['message', `Gus Grant in ${lake}`, 'Who brings a lamp?', link(id), 1]
  expect(await Promise.all([olivia, ana].map(unread))).toEqual([[told], [told]])
  expect(await Promise.all([gus, sam].map(unread))).toEqual([[], []])
})

test('a burst in a chat is one notification with the newest text; a text is cut to a hundred and twenty characters', async () => {
  const { gus, ana, say, link } = await gathering()
  await say(gus, 'one')
  await say(gus, 'two')
  const family = '👩‍👩‍👧‍👦'
  const id = await say(gus, family.repeat(121))
  const [told, ...rest] = await unread(ana)
  expect(told).toEqual(['message', `Gus Grant in ${lake}`, `${family.repeat(120)}…`, link(id), 3])
  expect(rest).toEqual([])
})

test('a mention replaces the message’s notification for the mentioned person, if in the event', async () => {
  const { gus, ana, olivia, sam, say, link } = await gathering()
  const id = await say(gus, `@${ana.username.toUpperCase()}, @${sam.username} and me@${olivia.username}.`)
  expect(await unread(ana)).toMatchObject([['mention', `Gus Grant mentioned you in ${lake}`, {}, link(id), 1]])
  expect(await kinds(olivia)).toEqual(['message'])
  expect(await kinds(sam)).toEqual([])
})

test('the longer of two names with the same beginning is mentioned', async () => {
  const { gus, ana, olivia, say } = await gathering()
  await ana.api.accounts.updateAccount({
    ...nameOf('Ana'),
    user_username: `${olivia.username}.b`,
    user_email: ana.email,
  })
  await say(gus, `@${olivia.username}.b.`)
  expect(await kinds(ana)).toEqual(['mention'])
  expect(await kinds(olivia)).toEqual(['message'])
})
const nameOf = (user_first_name: string) => ({ user_first_name, user_last_name: 'Álvarez' })

test('an edit notifies only people newly mentioned', async () => {
  const { gus, ana, olivia, say, link, group_chat_id } = await gathering()
  const id = await say(gus, `@${ana.username} hello`)
  for (const member of [ana, olivia]) await member.api.chats.markSeen({ message_id: id })
  await quiet()
  await say(gus, `@${ana.username} and @${olivia.username} hello`, { message_id: id })
  expect(await unread(olivia)).toMatchObject([['mention', {}, {}, link(id), 1]])
  expect(await unread(ana)).toEqual([])
  await gus.api.chats.saveMessage({ group_chat_id, message_content: 'hello', message_id: id })
  expect(await kinds(ana)).toEqual([])
})

test('a reply notifies the quoted author as a reply, and the others as a message', async () => {
  const { gus, ana, olivia, say, link } = await gathering()
  const asked = await say(ana, 'Who comes?')
  await ana.api.notifications.readAllNotifications()
  const id = await say(gus, 'Me', { message_reply_id: asked })
  expect(await unread(ana)).toEqual([['message_reply', `Gus Grant replied to you in ${lake}`, 'Me', link(id), 1]])
  expect(await kinds(olivia)).toEqual(['message'])
})

test('a reaction notifies the message’s author, unless it is their own or was removed', async () => {
  const { gus, ana, olivia, say, link } = await gathering()
  const message_id = await say(gus, 'I bring a lamp')
  await gus.api.chats.reactToMessage({ message_id, message_reaction: '💡' })
  await ana.api.chats.reactToMessage({ message_id, message_reaction: '🎉' })
  expect(await unread(gus)).toEqual([
    ['message_reaction', `Ana Álvarez reacted 🎉 in ${lake}`, 'I bring a lamp', link(message_id), 1],
  ])
  expect(await kinds(olivia)).toEqual(['message'])
})

test('a muted chat is listed and silent, whatever happens in it', async () => {
  const { gus, ana, say, group_chat_id } = await gathering()
  const mine = await say(ana, 'Mine')
  await ana.api.chats.muteChat({ group_chat_id })
  await say(gus, 'hello')
  await say(gus, `@${ana.username}`)
  await say(gus, 'yes', { message_reply_id: mine })
  await gus.api.chats.reactToMessage({ message_id: mine, message_reaction: '🎉' })
  expect((await kinds(ana)).sort()).toEqual(['mention', 'message', 'message_reaction', 'message_reply'])
  for (const { id } of (await notificationsOf(ana)).filter(({ read }) => !read)) {
    const { reason, deliveries } = await ana.api.notifications.traceNotification({ notification_id: id })
    expect([reason, deliveries]).toEqual([expect.stringContaining('because you muted this chat'), []])
  }
  await ana.api.notifications.readAllNotifications()
  await ana.api.chats.unmuteChat({ group_chat_id })
  await say(gus, 'hello again')
  await quiet()
  expect(await traceOfNewest(ana)).toHaveLength(1)
})

test('deleting a message withdraws its notification; a burst keeps the others, without its text', async () => {
  const { gus, ana, say } = await gathering()
  const only = await say(gus, 'alone')
  await gus.api.chats.deleteMessage({ message_id: only })
  expect(await unread(ana)).toEqual([])

  await say(gus, 'one')
  const two = await say(gus, 'a secret')
  expect(await unread(ana)).toHaveLength(1)
  await ana.api.chats.reactToMessage({ message_id: two, message_reaction: '🎉' })
  expect(await kinds(gus)).toEqual(['message_reaction'])
  await gus.api.chats.deleteMessage({ message_id: two })
  expect(await unread(ana)).toMatchObject([['message', {}, 'The message was deleted.', {}, 1]])
  expect(await unread(gus)).toEqual([])
})

test('a guest who has seen a message is not notified of it, and seeing it reads its notification', async () => {
  const { gus, ana, say } = await gathering()
  const mine = await say(ana, 'mine')
  const first = await say(gus, 'one')
  await gus.api.chats.reactToMessage({ message_id: mine, message_reaction: '🎉' })
  const last = await say(gus, `@${ana.username}`)
  expect((await kinds(ana)).sort()).toEqual(['mention', 'message', 'message_reaction'])
  await ana.api.chats.markSeen({ message_id: first })
  expect(await kinds(ana)).toEqual(['mention'])
  await ana.api.chats.markSeen({ message_id: last })
  expect(await kinds(ana)).toEqual([])
  // The mark cannot move, and still the notices are read.
  await gus.api.chats.reactToMessage({ message_id: mine, message_reaction: '🎈' })
  expect(await kinds(ana)).toEqual(['message_reaction'])
  await ana.api.chats.markSeen({ message_id: last })
  expect(await kinds(ana)).toEqual([])
})

test('reading messages on arrival leaves none of them unread', async () => {
  const { gus, ana, olivia, say } = await gathering()
  for (let at = 0; at < 25; at++) {
    const message_id = await say(gus, `${at}`)
    await new Promise(resolve => setTimeout(resolve, at % 9))
    await Promise.all([ana, olivia].map(member => member.api.chats.markSeen({ message_id })))
  }
  expect(await Promise.all([ana, olivia].map(unread))).toEqual([[], []])
})

test('a removed guest, or one who joins later, is not notified of a message', async () => {
  const { olivia, gus, ana, sam, say, event_id } = await gathering()
  await say(gus, `@${ana.username} bye`)
  await olivia.api.events.removeGuest({ event_id, user_id: ana.id })
  await bringIn(olivia, event_id, sam)
  expect(await kinds(ana)).toEqual(['guest_removed'])
  expect(await kinds(sam)).toEqual(['join_approved'])
})

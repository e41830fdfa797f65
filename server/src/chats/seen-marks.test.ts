import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { bringIn, evening } from '../../test/party.ts'

const app = await openTestApp()
const page = { page: 1, page_length: 10 }

test('a viewer who hides seen marks sees nobody else’s, and unread counts stay exact', async () => {
  const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(
    evening({ event_announcements_in_chat: false }),
  )
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  const { id } = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Hello' })
  const message_id = Number(id)
  for (const { api } of [gus, ana]) await api.chats.markSeen({ message_id })

  const ids = (seens: readonly { user: { id: number } }[] = []) => seens.map(({ user }) => user.id).sort()
  /** In the list, separately, in the list of chats, and as their own list. */
  const seenBy = async (who: typeof gus) => {
    const listed = (await who.api.chats.listMessages({ group_chat_id, ...page })).data[0]?.seens
    const latest = (await who.api.chats.listChats(page)).data.find(chat => chat.id === group_chat_id)?.latest_message
    const chat = (await who.api.chats.readChat({ group_chat_id })).latest_message
    const all = (await who.api.chats.listSeen({ message_id, ...page })).data.map(user => user.id).sort()
    const seen = [ids(listed), ids(latest?.seens), ids(chat?.seens), all]
    expect(new Set(seen.map(String)).size).toBe(1)
    return all
  }
  const both = [gus.id, ana.id].sort()
  expect([await seenBy(olivia), await seenBy(gus)]).toEqual([both, both])
  expect(await gus.api.privacy.readSeenSettings()).toEqual({ seen_shown: true })
  expect(await gus.api.privacy.saveSeenSettings({ seen_shown: false })).toEqual({ seen_shown: false })
  expect([await seenBy(olivia), await seenBy(gus), await seenBy(ana)]).toEqual([[ana.id], [], [ana.id]])

  const [hearsOlivia, hearsGus] = [await listen(app, olivia), await listen(app, gus)]
  const next = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'More' })
  for (const { api } of [gus, ana]) await api.chats.markSeen({ message_id: Number(next.id) })
  await hearsOlivia.next('message.seen', ({ user }) => user.id === ana.id)
  await olivia.api.chats.reactToMessage({ message_id: Number(next.id), message_reaction: '🎉' })
  const reacted = (hears: typeof hearsGus) => hears.next('message.reacted', message => message.id === next.id)
  expect(ids((await reacted(hearsOlivia)).seens)).toEqual([ana.id])
  expect(ids((await reacted(hearsGus)).seens)).toEqual([])
  expect(hearsOlivia.of('message.seen').map(({ user }) => user.id)).toEqual([ana.id])
  // A person's other devices learn how far they have read.
  expect(hearsGus.of('message.seen').map(({ user }) => user.id)).toEqual([gus.id])
  expect(await gus.api.chats.countUnread()).toMatchObject({ unread_count: 0 })

  const { id: announcement_id } = await olivia.api.announcements.makeAnnouncement({
    event_id,
    announcement_text: 'Hello',
  })
  for (const { api } of [gus, ana]) await api.announcements.seeAnnouncement({ announcement_id })
  const [announced] = (await olivia.api.announcements.listAnnouncements({ event_id, ...page })).data
  expect(announced?.announcement_seens?.map(user => user.id)).toEqual([ana.id])

  await gus.api.privacy.saveSeenSettings({ seen_shown: true })
  expect([await seenBy(olivia), await seenBy(gus)]).toEqual([both, both])
})

import { describe, expect, test } from 'vitest'
import { enter, type Member } from '../../../test/cast.ts'
import { notificationsOf, openNotifiedApp } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { notFound, refusal } from '../../../test/refused.ts'

const { app, quiet } = await openNotifiedApp()
const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]

const hold = async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  const say = async (by: Member, message_content: string) => ({
    message_id: Number((await by.api.chats.saveMessage({ group_chat_id, message_content })).id),
  })
  const pinnedFor = async (who: Member) => (await who.extra.chats.readChat({ group_chat_id })).extra?.pinned
  const toldTo = async (who: Member) => {
    await quiet()
    const told = await notificationsOf(who)
    return told
      .filter(({ notification_kind, ...one }) => notification_kind === 'message_pinned' && one.event_id === event_id)
      .map(({ notification_title, notification_body }) => `${notification_title}: ${notification_body}`)
  }
  return { event_id, group_chat_id, say, pinnedFor, toldTo }
}

describe('a pinned message', () => {
  test('is on top of the chat for everybody, and announced once to all but the person who pinned it', async () => {
    const { group_chat_id, event_id, say, pinnedFor, toldTo } = await hold()
    const message = await say(gus, 'The bus leaves at five')
    const shown = await olivia.extra.chats.pinMessage(message)
    await olivia.api.chats.pinMessage(message)
    expect(shown.extra?.pinned).toMatchObject({ ...message, message_content: 'The bus leaves at five', blocked: false })
    expect(await pinnedFor(ana)).toEqual(shown.extra?.pinned)
    const { data } = await ana.extra.chats.listChats({ page: 1, page_length: 50 })
    expect(data.find(({ id }) => id === group_chat_id)?.extra?.pinned).toEqual(shown.extra?.pinned)
    const { event_name } = await olivia.api.events.readEvent({ event_id })
    const told = [`Olivia Ortega pinned a message in ${event_name}: The bus leaves at five`]
    expect([await toldTo(olivia), await toldTo(gus), await toldTo(ana)]).toEqual([[], told, told])
  })

  test('is replaced by the next one, which alone is announced', async () => {
    const { say, pinnedFor, toldTo } = await hold()
    const [first, second] = [await say(gus, 'First'), await say(gus, 'Second')]
    await olivia.api.chats.pinMessage(first)
    expect(await toldTo(ana)).toMatchObject([expect.stringContaining(': First')])
    await olivia.api.chats.pinMessage(second)
    expect(await pinnedFor(ana)).toMatchObject(second)
    expect(await toldTo(ana)).toMatchObject([expect.stringContaining(': Second')])
    await olivia.api.chats.unpinMessage(first)
    expect(await pinnedFor(ana)).toMatchObject(second)
    await olivia.api.chats.unpinMessage(second)
    expect([await pinnedFor(ana), await toldTo(ana)]).toEqual([null, []])
  })

  test('is unpinned when it is deleted or hidden, its notifications withdrawn, and stays unpinned', async () => {
    const { say, pinnedFor, toldTo } = await hold()
    const nasty = await say(gus, 'Nasty')
    await olivia.api.chats.pinMessage(nasty)
    expect(await toldTo(ana)).toHaveLength(1)
    await olivia.api.chats.hideMessage(nasty)
    expect([await pinnedFor(ana), await pinnedFor(olivia), await toldTo(ana)]).toEqual([null, null, []])
    expect(await refusal(olivia.api.chats.pinMessage(nasty))).toEqual(notFound('Message not found!'))
    await olivia.api.chats.unhideMessage(nasty)
    expect(await pinnedFor(ana)).toBeNull()
    await olivia.api.chats.pinMessage(nasty)
    await gus.api.chats.deleteMessage(nasty)
    expect([await pinnedFor(ana), await toldTo(ana)]).toEqual([null, []])
  })

  test('unpinned before its announcement is announced to nobody', async () => {
    const { say, toldTo } = await hold()
    const message = await say(gus, 'Never mind')
    await olivia.api.chats.pinMessage(message)
    await olivia.api.chats.unpinMessage(message)
    expect(await toldTo(ana)).toEqual([])
  })

  test('shows its current text, and is folded for people who block its author', async () => {
    const { group_chat_id, say, pinnedFor, toldTo } = await hold()
    const message = await say(gus, 'At five')
    await olivia.api.chats.pinMessage(message)
    expect(await toldTo(ana)).toHaveLength(1)
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'At six', ...message })
    expect(await pinnedFor(ana)).toMatchObject({ message_content: 'At six', blocked: false })
    expect(await toldTo(ana)).toMatchObject([expect.stringContaining('At six')])
    await ana.api.people.block({ user_id: gus.id })
    expect(await pinnedFor(ana)).toMatchObject({ blocked: true })
    expect(await pinnedFor(olivia)).toMatchObject({ blocked: false })
  })

  test('rings nobody who only wants personal notifications of this event', async () => {
    const { event_id, say } = await hold()
    await ana.api.notifications.saveEventLevel({ event_id, level: 'for_me' })
    await olivia.api.chats.pinMessage(await say(gus, 'At five'))
    await quiet()
    const [told] = await notificationsOf(ana)
    const { extra } = await ana.extra.notifications.traceNotification({ notification_id: told?.id ?? 0 })
    expect([told?.notification_kind, extra?.reasons.map(({ code }) => code)]).toEqual([
      'message_pinned',
      ['inChat', 'forMeOnly'],
    ])
  })
})

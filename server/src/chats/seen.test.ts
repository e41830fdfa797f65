import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { bringIn, evening, party } from '../../test/party.ts'
import { notFound, refusal, says } from '../../test/refused.ts'

const app = await openTestApp()
const { olivia, gus, asha, sam, remy, gwen, chatId } = await party(app)
const notInEvent = says('The user is neither a guest nor an organizer of the event')

/** An event with a chat and these guests. */
const chatOf = async (...guests: Member[]) => {
  const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  for (const guest of guests) await bringIn(olivia, id, guest)
  const send = async (who: Member, message_content: string) =>
    Number((await who.api.chats.saveMessage({ group_chat_id, message_content })).id)
  const unread = async (who: Member) => {
    const { group_chats } = await who.api.chats.countUnread()
    return group_chats.find(each => each.group_chat_id === group_chat_id)?.unread_count ?? 0
  }
  const seensOf = async (message_id: number) => {
    const page = await olivia.api.chats.listMessages({ group_chat_id, message_id, page: 1, page_length: 1 })
    return page.data[0]?.seens.map(({ user }) => user.id)
  }
  return { event_id: id, group_chat_id, send, unread, seensOf }
}
const see = (who: Member, message_id: number) => who.api.chats.markSeen({ message_id })

describe('a seen mark', () => {
  test('only moves forward, and leaves an exact unread count', async () => {
    const { group_chat_id, send } = await chatOf(gus)
    const ids = [await send(olivia, 'one'), await send(olivia, 'two'), await send(olivia, 'three')] as const
    expect(await see(gus, ids[1])).toEqual({ group_chat_id, seen_sequence: 2, unread_count: 1 })
    expect(await see(gus, ids[0])).toEqual({ group_chat_id, seen_sequence: 2, unread_count: 1 })
    expect(await see(gus, ids[2])).toEqual({ group_chat_id, seen_sequence: 3, unread_count: 0 })
  })

  test('moves with the viewer’s own message, so their messages are never unread', async () => {
    const { send, unread } = await chatOf(gus)
    await send(olivia, 'Hello?')
    expect([await unread(olivia), await unread(gus)]).toEqual([0, 1])
    await send(gus, 'Here')
    expect([await unread(olivia), await unread(gus)]).toEqual([1, 0])
  })

  test('many seen marks at once end at the furthest', async () => {
    const { send } = await chatOf(gus)
    const ids = []
    for (let at = 0; at < 10; at++) ids.push(await send(olivia, `no ${at}`))
    await Promise.all(ids.map(id => see(gus, id)))
    expect((await see(gus, ids[0] as number)).seen_sequence).toBe(10)
  })

  test('is refused to strangers, and disappears with its owner', async () => {
    const { event_id, send, seensOf } = await chatOf(gus)
    const id = await send(olivia, 'Secret')
    for (const outsider of [asha, sam, remy, gwen]) expect(await refusal(see(outsider, id))).toEqual(notInEvent)
    expect(await refusal(see(gus, 999_999))).toEqual(notFound('Message not found!'))
    await see(gus, id)
    expect(await seensOf(id)).toEqual([gus.id])
    await olivia.api.events.removeGuest({ event_id, user_id: gus.id })
    expect(await seensOf(id)).toEqual([])
    expect(await refusal(see(gus, id))).toEqual(notInEvent)
  })

  test('set while its owner is being removed is never left behind', async () => {
    const { event_id, send, seensOf } = await chatOf()
    const ids = [await send(olivia, 'a'), await send(olivia, 'b'), await send(olivia, 'c')]
    for (let round = 0; round < 6; round++) {
      const leaver = await enter(app, 'remy')
      await bringIn(olivia, event_id, leaver)
      const marks = Promise.allSettled(ids.map(id => see(leaver, id)))
      await olivia.api.events.removeGuest({ event_id, user_id: leaver.id })
      await marks
      expect(await seensOf(ids[0] as number)).toEqual([])
    }
  })
})

describe('the list of people who have seen a message', () => {
  test('has those whose mark has reached it, the furthest first, without its author', async () => {
    const ana = await enter(app, 'ana')
    const rita = await enter(app, 'rita')
    const { send, seensOf } = await chatOf(gus, ana, rita)
    const ids = [await send(gus, 'one'), await send(olivia, 'two'), await send(olivia, 'three')] as const
    await see(ana, ids[0])
    await see(rita, ids[1])
    expect(await Promise.all(ids.map(seensOf))).toEqual([[olivia.id, rita.id, ana.id], [rita.id], []])
    const list = (message_id: number, page: number, page_length: number) =>
      ana.api.chats.listSeen({ message_id, page, page_length })
    const all = await list(ids[0], 1, 10)
    expect(all.data.map(({ id }) => id)).toEqual([olivia.id, rita.id, ana.id])
    expect(Object.keys(all.data[0] ?? {})).toHaveLength(5)
    expect([(await list(ids[0], 1, 2)).data, (await list(ids[0], 2, 2)).data].flat()).toEqual(all.data)
    expect(await refusal(sam.api.chats.listSeen({ message_id: ids[0], page: 1, page_length: 5 }))).toEqual(notInEvent)
  })

  test('has at most a hundred people on the message, and all on its own page', async () => {
    const { group_chat_id, event_id, send, seensOf } = await chatOf(gus)
    const id = await send(olivia, 'Everybody look')
    const crowd = Array.from({ length: 105 }, (_, at) => ({
      first_name: 'Reader',
      last_name: `No ${at}`,
      username: `crowd${at}`,
      email: `crowd${at}@example.com`,
      timezone: 'UTC',
    }))
    const readers = await app.db.insertInto('users').values(crowd).returning('id').execute()
    await app.db
      .insertInto('guests')
      .values(readers.map(reader => ({ event_id, user_id: reader.id })))
      .execute()
    await app.db
      .insertInto('seen_marks')
      .values(readers.map(reader => ({ group_chat_id, user_id: reader.id, seen_sequence: 1 })))
      .execute()
    await see(gus, id)
    expect(await seensOf(id)).toHaveLength(100)
    const pages = [1, 2].map(page => olivia.api.chats.listSeen({ message_id: id, page, page_length: 100 }))
    const ids = (await Promise.all(pages)).flatMap(({ data }) => data.map(user => user.id))
    expect(ids).toHaveLength(106)
    expect(new Set(ids).size).toBe(106)
  })
})

describe('the unread count', () => {
  test('ignores messages from before the viewer joined, and tombstones', async () => {
    const late = await enter(app, 'ana')
    const { event_id, send, unread } = await chatOf(gus)
    const ids = [await send(olivia, 'one'), await send(olivia, 'two')]
    await bringIn(olivia, event_id, late)
    ids.push(await send(olivia, 'three'), await send(olivia, 'four'))
    expect([await unread(gus), await unread(late)]).toEqual([4, 2])
    for (const message_id of [ids[0], ids[3]] as number[]) await olivia.api.chats.deleteMessage({ message_id })
    expect([await unread(gus), await unread(late)]).toEqual([2, 1])
    await olivia.api.chats.deleteMessage({ message_id: ids[2] as number })
    await olivia.api.chats.deleteMessage({ message_id: ids[1] as number })
    expect([await unread(gus), await unread(late), await unread(olivia)]).toEqual([0, 0, 0])
  })

  test('starts afresh for a guest who returns', async () => {
    const { event_id, send, unread } = await chatOf(gus)
    await send(olivia, 'one')
    await gus.api.events.leaveEvent({ event_id })
    await send(olivia, 'two')
    await bringIn(olivia, event_id, gus)
    expect(await unread(gus)).toBe(0)
    await send(olivia, 'three')
    expect(await unread(gus)).toBe(1)
  })

  test('is added up over the viewer’s chats', async () => {
    const reader = await enter(app, 'ana')
    const chats = [await chatOf(reader), await chatOf(reader), await chatOf(reader)] as const
    await chats[0].send(olivia, 'a')
    await chats[2].send(olivia, 'b')
    await chats[2].send(olivia, 'c')
    const expected = [
      { group_chat_id: chats[0].group_chat_id, unread_count: 1 },
      { group_chat_id: chats[2].group_chat_id, unread_count: 2 },
    ]
    expect(await reader.api.chats.countUnread()).toEqual({ unread_count: 3, group_chats: expected })
    await olivia.api.events.deleteEvent({ event_id: chats[2].event_id })
    expect((await reader.api.chats.countUnread()).unread_count).toBe(1)
  })
})

describe('chats', () => {
  test('are listed last active first, with their latest message and what the viewer may do', async () => {
    const reader = await enter(app, 'ana')
    const chats = [await chatOf(reader), await chatOf(reader), await chatOf(reader)] as const
    const [quiet, second, first] = chats
    const id = await second.send(olivia, 'Second')
    await first.send(olivia, 'First')
    await second.send(reader, 'Second again')
    await first.send(olivia, 'First again')
    const list = (page: number, page_length: number) => reader.extra.chats.listChats({ page, page_length })
    const all = await list(1, 10)
    expect(all.data.map(chat => chat.id)).toEqual([first, second, quiet].map(({ group_chat_id }) => group_chat_id))
    expect(all.data.map(chat => chat.latest_message?.message_content)).toEqual([
      'First again',
      'Second again',
      undefined,
    ])
    expect(all.data[2]?.latest_message).toBeNull()
    expect(all.data[0]).toMatchObject({
      event_id: first.event_id,
      group_chat_name: 'Midsummer at the lake',
      group_chat_status: 1,
      extra: {
        unread_count: 2,
        muted: false,
        seen_sequence: 0,
        last_sequence: 2,
        may: { send: true, delete_others: false },
      },
    })
    expect([await list(1, 2), await list(2, 2)].flatMap(({ data }) => data)).toEqual(all.data)
    await reader.api.chats.reactToMessage({ message_id: id, message_reaction: '👍' })
    const one = await olivia.extra.chats.readChat({ group_chat_id: second.group_chat_id })
    expect(one).toMatchObject({ latest_message: { user: { id: reader.id }, seens: [] }, extra: { unread_count: 1 } })
    expect((await sam.api.chats.listChats({ page: 1, page_length: 10 })).data).toEqual([])
  })

  test('show the latest message in its own shape', async () => {
    const { group_chat_id, send } = await chatOf(gus)
    const message_reply_id = await send(gus, 'Question')
    const reply = { group_chat_id, message_content: 'Answer', message_reply_id }
    const message_id = Number((await olivia.api.chats.saveMessage(reply)).id)
    await gus.api.chats.reactToMessage({ message_id, message_reaction: '👍' })
    await see(gus, message_id)
    const { latest_message } = await olivia.api.chats.readChat({ group_chat_id })
    expect(latest_message).toMatchObject({
      message_content: 'Answer',
      seens: [{ user: { id: gus.id } }],
      replied_to: { message_content: 'Question', user: { id: gus.id } },
      reactions: [{ message_id: String(message_id), message_reaction_count: '1' }],
    })
    expect(latest_message?.reactions[0]).not.toHaveProperty('message_reaction')
    expect(latest_message?.replied_to?.user).not.toHaveProperty('user_username')
  })

  test('are refused to strangers', async () => {
    for (const outsider of [asha, sam, remy, gwen])
      for (const call of ['readChat', 'muteChat', 'unmuteChat'] as const)
        expect(await refusal(outsider.api.chats[call]({ group_chat_id: chatId }))).toEqual(notInEvent)
    for (const call of ['readChat', 'muteChat', 'unmuteChat'] as const)
      expect(await refusal(gus.api.chats[call]({ group_chat_id: 999_999 }))).toEqual(notFound('Group chat not found!'))
  })

  test('can be muted and unmuted repeatedly', async () => {
    const muted = async () => (await gus.extra.chats.readChat({ group_chat_id: chatId })).extra?.muted
    for (const call of ['muteChat', 'muteChat', 'unmuteChat', 'unmuteChat'] as const) {
      const now = await gus.api.chats[call]({ group_chat_id: chatId })
      expect([now, await muted()]).toEqual([{ muted: call === 'muteChat' }, call === 'muteChat'])
    }
  })
})

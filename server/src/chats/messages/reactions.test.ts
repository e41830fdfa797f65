import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { bringIn, party } from '../../../test/party.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'

const app = await openTestApp()
const { olivia, gus, asha, sam, remy, gwen, chatId, event } = await party(app)
const notInEvent = says('The user is neither a guest nor an organizer of the event')

const newMessage = async () => {
  const { id } = await olivia.api.chats.saveMessage({ group_chat_id: chatId, message_content: 'React to me' })
  return { message_id: Number(id) }
}
const shown = (message: { reactions: { message_reaction: string; message_reaction_count: string }[] }) =>
  message.reactions.map(each => `${each.message_reaction}${each.message_reaction_count}`).join(' ')
const wrongReactions = async () => {
  const { rows } = await sql`
    select m.id from messages m where m.reactions is distinct from (
      select jsonb_agg(jsonb_build_object('emoji', emoji, 'count', count) order by first) from (
        select emoji, count(*) as count, min(id) as first from message_reactions where message_id = m.id group by emoji) r)
    and exists (
      select from jsonb_to_recordset(coalesce(m.reactions, '[]')) as s (emoji text, count int)
      full join (select emoji, count(*) as count from message_reactions where message_id = m.id group by emoji) r using (emoji)
      where s.count is distinct from r.count)`.execute(app.db)
  return rows
}

describe('reacting', () => {
  test('adds each emoji of a person once, in the order of first use', async () => {
    const on = await newMessage()
    const react = (who: typeof gus, message_reaction: string) =>
      who.extra.chats.reactToMessage({ ...on, message_reaction })
    await react(gus, '🎂')
    await react(olivia, '❤️')
    await react(olivia, '🎂')
    const message = await react(gus, '🎂')
    expect(shown(message)).toBe('🎂2 ❤️1')
    expect(message.extra?.my_reactions).toEqual(['🎂'])
    expect(message.reactions[0]).toMatchObject({ message_id: String(on.message_id) })
    const { data } = await olivia.extra.chats.listMessages({ group_chat_id: chatId, page: 1, page_length: 1 })
    expect([shown(data[0] as typeof message), data[0]?.extra?.my_reactions]).toEqual(['🎂2 ❤️1', ['❤️', '🎂']])
  })

  test('removes one emoji, or all, and an emoji keeps its id while anybody has it', async () => {
    const on = await newMessage()
    for (const message_reaction of ['👍', '👏', '🔥']) await gus.api.chats.reactToMessage({ ...on, message_reaction })
    const [thumb] = (await olivia.api.chats.reactToMessage({ ...on, message_reaction: '👍' })).reactions
    const less = await gus.api.chats.unreactToMessage({ ...on, message_reaction: '👍' })
    expect(shown(less)).toBe('👍1 👏1 🔥1')
    expect(less.reactions[0]?.id).toBe(thumb?.id)
    expect(shown(await gus.api.chats.unreactToMessage({ ...on, message_reaction: '🥨' }))).toBe('👍1 👏1 🔥1')
    expect(shown(await gus.api.chats.unreactToMessage(on))).toBe('👍1')
    expect(shown(await gus.api.chats.unreactToMessage(on))).toBe('👍1')
  })

  test('accepts one visible emoji and nothing else', async () => {
    const on = await newMessage()
    for (const message_reaction of ['👩🏽‍🚀', '🏳️‍🌈', '🇪🇸', '1️⃣', '👨‍👩‍👧‍👦'])
      await gus.api.chats.reactToMessage({ ...on, message_reaction })
    for (const message_reaction of ['a', '👍👍', '<3', ':)', '🎉x', '\u200d', '1'])
      expect(await refusal(gus.api.chats.reactToMessage({ ...on, message_reaction }))).toEqual(
        invalid('message_reaction', 'The selected message reaction is invalid.'),
      )
    expect((await gus.api.chats.unreactToMessage(on)).reactions).toEqual([])
  })

  test('is limited to a hundred different emoji', async () => {
    const on = await newMessage()
    await sql`
      update messages set reactions = (select jsonb_agg(jsonb_build_object('id', i, 'emoji', 'e' || i, 'count', 1,
        'created_at', '2026-01-01T00:00:00.000Z', 'updated_at', '2026-01-01T00:00:00.000Z')) from generate_series(1, 100) i)
      where id = ${on.message_id}`.execute(app.db)
    expect(await refusal(gus.api.chats.reactToMessage({ ...on, message_reaction: '🥨' }))).toEqual(
      invalid('message_reaction', 'The message reaction field must not have more than 100 items.'),
    )
    await sql`update messages set reactions = null where id = ${on.message_id}`.execute(app.db)
    const { rows } = await sql`select from message_reactions where message_id = ${on.message_id}`.execute(app.db)
    expect(rows).toHaveLength(0)
  })

  test('is refused to strangers and on unknown messages', async () => {
    const on = await newMessage()
    for (const outsider of [asha, sam, remy, gwen]) {
      expect(await refusal(outsider.api.chats.reactToMessage({ ...on, message_reaction: '👍' }))).toEqual(notInEvent)
      expect(await refusal(outsider.api.chats.unreactToMessage(on))).toEqual(notInEvent)
      expect(await refusal(outsider.api.chats.listReactedUsers({ ...on, page: 1, page_length: 5 }))).toEqual(notInEvent)
    }
    const unknown = { message_id: 999_999, message_reaction: '👍' }
    expect(await refusal(gus.api.chats.reactToMessage(unknown))).toEqual(notFound('Message not found!'))
  })

  test('by many at once, twice each, is counted exactly', async () => {
    const on = await newMessage()
    const crowd = [olivia, gus]
    for (let at = 0; at < 4; at++) {
      const guest = await enter(app, 'gus')
      await bringIn(olivia, event.id, guest)
      crowd.push(guest)
    }
    const emojis = ['👍', '❤️', '🎉']
    const all = () => crowd.flatMap(who => emojis.map(message_reaction => [who, { ...on, message_reaction }] as const))
    await Promise.all([...all(), ...all()].map(([who, reaction]) => who.api.chats.reactToMessage(reaction)))
    expect((await gus.api.chats.reactToMessage({ ...on, message_reaction: '👍' })).reactions).toHaveLength(3)
    await Promise.all(
      all().flatMap(([who, reaction], at) => [
        at % 2 ? who.api.chats.unreactToMessage(reaction) : who.api.chats.reactToMessage(reaction),
        who.api.chats.saveMessage({ group_chat_id: chatId, message_content: 'meanwhile' }),
      ]),
    )
    expect(await wrongReactions()).toEqual([])
  })
})

describe('the list of reactors', () => {
  test('has each person once, by their newest reaction, by query and by path', async () => {
    const on = await newMessage()
    const guest = await enter(app, 'gus')
    await bringIn(olivia, event.id, guest)
    const react = (who: typeof gus, message_reaction: string) =>
      who.api.chats.reactToMessage({ ...on, message_reaction })
    await react(gus, '👍')
    await react(olivia, '👍')
    await react(guest, '🎉')
    await react(gus, '🔥')
    const page = await sam.api.chats.listReactedUsers({ ...on, page: 1, page_length: 10 }).catch(() => undefined)
    expect(page).toBeUndefined()
    const all = await olivia.api.chats.listReactedUsers({ ...on, page: 1, page_length: 10 })
    expect(all.data.map(({ id }) => id)).toEqual([gus.id, guest.id, olivia.id])
    const pages = []
    for (const at of [1, 2, 3, 4])
      pages.push(await olivia.api.chats.listReactedUsers({ ...on, page: at, page_length: 1 }))
    expect(pages.flatMap(({ data }) => data)).toEqual(all.data)
    expect(pages.map(({ next_page_url }) => next_page_url !== null)).toEqual([true, true, false, false])
    const byPath = await fetch(`${app.url}/api/message/reacted/${on.message_id}?page=1&page_length=10`, {
      headers: { authorization: `Bearer ${olivia.token}` },
    })
    expect(((await byPath.json()) as typeof all).data).toEqual(all.data)
  })
})

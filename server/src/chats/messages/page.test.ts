import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { withoutHolders } from '../../../test/link-holders.ts'
import { bringIn, evening, party } from '../../../test/party.ts'
import { jpeg } from '../../../test/pictures.ts'
import { invalid, refusal, says } from '../../../test/refused.ts'
import { statementsOf } from '../../../test/statements.ts'

const app = await openTestApp()
const { olivia, gus, asha, sam, remy, gwen, chatId, otherEvent } = await party(app)
const picture = new Blob([await jpeg({ width: 32, height: 24 })])

const list = (who: Member, page: number, page_length: number, fields: Record<string, unknown> = {}) =>
  who.api.chats.listMessages({ group_chat_id: chatId, page, page_length, ...fields })
const contents = (page: { data: { message_content: string }[] }) => page.data.map(each => each.message_content)
const send = (who: Member, message_content: string, fields: Record<string, unknown> = {}) =>
  who.api.chats.saveMessage({ group_chat_id: chatId, message_content, ...fields })

describe('a page of messages', async () => {
  const ids: number[] = []
  for (let at = 1; at <= 23; at++) ids.push(Number((await send(at % 3 ? gus : olivia, `m${at}`)).id))
  const names = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => `m${from - at}`)

  test('is newest first, and the pages together contain each message once', async () => {
    const first = await list(gus, 1, 10)
    const at = `${app.url}/api/message/list`
    expect(first).toMatchObject({
      current_page: 1,
      from: 1,
      to: 10,
      per_page: '10',
      path: at,
      prev_page_url: null,
      first_page_url: `${at}?group_chat_id=${chatId}&page_length=10&page=1`,
      next_page_url: `${at}?group_chat_id=${chatId}&page_length=10&page=2`,
    })
    expect(contents(first)).toEqual(names(23, 14))
    expect(contents(await list(gus, 2, 10))).toEqual(names(13, 4))
    const last = await list(gus, 3, 10)
    expect(contents(last)).toEqual(names(3, 1))
    expect(last).toMatchObject({ from: 21, to: 23, next_page_url: null })
    expect(await list(gus, 4, 10)).toMatchObject({ data: [], from: null, to: null, next_page_url: null })
    expect((await list(gus, 1, 23)).next_page_url).toBeNull()
    expect((await list(gus, Number.MAX_SAFE_INTEGER, 100)).data).toEqual([])
  })

  test('from an anchor stays where it is while new messages arrive', async () => {
    const message_id = ids[19] as number
    const before = [await list(gus, 1, 8, { message_id }), await list(gus, 2, 8, { message_id })]
    expect(before.flatMap(contents)).toEqual(names(20, 5))
    await send(olivia, 'meanwhile')
    const after = [await list(gus, 1, 8, { message_id }), await list(gus, 2, 8, { message_id })]
    expect(after.flatMap(contents)).toEqual(names(20, 5))
  })

  test('with extra is the same page', async () => {
    for (const page of [1, 2, 3]) {
      const plain = await list(olivia, page, 10)
      const { data, ...rest } = await olivia.extra.chats.listMessages({ group_chat_id: chatId, page, page_length: 10 })
      expect(data.map(({ extra, ...message }) => message)).toEqual(plain.data)
      expect(rest.to).toBe(plain.to)
      expect(Boolean(rest.next_page_url)).toBe(Boolean(plain.next_page_url))
    }
  })

  test('marks nothing as seen', async () => {
    const before = await olivia.api.chats.countUnread()
    await list(olivia, 1, 50)
    expect(await olivia.api.chats.countUnread()).toEqual(before)
  })

  test('is refused to strangers, and for an unknown chat or anchor', async () => {
    for (const outsider of [asha, sam, remy, gwen])
      expect(await refusal(list(outsider, 1, 10))).toEqual(
        says('The user is neither a guest nor an organizer of the event'),
      )
    expect(await refusal(list(gus, 1, 10, { group_chat_id: 999_999 }))).toEqual(
      invalid('group_chat_id', 'The selected group chat id is invalid.'),
    )
    const theirs = await gwen.api.chats.saveMessage({ group_chat_id: otherEvent.group_chat_id, message_content: 'x' })
    for (const message_id of [999_999, Number(theirs.id)])
      expect(await refusal(list(gus, 1, 10, { message_id }))).toEqual(
        invalid('message_id', 'The selected message id is invalid.'),
      )
  })
})

describe('the next page shows a change to everyone:', async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  const guest = await enter(app, 'gus')
  await bringIn(olivia, event_id, guest)
  const say = (who: Member, message_content: string, fields: Record<string, unknown> = {}) =>
    who.api.chats.saveMessage({ group_chat_id, message_content, ...fields })
  const page = async (who = guest) =>
    (await who.api.chats.listMessages({ group_chat_id, page: 1, page_length: 10 })).data
  const firstId = Number((await say(olivia, 'First', { attachments: [picture] })).id)
  const onFirst = { message_id: firstId }
  const first = async () => (await page()).at(-1)
  const chatInList = async (who: Member) => {
    const { data } = await who.extra.chats.listChats({ page: 1, page_length: 10 })
    return data.find(({ id }) => id === group_chat_id)
  }
  const expectListTrue = async () => {
    for (const who of [guest, olivia])
      expect(await chatInList(who)).toEqual(await who.extra.chats.readChat({ group_chat_id }))
  }
  /** Reads the page and the list of chats, changes something, and reads again as somebody else. */
  const after = async (change: () => Promise<unknown>) => {
    await page(olivia)
    await page()
    await chatInList(guest)
    await change()
    await expectListTrue()
    const seen = await page()
    expect(withoutHolders(await page(olivia))).toEqual(withoutHolders(seen))
    const { data } = await guest.extra.chats.listMessages({ group_chat_id, page: 1, page_length: 10 })
    expect(data.map(({ extra, attachments, ...rest }) => rest)).toEqual(seen.map(({ attachments, ...rest }) => rest))
    return seen
  }

  test('even if the first requested page lay beyond the end', async () => {
    await guest.api.chats.markSeen(onFirst)
    const past = { group_chat_id, page: 9, page_length: 10 }
    expect((await guest.api.chats.listMessages(past)).data).toEqual([])
    expect((await first())?.seens).toMatchObject([{ user: { id: guest.id } }])
  })

  test('a message sent, plain, as a reply, with a key or with a picture', async () => {
    expect((await after(() => say(olivia, 'plain')))[0]?.message_content).toBe('plain')
    expect((await after(() => say(guest, 'reply', { message_reply_id: firstId })))[0]?.replied_to?.id).toBe(
      `${firstId}`,
    )
    const keyed = { group_chat_id, message_content: 'keyed' }
    const withKey = () => guest.api.chats.saveMessage(keyed, { idempotencyKey: 'fresh' })
    expect((await after(withKey))[0]?.message_content).toBe('keyed')
    expect((await after(() => say(guest, 'look', { attachments: [picture] })))[0]?.attachments).toHaveLength(1)
  })

  test('an edit, here and where it is replied to', async () => {
    const seen = await after(() => say(olivia, 'First, better', onFirst))
    expect(seen.at(-1)?.message_content).toBe('First, better')
    expect(seen.find(each => each.replied_to)?.replied_to?.message_content).toBe('First, better')
  })

  test('a reaction and its removal', async () => {
    await after(() => guest.api.chats.reactToMessage({ ...onFirst, message_reaction: '🎉' }))
    expect((await first())?.reactions).toMatchObject([{ message_reaction: '🎉', message_reaction_count: '1' }])
    await after(() => guest.api.chats.unreactToMessage(onFirst))
    expect((await first())?.reactions).toEqual([])
  })

  test('a seen mark, and its removal when its owner leaves', async () => {
    const reader = await enter(app, 'remy')
    await bringIn(olivia, event_id, reader)
    const hasSeen = async () => (await first())?.seens.some(({ user }) => user.id === reader.id)
    expect(await hasSeen()).toBe(false)
    await after(() => reader.api.chats.markSeen(onFirst))
    expect(await hasSeen()).toBe(true)
    await after(() => reader.api.events.leaveEvent({ event_id }))
    expect(await hasSeen()).toBe(false)
  })

  test('an attachment that enters the album, leaves it, or is deleted', async () => {
    const attachment = async () => (await first())?.attachments[0]
    const message_attachment_id = (await attachment())?.id as number
    let photo = ''
    await after(async () => {
      photo = (await guest.api.chats.addToAlbum({ message_attachment_id })).id
    })
    expect((await attachment())?.message_attachment_added_to_album).toBe(true)
    await after(() => olivia.api.gallery.deletePhoto({ event_photo_id: Number(photo) }))
    expect((await attachment())?.message_attachment_added_to_album).toBe(false)
    await after(() => olivia.api.chats.deleteAttachment({ message_attachment_id }))
    expect(await attachment()).toBeUndefined()
  })

  test('a name and an avatar, also of somebody who has left', async () => {
    const rename = (who: Member, user_first_name: string) =>
      who.api.accounts.updateAccount({
        user_first_name,
        user_last_name: 'Renamed',
        user_username: who.username,
        user_email: who.email,
      })
    await after(() => rename(olivia, 'Liv'))
    expect((await first())?.user.user_first_name).toBe('Liv')
    const url = (await first())?.user.user_avatar_url
    await after(async () => {
      await olivia.api.accounts.stageAvatar({ profile_picture: picture })
      await olivia.api.accounts.updateAccount({
        user_first_name: 'Liv',
        user_last_name: 'Renamed',
        user_username: olivia.username,
        user_email: olivia.email,
        profile_picture_updated: true,
      })
    })
    expect((await first())?.user.user_avatar_url).not.toBe(url)
    const leaver = await enter(app, 'asha')
    await bringIn(olivia, event_id, leaver)
    await say(leaver, 'I must go')
    await leaver.api.events.leaveEvent({ event_id })
    const seen = await after(() => rename(leaver, 'Gone'))
    expect(seen[0]).toMatchObject({ message_content: 'I must go', user: { user_first_name: 'Gone' } })
  })

  test('media links, all new after somebody has lost access', async () => {
    const link = (seen: Awaited<ReturnType<typeof page>>) =>
      seen.flatMap(({ attachments }) => attachments)[0]?.message_attachment_url as string
    const leaver = await enter(app, 'asha')
    await bringIn(olivia, event_id, leaver)
    const old = link(await page())
    expect((await fetch(old)).status).toBe(200)
    const renewed = link(await after(() => olivia.api.events.removeGuest({ event_id, user_id: leaver.id })))
    expect([(await fetch(old)).status, (await fetch(renewed)).status]).toEqual([404, 200])
  })

  test('the latest message seen, reacted to, hidden, shown again and deleted', async () => {
    const message_id = Number((await say(olivia, 'Latest', { attachments: [picture] })).id)
    const latest = async () => (await chatInList(guest))?.latest_message
    await after(() => guest.api.chats.markSeen({ message_id }))
    expect((await latest())?.seens).toMatchObject([{ user: { id: guest.id } }])
    await after(() => guest.api.chats.reactToMessage({ message_id, message_reaction: '🎉' }))
    expect((await latest())?.reactions).toMatchObject([{ message_reaction_count: '1' }])
    await olivia.api.chats.hideMessage({ message_id })
    await expectListTrue()
    expect((await latest())?.id).not.toBe(`${message_id}`)
    await olivia.api.chats.unhideMessage({ message_id })
    await expectListTrue()
    expect(await latest()).toMatchObject({ id: `${message_id}`, message_content: 'Latest' })
    await after(() => olivia.api.chats.deleteMessage({ message_id }))
    expect((await latest())?.id).not.toBe(`${message_id}`)
  })

  test('a deletion', async () => {
    const seen = await after(() => olivia.api.chats.deleteMessage(onFirst))
    expect(seen.at(-1)).toMatchObject({ id: `${firstId}`, message_content: '', reactions: [], attachments: [] })
    expect(seen.find(each => each.replied_to)?.replied_to?.message_content).toBe('')
  })
})

/** Counts only the operation's statements: the caller was looked up before. */
const statements = async (who: Member, work: () => Promise<unknown>) => {
  await who.api.accounts.readAccount()
  return statementsOf(work)
}

test('a viewer’s reactions are their own, even after another viewer read the page', async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  const guest = await enter(app, 'gus')
  await bringIn(olivia, event_id, guest)
  const ids: number[] = []
  for (const text of ['one', 'two', 'three']) ids.push(Number((await send(olivia, text, { group_chat_id })).id))
  const [both, hers] = ids as [number, number]
  await olivia.api.chats.reactToMessage({ message_id: both, message_reaction: '🎂' })
  await guest.api.chats.reactToMessage({ message_id: both, message_reaction: '👋' })
  await olivia.api.chats.reactToMessage({ message_id: hers, message_reaction: '❤️' })
  const own = async (who: Member, page_length = 3) => {
    const { data } = await who.extra.chats.listMessages({ group_chat_id, page: 1, page_length })
    return data.map(({ extra }) => extra.my_reactions)
  }
  for (let times = 0; times < 3; times++) {
    expect(await own(olivia)).toEqual([[], ['❤️'], ['🎂']])
    expect(await own(guest)).toEqual([[], [], ['👋']])
  }
  await send(olivia, 'four', { group_chat_id })
  for (const [who, expected] of [
    [guest, [[], [], [], ['👋']]],
    [olivia, [[], [], ['❤️'], ['🎂']]],
  ] as const)
    expect(await own(who, 4)).toEqual(expected)
})

describe('statements per request:', () => {
  test('a page takes one statement, whatever its length, and with extra too', async () => {
    for (const who of [olivia, gus]) await who.api.chats.markSeen({ message_id: Number((await send(who, 'seen')).id) })
    for (let at = 0; at < 8; at++) await send(gus, `picture ${at}`, { attachments: [picture, picture] })
    const page = { group_chat_id: chatId, page: 1 }
    const message_id = Number((await list(gus, 1, 1)).data[0]?.id)
    await gus.api.chats.reactToMessage({ message_id, message_reaction: '👋' })
    for (const page_length of [1, 4, 31]) {
      expect(await statements(gus, () => gus.api.chats.listMessages({ ...page, page_length }))).toBe(1)
      expect(await statements(gus, () => gus.extra.chats.listMessages({ ...page, page_length }))).toBe(1)
    }
  })

  test('the list of chats takes two statements, whatever its length', async () => {
    expect((await olivia.api.chats.listChats({ page: 1, page_length: 10 })).data.length).toBeGreaterThan(1)
    for (const page_length of [1, 10])
      expect(await statements(olivia, () => olivia.extra.chats.listChats({ page: 1, page_length }))).toBe(2)
  })
})

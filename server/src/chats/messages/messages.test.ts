import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import type { Member } from '../../../test/cast.ts'
import { party } from '../../../test/party.ts'
import { jpeg } from '../../../test/pictures.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'

const app = await openTestApp()
const { olivia, gus, sam, remy, gwen, chatId, otherEvent } = await party(app)
const notInEvent = says('The user is neither a guest nor an organizer of the event')
const picture = new Blob([await jpeg({ width: 32, height: 24 })])

const send = (who: Member, message_content: string, fields: Record<string, unknown> = {}) =>
  who.api.chats.saveMessage({ group_chat_id: chatId, message_content, ...fields })
const idOf = ({ id }: { id: string }) => Number(id)
const listed = async (id: number) => {
  const { data } = await gus.extra.chats.listMessages({
    group_chat_id: chatId,
    message_id: id,
    page: 1,
    page_length: 1,
  })
  return data[0]
}
/** Every row of the chats as one text: equal before and after an operation that must write nothing. */
const state = async () => {
  const tables = ['group_chats', 'messages', 'attachments', 'message_reactions', 'seen_marks', 'media', 'photos']
  const sums = tables.map(name => sql`(select string_agg(t::text, '|' order by t::text) from ${sql.table(name)} t)`)
  return (await sql`select ${sql.join(sums)}`.execute(app.db)).rows
}
const leavesAlone = async (call: () => Promise<unknown>, refused: unknown) => {
  const before = await state()
  expect(await refusal(call())).toEqual(refused)
  expect(await state()).toEqual(before)
}

describe('updating a message', () => {
  test('replaces its text, adds pictures, and keeps its place and time', async () => {
    const sent = await send(gus, 'Tpyo', { attachments: [picture] })
    const later = await send(olivia, 'Later')
    const edited = await send(gus, 'Typo', { message_id: idOf(sent), attachments: [picture, picture] })
    expect(edited).toMatchObject({ id: sent.id, message_content: 'Typo', created_at: sent.created_at })
    expect(edited.updated_at > sent.updated_at).toBe(true)
    expect(edited.attachments.map(({ id }) => id)).toEqual(edited.attachments.map(({ id }) => id).toSorted())
    expect(edited.attachments).toHaveLength(3)
    expect(edited.attachments[0]?.id).toBe(sent.attachments[0]?.id)
    expect(await listed(idOf(sent))).toMatchObject({ message_content: 'Typo', extra: { edited: true } })
    const chat = await gus.api.chats.readChat({ group_chat_id: chatId })
    expect(chat.latest_message?.id).toBe(later.id)
  })

  test('is refused unless it is the viewer’s own, undeleted message in that chat', async () => {
    const mine = await send(gus, 'Mine')
    const deleted = await send(gus, 'Gone')
    await gus.api.chats.deleteMessage({ message_id: idOf(deleted) })
    const elsewhere = await gwen.api.chats.saveMessage({
      group_chat_id: otherEvent.group_chat_id,
      message_content: 'x',
    })
    const selected = invalid('message_id', 'The selected message id is invalid.')
    await leavesAlone(() => send(olivia, 'Theirs', { message_id: idOf(mine) }), selected)
    await leavesAlone(() => send(gus, 'Undead', { message_id: idOf(deleted) }), selected)
    await leavesAlone(() => send(gus, 'Nothing', { message_id: 999_999 }), selected)
    await leavesAlone(() => send(gus, 'Far', { message_id: idOf(elsewhere) }), selected)
    await leavesAlone(() => send(sam, 'Out', { message_id: idOf(mine) }), notInEvent)
    await leavesAlone(
      () => send(gus, 'x', { message_id: idOf(mine), group_chat_id: 999_999 }),
      notFound('Group chat not found!'),
    )
    await leavesAlone(
      () => send(gus, 'x', { message_id: idOf(mine), message_reply_id: 999_999 }),
      invalid('message_reply_id', 'The selected message reply id is invalid.'),
    )
  })

  test('never makes more than ten pictures in one message, not even by two updates at once', async () => {
    const sent = await send(gus, 'Many', { attachments: Array.from({ length: 8 }, () => picture) })
    const more = () => send(gus, 'More', { message_id: idOf(sent), attachments: [picture, picture] })
    const results = await Promise.allSettled([more(), more()])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const tooMany = invalid('attachments', 'The attachments field must not have more than 10 items.')
    await leavesAlone(more, tooMany)
    expect((await listed(idOf(sent)))?.attachments).toHaveLength(10)
    expect(await refusal(send(gus, 'x', { attachments: Array.from({ length: 11 }, () => picture) }))).toEqual(tooMany)
  })
})

describe('deleting a message', () => {
  test('leaves a tombstone in its place, for its author and for an organizer', async () => {
    for (const deleter of [gus, olivia]) {
      const sent = await send(gus, 'To be forgotten', { attachments: [picture] })
      const message_id = idOf(sent)
      await olivia.api.chats.reactToMessage({ message_id, message_reaction: '😱' })
      expect(await deleter.api.chats.deleteMessage({ message_id })).toEqual({ done: true })
      expect(await listed(message_id)).toMatchObject({
        id: sent.id,
        message_content: '',
        user: { id: gus.id },
        reactions: [],
        attachments: [],
        created_at: sent.created_at,
        extra: { deleted: true, my_reactions: [], may: { update: false, delete: false, react: false } },
      })
      expect((await fetch(sent.attachments[0]?.message_attachment_url as string)).status).toBe(404)
      const gone = notFound('Message not found!')
      expect(await deleter.api.chats.deleteMessage({ message_id })).toEqual({ done: true })
      await leavesAlone(() => gus.api.chats.reactToMessage({ message_id, message_reaction: '👍' }), gone)
      await leavesAlone(() => gus.api.chats.listReactedUsers({ message_id, page: 1, page_length: 5 }), gone)
    }
  })

  test('is refused to everybody else', async () => {
    const message_id = idOf(await send(olivia, 'Stays'))
    const mayNot = says('You do not have permission to delete this message.')
    await leavesAlone(() => gus.api.chats.deleteMessage({ message_id }), mayNot)
    for (const outsider of [sam, remy, gwen])
      await leavesAlone(() => outsider.api.chats.deleteMessage({ message_id }), notInEvent)
    await leavesAlone(() => gus.api.chats.deleteMessage({ message_id: 999_999 }), notFound('Message not found!'))
  })

  test('makes the previous message the latest of the chat', async () => {
    const before = await send(gus, 'Before')
    const last = [await send(gus, 'Last but one'), await send(gus, 'Last')]
    for (const message of last) await gus.api.chats.deleteMessage({ message_id: idOf(message) })
    expect((await gus.api.chats.readChat({ group_chat_id: chatId })).latest_message?.id).toBe(before.id)
  })

  test('while reacting to it never leaves a reaction on a tombstone', async () => {
    for (let round = 0; round < 10; round++) {
      const message_id = idOf(await send(gus, 'Contested'))
      await Promise.allSettled([
        olivia.api.chats.reactToMessage({ message_id, message_reaction: '❤️' }),
        gus.api.chats.deleteMessage({ message_id }),
        olivia.api.chats.reactToMessage({ message_id, message_reaction: '👍' }),
      ])
      const { rows } = await sql`select from message_reactions where message_id = ${message_id}`.execute(app.db)
      expect(rows).toHaveLength(0)
      expect((await listed(message_id))?.reactions).toEqual([])
    }
  })

  test('twice at once deletes it once', async () => {
    const message_id = idOf(await send(gus, 'Once'))
    const results = await Promise.allSettled([gus, olivia].map(who => who.api.chats.deleteMessage({ message_id })))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  })
})

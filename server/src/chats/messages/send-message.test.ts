import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { bringIn, evening, party } from '../../../test/party.ts'
import { png } from '../../../test/pictures.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'
import { statementsOf } from '../../../test/statements.ts'
import { openQueue } from '../../platform/database/queue.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { openSending } from './send-message.ts'
import { sendMessages } from './send-message-store.ts'

const app = await openTestApp()
const { olivia, gus, asha, sam, remy, gwen, chatId, event, otherEvent } = await party(app)
const notInEvent = says('The user is neither a guest nor an organizer of the event')

const say = (message_content: string, fields: Record<string, unknown> = {}) => ({
  group_chat_id: chatId,
  message_content,
  ...fields,
})
const sequences = async (chat: number) => {
  const { rows } = await sql<{ sequence: number; created_at: Date; content: string }>`
    select sequence, created_at, content from messages where group_chat_id = ${chat} order by sequence`.execute(app.db)
  return rows
}
const countMessages = async () => {
  const { rows } = await sql<{ count: number }>`select count(*) from messages`.execute(app.db)
  return rows[0]?.count
}

describe('a message', () => {
  test('gets the same reply as a later read', async () => {
    const sent = await gus.extra.chats.saveMessage(say('First words\nof the evening'))
    expect(sent).toEqual({
      id: expect.stringMatching(/^\d+$/),
      group_chat_id: String(chatId),
      message_content: 'First words\nof the evening',
      user: expect.objectContaining({ id: gus.id, user_visible: '1' }),
      replied_to: null,
      seens: [],
      reactions: [],
      attachments: [],
      created_at: sent.updated_at,
      updated_at: sent.created_at,
      extra: {
        sequence: 1,
        deleted: false,
        edited: false,
        my_reactions: [],
        hidden: false,
        blocked: false,
        quote_blocked: false,
        may: { update: true, delete: true, react: true, hide: false },
      },
    })
    const { data } = await gus.extra.chats.listMessages({ group_chat_id: chatId, page: 1, page_length: 5 })
    expect(data).toEqual([sent])
  })

  test('costs one statement with or without a key, and two as a reply', async () => {
    const message_reply_id = Number((await gus.api.chats.saveMessage(say('Zeroth'))).id)
    const statements = async (fields: Record<string, unknown>, idempotencyKey?: string) => {
      return statementsOf(() =>
        gus.extra.chats.saveMessage(say('Second', fields), idempotencyKey ? { idempotencyKey } : {}),
      )
    }
    expect([await statements({}), await statements({}, 'a send')]).toEqual([1, 1])
    const reply = { message_reply_id }
    expect([await statements(reply), await statements(reply, 'a reply')]).toEqual([2, 2])
    expect(await statements({}, 'a send')).toBe(2)
  })

  test('may arrive as JSON, as a form and urlencoded, and texts in every script come back unchanged', async () => {
    const text = 'مرحبا 👩‍👩‍👧‍👦 日本語 \u202Ezalgo\u0336 "quoted" \\ {a,b} NULL \t ñ'
    const fields = { group_chat_id: String(chatId), message_content: text }
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    for (const body of [form, new URLSearchParams(fields), JSON.stringify(fields)]) {
      const headers = {
        authorization: `Bearer ${gus.token}`,
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      }
      const reply = await fetch(`${app.url}/api/message`, { method: 'POST', headers, body })
      expect([reply.status, ((await reply.json()) as { message_content: string }).message_content]).toEqual([200, text])
    }
  })

  test('a reply shows its quoted message, and no text if that is a tombstone', async () => {
    const first = await olivia.api.chats.saveMessage(say('Who brings the cake?'))
    const reply = await gus.api.chats.saveMessage(say('I do', { message_reply_id: Number(first.id) }))
    expect(reply.replied_to).toEqual({
      id: first.id,
      group_chat_id: String(chatId),
      message_content: 'Who brings the cake?',
      user: first.user,
      created_at: first.created_at,
      updated_at: first.updated_at,
    })
    await olivia.api.chats.deleteMessage({ message_id: Number(first.id) })
    const { data } = await gus.api.chats.listMessages({ group_chat_id: chatId, page: 1, page_length: 1 })
    expect(data[0]?.replied_to).toMatchObject({ id: first.id, message_content: '' })
  })

  test.each([
    ['asked', asha],
    ['a stranger', sam],
    ['removed', remy],
    ['an organizer of another event', gwen],
  ])('of somebody who is %s is refused and leaves nothing', async (_, outsider) => {
    const before = await countMessages()
    expect(await refusal(outsider.api.chats.saveMessage(say('Let me in')))).toEqual(notInEvent)
    expect(await countMessages()).toBe(before)
  })

  test('to an unknown chat is a plain 404', async () => {
    const unknown = { group_chat_id: 999_999, message_content: 'Hello?' }
    expect(await refusal(gus.api.chats.saveMessage(unknown))).toEqual(notFound('Group chat not found!'))
  })

  test('that replies to an unknown or deleted message, or into another chat, is refused', async () => {
    const theirs = await gwen.api.chats.saveMessage({
      group_chat_id: otherEvent.group_chat_id,
      message_content: 'Ours',
    })
    const deleted = await gus.api.chats.saveMessage(say('Oops'))
    await gus.api.chats.deleteMessage({ message_id: Number(deleted.id) })
    const before = await countMessages()
    for (const id of [999_999, Number(theirs.id), Number(deleted.id)])
      expect(await refusal(gus.api.chats.saveMessage(say('Re:', { message_reply_id: id })))).toEqual(
        invalid('message_reply_id', 'The selected message reply id is invalid.'),
      )
    expect(await countMessages()).toBe(before)
  })

  test('needs a text of at most 10 000 characters that can be stored', async () => {
    const field = 'message_content'
    const required = invalid(field, 'The message content field is required.')
    expect(await refusal(gus.api.chats.saveMessage(say('   ')))).toEqual(required)
    expect(await refusal(gus.api.chats.saveMessage(say('x'.repeat(10_001))))).toEqual(
      invalid(field, 'The message content field must not be greater than 10000 characters.'),
    )
    for (const text of ['nul \0', 'lone \ud800'])
      expect(await refusal(gus.api.chats.saveMessage(say(text)))).toEqual(
        invalid(field, 'The message content field format is invalid.'),
      )
    expect((await gus.api.chats.saveMessage(say('🎂'.repeat(10_000)))).message_content).toHaveLength(20_000)
  })

  test('to a cancelled event’s chat is refused, new or edited; a deleted event has no chat', async () => {
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    const sent = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Soon!' })
    await olivia.api.events.cancelEvent({ event_id })
    const late = { group_chat_id, message_content: 'Too late' }
    const readOnly = says('The group chat is read-only')
    expect(await refusal(olivia.api.chats.saveMessage(late))).toEqual(readOnly)
    expect(await refusal(olivia.api.chats.saveMessage({ ...late, message_id: Number(sent.id) }))).toEqual(readOnly)
    expect(await refusal(olivia.api.chats.saveMessage({ ...late, attachments: [new Blob(['x'])] }))).toEqual(readOnly)
    const page = { group_chat_id, page: 1, page_length: 10 }
    expect((await olivia.api.chats.listMessages(page)).data).toEqual([sent])
    await olivia.api.events.deleteEvent({ event_id })
    expect(await refusal(olivia.api.chats.saveMessage(late))).toEqual(notFound('Group chat not found!'))
    expect(await refusal(olivia.api.chats.listMessages(page))).toEqual(
      invalid('group_chat_id', 'The selected group chat id is invalid.'),
    )
  })
})

describe('many messages at once', () => {
  test('messages of 64 senders have one order without a gap, and later ones are never older', async () => {
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    const guest = await enter(app, 'gus')
    await bringIn(olivia, event_id, guest)
    const all = Array.from({ length: 320 }, (_, at) =>
      (at % 2 ? guest : olivia).api.chats.saveMessage(
        { group_chat_id, message_content: `no ${at}` },
        at % 2 ? { idempotencyKey: `k${at}` } : {},
      ),
    )
    const sent = await Promise.all(all)
    const rows = await sequences(group_chat_id)
    expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 320 }, (_, at) => at + 1))
    const times = rows.map(({ created_at }) => created_at.getTime())
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    const listed = []
    for (let page = 1; page <= 4; page++)
      listed.push(...(await guest.api.chats.listMessages({ group_chat_id, page, page_length: 100 })).data)
    expect(listed.map(({ message_content }) => message_content)).toEqual(rows.map(({ content }) => content).reverse())
    expect(new Set(sent.map(({ id }) => id))).toEqual(new Set(listed.map(({ id }) => id)))
    const { extra } = await guest.extra.chats.readChat({ group_chat_id })
    expect(extra).toMatchObject({ last_sequence: 320, unread_count: 320 - (extra?.seen_sequence ?? 0) })
  })

  test('messages sent through several processes have one order too', async () => {
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, event_id, gus)
    const batch = (at: number) =>
      Array.from({ length: 5 }, (_, place) => ({
        chatId: group_chat_id,
        userId: (place % 2 ? gus : olivia).id,
        content: `${at}.${place}`,
        replyId: undefined,
        key: undefined,
        mediaIds: [],
      }))
    const sent = (await Promise.all(Array.from({ length: 24 }, (_, at) => sendMessages(app.db, batch(at))))).flat()
    expect(sent.every(each => each !== undefined)).toBe(true)
    const rows = await sequences(group_chat_id)
    expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 120 }, (_, at) => at + 1))
    const times = rows.map(({ created_at }) => created_at.getTime())
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    const { extra, latest_message } = await gus.extra.chats.readChat({ group_chat_id })
    expect([extra?.last_sequence, latest_message?.message_content]).toEqual([120, rows.at(-1)?.content])
  })

  test('messages sent at once get separate verdicts: a stranger’s, a malformed one, and a valid one', async () => {
    const before = await countMessages()
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, at) => {
        if (at % 4 === 0) return sam.api.chats.saveMessage(say('no'))
        if (at % 4 === 1) return gus.api.chats.saveMessage(say('no', { message_reply_id: 999_999 }))
        return (at % 4 === 2 ? gus : olivia).api.chats.saveMessage(say(`yes ${at}`))
      }),
    )
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual(results.map((_, at) => at % 4 > 1))
    expect(await countMessages()).toBe((before ?? 0) + 20)
  })

  test('messages of a guest being removed end with the removal', async () => {
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    for (let round = 0; round < 8; round++) {
      const leaver = await enter(app, 'remy')
      await bringIn(olivia, event_id, leaver)
      const send = () => leaver.api.chats.saveMessage({ group_chat_id, message_content: 'still here' })
      const sending = Promise.allSettled(Array.from({ length: 12 }, send))
      await olivia.api.events.removeGuest({ event_id, user_id: leaver.id })
      const removedAt = (await sequences(group_chat_id)).length
      expect(await refusal(send())).toEqual(notInEvent)
      const sent = (await sending).filter(({ status }) => status === 'fulfilled').length
      const rows = await sequences(group_chat_id)
      expect(rows).toHaveLength(removedAt)
      expect(sent).toBeLessThanOrEqual(removedAt)
      const marks = await app.db.selectFrom('seen_marks').select('user_id').where('user_id', '=', leaver.id).execute()
      expect(marks).toEqual([])
    }
  })
})

describe('an Idempotency-Key', () => {
  const send = (who: Member, idempotencyKey: string, message_content: string, fields: Record<string, unknown> = {}) =>
    who.api.chats.saveMessage(say(message_content, fields), { idempotencyKey })
  const used = { status: 400, body: { error_message: 'The Idempotency-Key was used before with another request.' } }

  test('sent twenty times at once makes one message, and every request gets the same answer', async () => {
    const before = await countMessages()
    const all = await Promise.all(Array.from({ length: 20 }, () => send(gus, 'twenty', 'Only once')))
    for (const message of all) expect(message).toEqual(all[0])
    expect(await countMessages()).toBe((before ?? 0) + 1)
    expect(await refusal(send(gus, 'twenty', 'Other words'))).toMatchObject(used)
  })

  test('belongs to its sender, and others’ equal keys work independently', async () => {
    const [first, theirs] = await Promise.all([send(gus, 'shared', 'Mine'), send(olivia, 'shared', 'Mine')])
    expect(theirs.id).not.toBe(first.id)
    expect((await send(olivia, 'shared', 'Mine')).id).toBe(theirs.id)
  })

  test('an Idempotency-Key of a refused message is free again', async () => {
    expect((await refusal(send(gus, 'refused', 'Re:', { message_reply_id: 999_999 }))).status).toBe(400)
    expect((await send(gus, 'refused', 'As I said')).message_content).toBe('As I said')
  })

  test('in two processes at once makes one message: one of them waits, finds it and leaves no gap', async () => {
    const message = {
      chatId,
      userId: gus.id,
      content: 'From two',
      replyId: undefined,
      key: { key: Buffer.alloc(16, 7), fingerprint: Buffer.alloc(8) },
      mediaIds: [],
    }
    const other = openSending(app.db, openQueue())
    const another = openSending(app.db, openQueue())
    const viewer = { id: gus.id } as Viewer
    const before = (await sequences(chatId)).length
    for (let round = 1; round <= 10; round++) {
      const key = { ...message.key, key: Buffer.alloc(16, round) }
      const sends = [other, another].map(send => send(viewer, { ...message, key, pictures: [] }))
      const outcomes = await Promise.all(sends)
      const [sent] = outcomes.flatMap(outcome => ('message' in outcome ? outcome.message.id : []))
      expect(outcomes).toContainEqual({ repeats: sent, same: true })
      const rows = await sequences(chatId)
      expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: before + round }, (_, at) => at + 1))
    }
  })

  test('makes a message with pictures once, marks the repeat, and is refused with other pictures', {
    tags: 'slow',
  }, async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(async seed => new Blob([await png({ width: 24, height: 16, seed })])),
    )
    const attachments = [one, two] as Blob[]
    const first = await send(gus, 'pictures', 'Look', { attachments })
    expect(first.attachments).toHaveLength(2)
    expect(await send(gus, 'pictures', 'Look', { attachments })).toEqual(first)
    const again = { attachments: attachments.toReversed() }
    expect(await refusal(send(gus, 'pictures', 'Look', again))).toMatchObject(used)
    expect(await refusal(send(gus, 'pictures', 'Look'))).toMatchObject(used)
    const twice = await Promise.all([1, 2, 3].map(() => send(gus, 'pictures at once', 'Look', { attachments })))
    expect(new Set(twice.map(({ id }) => id)).size).toBe(1)
    const { rows } = await sql<{ pictures: number; media: number }>`
      select (select count(*) from attachments) as pictures, (select count(*) from media) as media`.execute(app.db)
    expect(rows[0]).toEqual({ pictures: 4, media: 4 })
  })

  test('marks the reply to a repeat', async () => {
    const post = async () => {
      const headers = {
        authorization: `Bearer ${gus.token}`,
        'content-type': 'application/json',
        'idempotency-key': 'told',
      }
      const body = JSON.stringify(say('Told'))
      return (await fetch(`${app.url}/api/message`, { method: 'POST', headers, body })).headers.get(
        'idempotency-replayed',
      )
    }
    expect([await post(), await post()]).toEqual([null, 'true'])
  })

  test('on an edit applies it once, even if the message was edited since', async () => {
    const { id } = await gus.api.chats.saveMessage(say('First words'))
    const edit = { message_id: Number(id) }
    await send(gus, 'edit', 'Better words', edit)
    await gus.api.chats.saveMessage(say('Best words', edit))
    expect((await send(gus, 'edit', 'Better words', edit)).message_content).toBe('Best words')
    expect(await refusal(send(gus, 'edit', 'Other words', edit))).toMatchObject(used)
  })

  test('is not answered after the sender has lost the right to read', async () => {
    const leaver = await enter(app, 'remy')
    await bringIn(olivia, event.id, leaver)
    const bye = () => send(leaver, 'bye', 'Bye')
    await bye()
    await olivia.api.events.removeGuest({ event_id: event.id, user_id: leaver.id })
    expect(await refusal(bye())).toEqual(notInEvent)
  })
})

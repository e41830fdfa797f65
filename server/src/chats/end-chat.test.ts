import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { bringIn, evening } from '../../test/party.ts'
import { notFound, refusal, says } from '../../test/refused.ts'
import { openDatabase } from '../platform/database/database.ts'
import { endDueChats } from './end-chat.ts'

const app = await openTestApp()
const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
const readOnly = says('The group chat is read-only')

const hold = async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, gus)
  const write = (by: typeof gus) => by.api.chats.saveMessage({ group_chat_id, message_content: 'Good night' })
  const shown = async () => (await gus.extra.chats.readChat({ group_chat_id })).extra
  const acts = async () =>
    (await olivia.api.events.listAudit({ event_id, page: 1, page_length: 50 })).data
      .map(({ audit_act }) => audit_act)
      .filter(act => act.startsWith('chat.'))
  return { group_chat_id, write, shown, acts }
}

describe('a chat that an organizer ends', () => {
  test('a closed chat takes no messages, keeps its history, and can be reopened', async () => {
    const { group_chat_id, write, shown, acts } = await hold()
    await write(gus)
    const ended = await olivia.extra.chats.endChat({ group_chat_id })
    expect(ended).toMatchObject({ group_chat_status: 2, extra: { may: { send: false, end: true } } })
    expect(await olivia.extra.chats.endChat({ group_chat_id })).toEqual(ended)
    for (const who of [olivia, gus]) expect(await refusal(write(who))).toEqual(readOnly)
    expect(await shown()).toMatchObject({ last_sequence: 1, may: { send: false, end: false } })
    expect(await olivia.api.chats.reopenChat({ group_chat_id })).toMatchObject({ group_chat_status: 1 })
    await olivia.api.chats.reopenChat({ group_chat_id })
    await write(gus)
    expect(await acts()).toEqual(['chat.reopened', 'chat.ended'])
  })

  test('a planned end closes the chat once, even if the service was down at the time', async () => {
    const { group_chat_id, write, shown, acts } = await hold()
    const from = new Date(Date.now() + 3_600_000).toISOString()
    for (let time = 0; time < 2; time++) await olivia.api.chats.endChat({ group_chat_id, from })
    expect(await shown()).toMatchObject({ read_only_from: from, may: { send: true } })
    await write(gus)
    const db = openDatabase(app.databaseUrl, { connections: 1 })
    await endDueChats(db)()
    await write(gus)
    await sql`update group_chats set read_only_from = now() - interval '1 day' where id = ${group_chat_id}`.execute(db)
    const told = async () => {
      const { rows } =
        await sql`select from changes where kind = 'group.updated' and subject_id = ${group_chat_id}`.execute(db)
      return rows.length
    }
    const before = await told()
    await Promise.all([endDueChats(db)(), endDueChats(db)()])
    expect(await told()).toBe(before + 1)
    expect(await refusal(write(gus))).toEqual(readOnly)
    expect(await shown()).toMatchObject({ read_only_from: null, may: { send: false } })
    await db.destroy()
    expect(await acts()).toEqual(['chat.ended'])
  })

  test('an end in the past closes the chat now, and a planned end can be cancelled', async () => {
    const { group_chat_id, write, shown } = await hold()
    await olivia.api.chats.endChat({ group_chat_id, from: '2020-01-01T00:00:00Z' })
    expect(await refusal(write(gus))).toEqual(readOnly)
    await olivia.api.chats.reopenChat({ group_chat_id })
    await olivia.api.chats.endChat({ group_chat_id, from: new Date(Date.now() + 60_000).toISOString() })
    await olivia.api.chats.reopenChat({ group_chat_id })
    expect(await shown()).toMatchObject({ read_only_from: null, may: { send: true } })
  })

  test('an unknown chat cannot be ended', async () => {
    const none = { group_chat_id: 999_999 }
    for (const act of [olivia.api.chats.endChat, olivia.api.chats.reopenChat])
      expect(await refusal(act(none))).toEqual(notFound('Group chat not found!'))
  })
})

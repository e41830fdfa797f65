import { Busboy } from '@fastify/busboy'
import Fastify from 'fastify'
import { openBearers } from './bearer.ts'
import { pool, serveOn } from './ceiling.ts'
import { minimalUser, time } from './json.ts'

/** Sending as a good developer writes it by hand: a form, the viewer, one transaction, the message as JSON. */

const door = `
  select c.status, c.event_id from group_chats c
  join guests g on g.event_id = c.event_id and g.user_id = $2 and g.ended_at is null where c.id = $1 for share of g`
const number = `
  update group_chats set last_sequence = last_sequence + 1, last_activity_at = clock_timestamp() where id = $1
  returning last_sequence`
const write = `
  with sent as (
    insert into messages (group_chat_id, sequence, user_id, content, created_at, updated_at)
    values ($1, $2, $3, $4, clock_timestamp(), clock_timestamp()) returning *
  ), moved as (update group_chats set last_message_id = sent.id from sent where group_chats.id = $1)
  select json_build_object('id', m.id::text, 'group_chat_id', m.group_chat_id::text, 'message_content', m.content,
    'user', ${minimalUser('u')}, 'replied_to', null, 'seens', '[]'::json, 'reactions', '[]'::json, 'attachments', '[]'::json,
    'created_at', ${time('m.created_at')}, 'updated_at', ${time('m.updated_at')})::text as message
  from sent m join users u on u.id = m.user_id`
const seen = `
  insert into seen_marks (group_chat_id, user_id, seen_sequence) values ($1, $2, $3)
  on conflict (group_chat_id, user_id) do update set seen_sequence = excluded.seen_sequence, seen_at = now()`

const db = pool()
const viewerOf = openBearers(db)

const send = async (chat: string, viewer: number, content: string): Promise<string> => {
  const client = await db.connect()
  try {
    await client.query('begin')
    const { rows: doors } = await client.query({ name: 'door', text: door, values: [chat, viewer] })
    if (doors[0]?.status !== 1) throw Object.assign(new Error('not in the event'), { statusCode: 400 })
    const { rows: numbers } = await client.query({ name: 'number', text: number, values: [chat] })
    const sequence = numbers[0].last_sequence
    const { rows } = await client.query({ name: 'write', text: write, values: [chat, sequence, viewer, content] })
    await client.query({ name: 'seen', text: seen, values: [chat, viewer, sequence] })
    await client.query('commit')
    return rows[0].message
  } catch (fault) {
    await client.query('rollback')
    throw fault
  } finally {
    client.release()
  }
}

const server = Fastify()
server.addContentTypeParser('multipart/form-data', (request, stream, done) => {
  const fields: Record<string, string> = {}
  const form = new Busboy({ headers: request.headers as { 'content-type': string } })
  form.on('field', (name, value) => {
    fields[name] = value
  })
  form.on('finish', () => done(null, fields)).on('error', fault => done(fault as Error))
  stream.pipe(form)
})
server.post<{ Body: Record<string, string> }>('/api/message', async (request, reply) => {
  const { group_chat_id: chat = '', message_content: content = '' } = request.body
  reply.type('application/json; charset=utf-8')
  return send(chat, await viewerOf(request), content)
})
await serveOn(server)

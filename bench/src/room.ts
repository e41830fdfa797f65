import type { Client } from 'pg'
import { tokenOf } from './fill/sessions.ts'
import { drive, type Line, openLines } from './http-load.ts'
import { form, formType, httpRequest } from './http-request.ts'
import type { Service } from './service.ts'

/** An event of its own with its chat. */
export type Room = { event: number; chat: number; maker: string; guests: string[] }

const type = 'application/json'

/** Tokens of so many people, whom few rows measure. */
export const tokensOf = async (db: Client, people: number): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    'select id from users where status in (1, 2) order by id desc limit $1',
    [people],
  )
  return rows.map(({ id }) => tokenOf(Number(id)))
}

/** A message to a room, by whoever made it. */
export const sendTo = ({ chat, maker }: Room) =>
  httpRequest('POST', '/api/message', {
    token: maker,
    type: formType,
    body: form({ group_chat_id: chat, message_content: 'See you at eight by the lake, bring a jacket' }),
  })

/** Makes an event, and lets so many people join whose last word on notifications is `muted`, without the first `skipping`. Tokens stand for people. */
export const openRoom = async (
  { port }: Service,
  db: Client,
  { guests, muted, skipping = 0 }: { guests: number; muted: boolean; skipping?: number },
): Promise<Room> => {
  const [maker = '', ...tokens] = (await tokensOf(db, skipping + guests + 1)).slice(skipping)
  const made = await fetch(`http://127.0.0.1:${port}/api/event`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${maker}`, 'Content-Type': type },
    body: JSON.stringify({ event_name: 'A room', event_starts_at: '2099-01-01T00:00:00.000Z', event_join_mode: 1 }),
  })
  const { id: event, group_chat_id: chat } = (await made.json()) as { id: number; group_chat_id: number }
  await each(port, tokens, token => httpRequest('POST', `/api/event/join/request/${event}`, { token }))
  const mute = JSON.stringify({ user_setting_mute_notification: muted })
  await each(port, tokens, token => httpRequest('POST', '/api/account/settings/update', { token, type, body: mute }))
  return { event, chat, maker, guests: tokens }
}

/** One request of each, a few at a time. Throws Void when one is refused. */
export const each = async (port: number, tokens: readonly string[], requestOf: (token: string) => Buffer) => {
  const left = tokens.map(requestOf)
  const lines = await openLines(port, 8)
  await drive(lines, { next: () => left.pop() ?? null }, Number.POSITIVE_INFINITY)
  for (const line of lines) line.close()
}

/** One request on an open connection, until its reply. */
export const ask = (line: Line, request: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    line.failed = reject
    line.answered = (status, start) => (status === 200 || status === 201 ? resolve() : reject(new Error(start)))
    line.send(request)
  })

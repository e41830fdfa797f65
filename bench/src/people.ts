import type { Client } from 'pg'
import { Void } from './figures.ts'
import { tokenOf } from './fill/sessions.ts'
import { sociable } from './fill/size.ts'
import type { Instance } from './fixture.ts'
import { asSent, load, type Request } from './load.ts'

export type Member = { event: number; userId: number; token: string }

/** For each event (whose chats have the same IDs), this many guests who are in few others. */
export const membersOf = async (db: Client, events: { from: number; to: number }, each: number): Promise<Member[]> => {
  const { rows } = await db.query<{ event: number; user: number }>(
    `select event, "user" from (
       select event_id::int as event, user_id::int as "user", row_number() over (partition by event_id order by joined_at, user_id) as n
       from guests where event_id between $1 and $2 and user_id > $3 and ended_at is null
     ) members where n <= $4 order by event, n`,
    [events.from, events.to, sociable, each],
  )
  return rows.map(({ event, user }) => ({ event, userId: user, token: tokenOf(user) }))
}

/** Tokens of people whom few other rows use. */
export const tokensOf = async (db: Client, people: number): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    'select id from users where status in (1, 2) order by id desc limit $1',
    [people],
  )
  return rows.map(({ id }) => tokenOf(Number(id)))
}

export type ApiRequest = Request & { form?: FormData }

/** Returns the reply as JSON, otherwise as bytes. Throws Void for a refusal. */
// biome-ignore lint/suspicious/noExplicitAny: each caller knows what it asks for
export const ask = async (port: number, request: ApiRequest): Promise<any> => {
  const { method, path, headers, body } = asSent(request)
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    body: request.form ?? (body || null),
  }).catch(({ message, cause }: Error) => {
    throw new Void(`${method} ${path.split('?')[0]}: ${message} (${(cause as Error | undefined)?.message})`)
  })
  const bytes = Buffer.from(await reply.arrayBuffer())
  if (!reply.ok) throw new Void(`${method} ${path.split('?')[0]} was answered ${reply.status}: ${bytes}`)
  return reply.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(String(bytes)) : bytes
}

/** The path and query of a URL from the service. */
export const pathOf = (url: string) => url.slice(new URL(url).origin.length)

/** A new event with its chat. */
export type Room = { event: number; chat: number; maker: string; guests: string[] }

/**
 * Creates an event and lets this many people join and mute it, after skipping the first `skipping`. Tokens stand for
 * people.
 */
export const openRoom = async ({ service: { port }, db }: Instance, guests: number, skipping = 0): Promise<Room> => {
  const [maker = '', ...tokens] = (await tokensOf(db, skipping + guests + 1)).slice(skipping)
  const { id: event, group_chat_id: chat } = await ask(port, {
    method: 'POST',
    path: '/api/event',
    token: maker,
    json: { event_name: 'A room', event_starts_at: '2099-01-01T00:00:00.000Z', event_join_mode: 1 },
  })
  const each = (path: string, json?: unknown) => {
    let at = 0
    const next = (): Request => ({ method: 'POST', path, token: tokens[at++ % guests] as string, json })
    return load({ port, connections: Math.min(8, guests), amount: guests, next }, 0)
  }
  await each(`/api/event/join/request/${event}`)
  await each('/api/account/settings/update', { user_setting_mute_notification: true })
  return { event, chat, maker, guests: tokens }
}

const words = 'See you at eight by the lake, bring a jacket'

/** Sends a message under its own idempotency key, as our client does. */
export const messageTo = (chat: number, token: string, content = words): Request => ({
  method: 'POST',
  path: '/api/message',
  token,
  key: crypto.randomUUID(),
  json: { group_chat_id: chat, message_content: content },
})

export const chatPage = (chat: number, token: string, page = 1): Request => ({
  path: `/api/message/list?group_chat_id=${chat}&include=extra&page_length=50&page=${page}`,
  token,
})

export const albumPage = (event: number, token: string, length = 50): Request => ({
  path: `/api/gallery/photos/${event}?include=extra&page_length=${length}&page=1`,
  token,
})

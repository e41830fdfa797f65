/** Deviations, planted into the answers of a correct server. */

export type Seen = { status: number; headers: Headers; text: string }
export type Deviation = { name: string; at: RegExp; found: string; change(seen: Seen): void }

type Json = { [key: string]: unknown }

const json = (change: (body: Json) => void) => (seen: Seen) => {
  const body = JSON.parse(seen.text)
  change(body)
  seen.text = JSON.stringify(body)
}
/** Changes successes only. */
const good = (change: (body: Json) => void) => (seen: Seen) => {
  if (seen.status < 300) json(change)(seen)
}
const status = (from: number, to: number) => (seen: Seen) => {
  if (seen.status === from) seen.status = to
}
const text = (from: string, to: string) => (seen: Seen) => {
  seen.text = seen.text.replace(from, to)
}
const type = (to: string) => (seen: Seen) => {
  seen.headers.set('content-type', to)
}
const first = (body: Json) => (body.data as Json[])[0] as Json

export const deviations: Deviation[] = [
  { name: '201 for a registration', at: /POST .*register/, found: 'register.answers', change: status(200, 201) },
  {
    name: 'an id as a string',
    at: /GET \/api\/account$/,
    found: 'account.read',
    change: good(b => Object.assign(b, { id: String(b.id) })),
  },
  {
    name: 'a status that is missing',
    at: /GET \/api\/account$/,
    found: 'account.read',
    change: good(b => delete b.user_status),
  },
  {
    name: 'visible as a string in the account',
    at: /GET \/api\/account$/,
    found: 'account.read',
    change: good(b => Object.assign(b, { user_visible: '1' })),
  },
  {
    name: 'a key too many',
    at: /GET \/api\/account$/,
    found: 'account.read',
    change: good(b => Object.assign(b, { user_age: 30 })),
  },
  {
    name: 'a time without milliseconds',
    at: /GET \/api\/account$/,
    found: 'account.read',
    change: good(b => Object.assign(b, { created_at: '2026-01-01T00:00:00Z' })),
  },
  {
    name: 'a time with an offset',
    at: /GET \/api\/account$/,
    found: 'account.read',
    change: good(b => Object.assign(b, { updated_at: '2026-01-01T00:00:00.000+00:00' })),
  },
  {
    name: 'a price as a string',
    at: /GET \/api\/account$/,
    found: 'account.read',
    change: good(b => Object.assign(b.subscription_plan as Json, { subscription_plan_pricing: '0' })),
  },
  {
    name: 'a missing full stop',
    at: /POST .*authenticate/,
    found: 'authenticate.wrong',
    change: text('again.', 'again'),
  },
  { name: '400 for wrong details', at: /POST .*authenticate/, found: 'authenticate.unknown', change: status(401, 400) },
  {
    name: 'a token that is missing',
    at: /POST .*authenticate/,
    found: 'authenticate.answers',
    change: good(b => delete b.token),
  },
  {
    name: '403 without a token',
    at: /GET \/api\/message\/group\/list/,
    found: 'account.bearer',
    change: status(401, 403),
  },
  { name: '422 for wrong fields', at: /POST .*register/, found: 'register.fields', change: status(400, 422) },
  {
    name: 'errors in a wrapper',
    at: /POST .*register/,
    found: 'register.fields',
    change: s => {
      if (s.status === 400) s.text = JSON.stringify({ errors: JSON.parse(s.text) })
    },
  },
  {
    name: 'a sentence without its list',
    at: /POST .*register/,
    found: 'register.email',
    change: s => {
      if (s.status === 400) s.text = s.text.replaceAll('["', '"').replaceAll('"]', '"')
    },
  },
  {
    name: '204 for a ping',
    at: /PUT .*ping/,
    found: 'realtime.ping',
    change: s => {
      if (s.status === 200) Object.assign(s, { status: 204, text: '' })
    },
  },
  { name: 'no disconnect by DELETE', at: /DELETE .*disconnect/, found: 'realtime.delete', change: status(200, 405) },
  {
    name: 'no search at the address of the example',
    at: /GET \/api\/user\/search/,
    found: 'search.example',
    change: status(200, 404),
  },
  {
    name: 'friend as a number',
    at: /GET .*mention/,
    found: 'search.mention',
    change: good(b => Object.assign(first(b), { friend: 0 })),
  },
  {
    name: 'visible as a boolean in a list',
    at: /GET .*mention/,
    found: 'search.mention',
    change: good(b => Object.assign(first(b), { user_visible: true })),
  },
  {
    name: 'a total in the envelope',
    at: /GET .*group\/list/,
    found: 'chats.list',
    change: good(b => Object.assign(b, { total: 1 })),
  },
  {
    name: 'the length as a number',
    at: /GET .*group\/list/,
    found: 'lists.echo',
    change: good(b => Object.assign(b, { per_page: Number(b.per_page) })),
  },
  {
    name: 'lists without page taken as page 1',
    at: /GET .*group\/list$/,
    found: 'lists.page',
    change: s => {
      s.status = 200
      s.text = '{}'
    },
  },
  {
    name: 'a next page that is the same',
    at: /GET .*message\/list/,
    found: 'messages.pages',
    change: good(b => Object.assign(b, { next_page_url: b.next_page_url && b.first_page_url })),
  },
  {
    name: 'no next page',
    at: /GET .*message\/list/,
    found: 'messages.pages',
    change: good(b => Object.assign(b, { next_page_url: null })),
  },
  {
    name: 'a message id as a number',
    at: /POST \/api\/message$/,
    found: 'messages.send',
    change: good(b => Object.assign(b, { id: Number(b.id) })),
  },
  {
    name: 'reactions that are null',
    at: /POST \/api\/message$/,
    found: 'messages.send',
    change: good(b => Object.assign(b, { reactions: null })),
  },
  {
    name: 'a reply without what it replies to',
    at: /POST \/api\/message$/,
    found: 'messages.reply',
    change: good(b => Object.assign(b, { replied_to: null })),
  },
  {
    name: 'emoji that become question marks',
    at: /POST \/api\/message$/,
    found: 'messages.scripts',
    change: good(b =>
      Object.assign(b, { message_content: String(b.message_content).replaceAll(/[^\p{ASCII}]/gu, '?') }),
    ),
  },
  {
    name: 'a 404 as JSON',
    at: /GET .*group\/999999999/,
    found: 'chats.missing',
    change: s => {
      s.text = '{"message":"Group chat not found!"}'
      s.headers.set('content-type', 'application/json')
    },
  },
  { name: 'a 404 of another type', at: /GET .*group\/999999999/, found: 'chats.missing', change: type('text/html') },
  {
    name: 'a 404 without its exclamation mark',
    at: /GET .*reacted/,
    found: 'messages.reacted-missing',
    change: text('!', ''),
  },
  { name: '403 for an outsider', at: /GET .*group\/\d+$/, found: 'chats.outside', change: status(400, 403) },
  {
    name: 'an outsider let in',
    at: /GET .*message\/list/,
    found: 'messages.outside',
    change: s => {
      if (s.status === 400) s.status = 200
    },
  },
  { name: 'adding twice as a success', at: /PUT .*add-to-album/, found: 'album.twice', change: status(400, 200) },
  {
    name: 'a count as a number',
    at: /GET .*photo\/details/,
    found: 'photos.read',
    change: good(b => Object.assign(b, { event_photo_likes_count: 0 })),
  },
  {
    name: 'error_message in place of error',
    at: /POST .*upload/,
    found: 'upload.outside',
    change: text('"error"', '"error_message"'),
  },
  {
    name: 'Event not found! in place of Event not found',
    at: /POST .*upload/,
    found: 'upload.missing',
    change: s => {
      if (s.status === 404) s.text += '!'
    },
  },
  { name: '200 for a new comment', at: /POST .*gallery\/comment/, found: 'comments.add', change: status(201, 200) },
  {
    name: '201 for an updated comment',
    at: /POST .*gallery\/comment/,
    found: 'comments.update',
    change: status(200, 201),
  },
  {
    name: 'replies that are not counted',
    at: /GET .*gallery\/comments/,
    found: 'comments.reply',
    change: good(b => Object.assign(first(b), { event_photo_comment_replies_count: 0 })),
  },
  { name: 'a reply to a reply', at: /POST .*gallery\/comment/, found: 'comments.deep', change: status(400, 201) },
  {
    name: 'comments as a plain list',
    at: /GET .*gallery\/comments/,
    found: 'comments.list',
    change: s => {
      s.text = JSON.stringify(JSON.parse(s.text).data ?? [])
    },
  },
  { name: 'one request too many', at: /PUT .*ping/, found: 'limits.ping', change: status(429, 200) },
  {
    name: 'one request too few',
    at: /PUT .*disconnect/,
    found: 'limits.disconnect',
    change: (() => {
      let seen = 0
      return (s: Seen) => {
        seen += 1
        if (seen % 13 === 10) s.status = 429
      }
    })(),
  },
]

/** Wraps fetch so that this server deviates. */
export const deviating =
  ({ at, change }: Deviation): typeof fetch =>
  async (input, init) => {
    const reply = await fetch(input, init)
    const { pathname, search } = new URL(String(input))
    if (
      !at.test(`${init?.method ?? 'GET'} ${pathname}${search}`.replace(/\?(?!.*page).*$/, '')) &&
      !at.test(`${init?.method ?? 'GET'} ${pathname}`)
    )
      return reply
    const seen = { status: reply.status, headers: new Headers(reply.headers), text: await reply.text() }
    seen.headers.delete('content-encoding')
    seen.headers.delete('content-length')
    change(seen)
    return new Response(seen.status === 204 ? null : seen.text, { status: seen.status, headers: seen.headers })
  }

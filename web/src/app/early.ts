/*
 * A script of its own, with nothing that it stands on: it arrives a second before the client on a phone's network, and
 * asks for what the page will ask for first. The client's own requests are answered from here (client.ts).
 */

declare global {
  /** Replies under way, by address. */
  var afterglowEarly: Map<string, Promise<Response>> | undefined
}

const { token, expiresAt } = JSON.parse(localStorage.getItem('afterglow.session') ?? '{}')
// Where something is kept, that is shown.
const nothingKept = localStorage.getItem('afterglow.kept') === null

const early = new Map<string, Promise<Response>>()
const ask = (path: string) => {
  const url = `${location.origin}/api/${path}include=extra`
  const reply = fetch(url, { headers: { Authorization: `Bearer ${token}` } })
  early.set(url, reply)
  return reply
}

/** By the beginning of the address; `event` is what stands in it. */
const firsts: [RegExp, (event: string) => Promise<unknown>][] = [
  [
    /^\/(events\/?)?$/,
    () =>
      Promise.all([
        ask('event/list?filter=upcoming&page=1&page_length=20&'),
        ask('event/invites?page=1&page_length=50&'),
      ]),
  ],
  [/^\/chats\/?$/, () => ask('message/group/list?page=1&page_length=50&')],
  [/^\/events\/(\d+)\/?$/, event => ask(`event/details/${event}?`)],
  [
    /^\/events\/(\d+)\/photos\/?$/,
    event =>
      Promise.all([
        ask(`event/details/${event}?`),
        !location.search && ask(`gallery/photos/${event}?sort=newest&page=1&page_length=60&`),
      ]),
  ],
  [
    /^\/events\/(\d+)\/chat\/?$/,
    async event => {
      const details = await ask(`event/details/${event}?`)
      if (!details.ok) return
      const { group_chat_id: chat } = await details.clone().json()
      await Promise.all([
        ask(`message/group/${chat}?`),
        ask(`message/list?group_chat_id=${chat}&page=1&page_length=50&`),
      ])
    },
  ],
]

if (token && new Date(expiresAt) > new Date() && nothingKept) {
  globalThis.afterglowEarly = early
  for (const [page, asking] of firsts) {
    const [at, event = ''] = page.exec(location.pathname) ?? []
    // The client asks again for what did not arrive.
    if (at !== undefined) asking(event).catch(() => {})
  }
}

// The first of its kind takes a slow phone 50 ms, which are idle now and dear when the client draws.
new Intl.DateTimeFormat().format()

export {}

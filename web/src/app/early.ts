/*
 * A script without dependencies, inlined in the page: it runs a second before the client on a phone's network, and
 * requests what the page will request first. The client's own requests are answered from here (client.ts).
 */

declare global {
  /** Replies in progress, by address. */
  var afterglowEarly: Map<string, Promise<Response>> | undefined
  /**
   * Where the channel continues from, requested before anything else, so that whatever is loaded is at least as new.
   * Undefined if it did not arrive: then nobody knows what happened between loading and listening.
   */
  var afterglowBegun: Promise<string | undefined> | undefined
}

const stored = (place: string) => {
  try {
    return localStorage.getItem(place)
  } catch {
    // Where cookies are blocked, nothing is stored.
    return null
  }
}
const session = () => {
  try {
    return JSON.parse(stored('afterglow.session') ?? '{}')
  } catch {
    return {}
  }
}
const { token, expiresAt, userId } = session()

const early = new Map<string, Promise<Response>>()
const ask = (path: string) => {
  const address = `${location.origin}/api/${path}include=extra`
  // As patient as the SDK.
  const reply = fetch(address, { headers: { Authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(15_000) })
  early.set(address, reply)
  // Passed to the client, if it asks.
  reply.catch(() => {})
  return reply
}

/** What shows a picture, of an event, a photo or a message. */
type Seen = {
  event_avatar_url?: string
  data?: Listed[]
}
type Listed = { event_photo_preview_url: string; attachments: { extra: { preview_url: string } }[] }

/** The content of a reply that requires further requests; the client reads it again. */
const read = async (path: string) => {
  const reply = await ask(path)
  return reply.ok ? reply.clone().json() : {}
}

/**
 * The pictures (`/12/display`, `/12/preview`) that are seen first of what is requested; an evening sky replaces a
 * generated one. So few that the code, which shares the network with them, is hardly delayed.
 */
const askSeen = async (path: string, urlsOf: (reply: Seen) => string[]) => {
  const urls = urlsOf(await read(path)).filter(url => /\d\/[dp]/.test(url))
  for (const src of urls.slice(0, 3)) Object.assign(new Image(), { fetchPriority: 'high', src })
}
/** As many of the newest messages as a screen holds: a text takes about 100 px, and pictures 300 more. */
const onScreen = (messages: Listed[]) => {
  const heights = messages.map(({ attachments }) => (attachments.length > 0 ? 400 : 100))
  return messages.filter((_, at) => heights.slice(0, at).reduce((sum, height) => sum + height, 0) < innerHeight - 130)
}
/** As large as `events/event-picture.tsx` shows it. */
const askEvent = (event: string) =>
  askSeen(`event/details/${event}?`, reply => [
    `${reply.event_avatar_url}&w=${innerWidth * devicePixelRatio < 900 ? 640 : 1280}`,
  ])
/**
 * In one's own order (`gallery/own-sort.ts`); the page of an event shows the latest. Whoever is not in the event is
 * refused, and their page does not show them.
 */
const sort = stored(`afterglow.album.sort.${userId}`) ?? 'taken_newest'
const photosOf = (event: string, by = sort) => `gallery/photos/${event}?sort=${by}&page=1&page_length=60&`
const askPhotos = (event: string) =>
  askSeen(photosOf(event), ({ data = [] }) =>
    innerWidth < 640 ? data.map(photo => `${photo.event_photo_preview_url}&w=400`) : [],
  )

/** By the beginning of the address; `event` is the ID in it. */
const firsts: [RegExp, (event: string) => unknown][] = [
  [
    /^\/(events\/?)?$/,
    () => [ask('event/list?filter=upcoming&page=1&page_length=20&'), ask('event/invites?page=1&page_length=50&')],
  ],
  [/^\/chats\/?$/, () => ask('message/group/list?page=1&page_length=50&')],
  [
    /^\/events\/(\d+)\/?$/,
    event => Promise.all([askEvent(event), ask(photosOf(event, sort === 'taken_newest' ? sort : 'newest'))]),
  ],
  [
    /^\/events\/(\d+)\/photos\/?$/,
    async event => {
      void ask(`event/details/${event}?`)
      if (!location.search) await askPhotos(event)
    },
  ],
  [
    /^\/events\/(\d+)\/chat\/?$/,
    async event => {
      const { group_chat_id: chat } = await read(`event/details/${event}?`)
      if (!chat) return
      void ask(`message/group/${chat}?`)
      await askSeen(`message/list?group_chat_id=${chat}&page=1&page_length=50&`, ({ data = [] }) =>
        onScreen(data).flatMap(({ attachments }) => attachments.map(({ extra }) => extra.preview_url)),
      )
    },
  ],
]

// If there is stored data, it is shown.
if (token && new Date(expiresAt) > new Date() && !stored('afterglow.kept')) {
  globalThis.afterglowEarly = early
  globalThis.afterglowBegun = read('realtime/sync?')
    .then(({ cursor }) => cursor)
    .catch(() => {})
  for (const [page, asking] of firsts) {
    const at = page.exec(location.pathname)
    // The client requests whatever did not arrive again.
    if (at) globalThis.afterglowBegun.then(() => asking(at[1] as string)).catch(() => {})
  }
}

// The first of its kind takes a slow phone 50 ms, which are idle now and expensive when the client renders.
new Intl.DateTimeFormat().format()

export {}

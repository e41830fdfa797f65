/*
 * A script of its own, with nothing that it stands on: it arrives a second before the client on a phone's network, and
 * asks for what an event's page will ask for first. The client's own requests are answered from here (client.ts).
 */

declare global {
  /** Replies under way, by address. */
  var afterglowEarly: Map<string, Promise<Response>> | undefined
}

const { token, expiresAt } = JSON.parse(localStorage.getItem('afterglow.session') ?? '{}')
const [, event, page] = /^\/events\/(\d+)(?:\/(chat|photos))?\/?$/.exec(location.pathname) ?? []
// Where something is kept, that is shown.
const nothingKept = localStorage.getItem('afterglow.kept') === null

if (event && token && new Date(expiresAt) > new Date() && nothingKept) {
  const early = new Map<string, Promise<Response>>()
  globalThis.afterglowEarly = early
  const ask = (path: string) => {
    const url = `${location.origin}/api/${path}include=extra`
    const reply = fetch(url, { headers: { Authorization: `Bearer ${token}` } })
    early.set(url, reply)
    return reply
  }
  const asking = async () => {
    if (page === 'photos' && !location.search)
      ask(`gallery/photos/${event}?sort=newest&page=1&page_length=60&`).catch(() => {})
    const details = await ask(`event/details/${event}?`)
    if (page !== 'chat' || !details.ok) return
    const { group_chat_id } = await details.clone().json()
    const chat = ask(`message/group/${group_chat_id}?`)
    await Promise.all([chat, ask(`message/list?group_chat_id=${group_chat_id}&page=1&page_length=50&`)])
  }
  // The client asks again for what did not arrive.
  asking().catch(() => {})
}

export {}

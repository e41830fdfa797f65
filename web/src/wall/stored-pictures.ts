import { wallCache } from '../app/cache/pictures-cache.ts'

/*
 * Pictures of the wall that outlast its page: a screen that restarts without a network continues with them. When its
 * link is closed or another user signs in, all seen data leaves the browser, and these with it.
 */

/** The URL without its signature, which changes every six hours. */
const nameOf = (url: string) => new URL(url, location.href).pathname

/** The oldest are dropped beyond `most`. Without a storage, none are kept. */
export const openKeptOnWall = (most: number) => {
  // Opened once: a write after the store was deleted goes to a store that nobody finds again.
  const opened: Promise<Cache | undefined> =
    globalThis.caches?.open(wallCache).catch(() => undefined) ?? Promise.resolve(undefined)
  const within = <Result>(work: (place: Cache) => Promise<Result>): Promise<Result | undefined> =>
    opened.then(place => place && work(place)).catch(() => undefined)
  return {
    keep: (url: string, picture: Blob) =>
      within(async place => {
        if (await place.match(nameOf(url))) return
        await place.put(nameOf(url), new Response(picture))
        const keys = await place.keys()
        for (const old of keys.slice(0, Math.max(0, keys.length - most))) await place.delete(old)
      }),
    find: (url: string) => within(async place => (await place.match(nameOf(url)))?.blob()),
    forget: (url: string) => within(place => place.delete(nameOf(url))),
    tidy: (urls: readonly string[]) =>
      within(async place => {
        const there = new Set(urls.map(nameOf))
        for (const key of await place.keys()) if (!there.has(new URL(key.url).pathname)) await place.delete(key)
      }),
  }
}

import { wallCache } from '../app/cache/pictures-cache.ts'

/*
 * Pictures of the wall that outlast its page: a screen that starts again while there is no network goes on with them.
 * Everything that was seen leaves the browser when its link is closed or somebody else comes, and these with it.
 */

/** Without the signature, of which there is a new one every six hours. */
const nameOf = (url: string) => new URL(url, location.href).pathname

/** `most`: the oldest go beyond it. A browser that stores nothing keeps none. */
export const openKeptOnWall = (most: number) => {
  // Opened once: what is written after the store was deleted is in none that anybody finds again.
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
    /** Forgets all but these. */
    tidy: (urls: readonly string[]) =>
      within(async place => {
        const there = new Set(urls.map(nameOf))
        for (const key of await place.keys()) if (!there.has(new URL(key.url).pathname)) await place.delete(key)
      }),
  }
}

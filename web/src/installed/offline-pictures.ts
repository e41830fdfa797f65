import { isKeepable, picturesMax, tooMany } from '../app/cache/pictures-cache.ts'

/** How long no picture must be requested before those seen last are stored. */
const quietMs = 1000

type PictureStore = Pick<Cache, 'match' | 'put' | 'keys' | 'delete'>
type Options = {
  open(): Promise<PictureStore>
  /** Loads from the browser's own cache, which has just received it. */
  load(url: string): Promise<Response>
}

/** The pictures that are available offline. Others are added when nobody is requesting any. */
export const openOfflinePictures = ({ open, load }: Options) => {
  /** Addresses by name, most recently seen last. */
  const lately = new Map<string, string>()
  /** Unknown until it has been looked up. */
  let kept: Set<string> | undefined
  let askedAt = 0
  let keeping: Promise<void> | undefined
  /** Counts sign-outs: pictures being stored for a user who left are dropped. */
  let left = 0

  const lookUp = async (place: PictureStore) => {
    const keys = await place.keys()
    const old = tooMany(keys)
    await Promise.all(old.map(key => place.delete(key)))
    kept = new Set(keys.slice(old.length).map(({ url }) => new URL(url).pathname))
  }
  void open()
    .then(lookUp)
    .catch(() => {})

  const keep = async (place: PictureStore, key: string, url: string) => {
    if (await place.match(key)) return
    const before = left
    const reply = await load(url)
    if (isKeepable(reply) && left === before) await place.put(key, reply)
  }

  const keepAll = async () => {
    while (lately.size > 0) {
      for (let left = quietMs; left > 0; left = askedAt + quietMs - Date.now())
        await new Promise(resolve => setTimeout(resolve, left))
      const place = await open()
      for (const [key, url] of lately) {
        if (Date.now() - askedAt < quietMs) break
        lately.delete(key)
        // No network, or a full disk: then the picture is not available offline.
        await keep(place, key, url).catch(() => {})
      }
      await lookUp(place)
    }
  }

  return {
    /** False if it certainly is not stored. */
    mayHave: (key: string): boolean => kept?.has(key) ?? true,
    find: async (key: string) => (await open()).match(key),
    /** Resolves when nothing is left to store. */
    async saw(key: string, url: string): Promise<void> {
      askedAt = Date.now()
      if (kept?.has(key)) return
      lately.delete(key)
      lately.set(key, url)
      const [oldest] = lately.keys()
      if (lately.size > picturesMax && oldest) lately.delete(oldest)
      keeping ??= keepAll()
        .catch(() => {})
        .finally(() => {
          keeping = undefined
        })
      await keeping
    },
    async forget(key: string): Promise<void> {
      lately.delete(key)
      kept?.delete(key)
      await (await open()).delete(key)
    },
    forgetAll() {
      left += 1
      lately.clear()
      kept?.clear()
    },
  }
}

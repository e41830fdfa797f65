import { LRUCache } from 'lru-cache'

const hostsMax = 10_000
/** So many silences in a row, and a host is left alone. */
const silencesMax = 3
const restMsLeast = 5_000
const restMsMost = 5 * 60_000

/**
 * Hosts that did not answer lately: whoever pushes to one does not wait for its silence again. Kept by this process for
 * all addresses of the host, however many are registered anew.
 */
export const openHostRests = () => {
  const hosts = new LRUCache<string, { silences: number; until: number }>({ max: hostsMax })
  return {
    rests: (host: string) => performance.now() < (hosts.get(host)?.until ?? 0),
    answered: (host: string) => void hosts.delete(host),
    silent(host: string) {
      const silences = (hosts.get(host)?.silences ?? 0) + 1
      const rest = Math.min(restMsLeast * 2 ** (silences - silencesMax), restMsMost)
      hosts.set(host, { silences, until: silences < silencesMax ? 0 : performance.now() + rest })
    },
  }
}

import { LRUCache } from 'lru-cache'
import { atMost } from '../../process/bounded-cache.ts'

const hostsMax = 10_000
/** After this many silences in a row, a host is paused. */
const silencesMax = 3
const restMsLeast = 5_000
const restMsMost = 5 * 60_000

/**
 * Hosts that recently did not answer: further pushes do not wait for their timeout again. Kept by this process for all
 * addresses of a host, however often they are registered anew.
 */
export const openHostBackoff = () => {
  const hosts = new LRUCache<string, { silences: number; until: number }>(atMost(hostsMax))
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

import { LRUCache } from 'lru-cache'
import { atMost } from '../../platform/process/bounded-cache.ts'
import type { Memory, SiblingProcesses } from '../../platform/process/sibling-processes.ts'
import type { SharedState } from '../../platform/redis/redis.ts'

/** How long a device counts as active after its last ping: a crashed app becomes inactive by itself. */
export const presenceTtlSeconds = 60

/**
 * Which devices' apps are active: pinged and not signed off since, and either connected to the channel or pinged within
 * the last minute. If neither holds, a device must ping again. A lease of a minute is not worth writing to disk: after
 * a restart every device is inactive until its next ping, which only means that pushes are sent.
 */
export type Presence = {
  /** Returns until when the device counts as active without another ping. */
  ping(deviceRow: number): Promise<Date>
  disconnect(deviceRow: number): Promise<void>
  activeOf(deviceRows: readonly number[]): Promise<ReadonlySet<number>>
  /** Its first socket to this process has opened; its last one has closed. */
  connected(deviceRow: number): void
  left(deviceRow: number): void
  close(): void
}

const ttlMs = presenceTtlSeconds * 1000
const devicesMax = 200_000

/**
 * The presence of all processes if they share a Redis, or of those behind one port as their supervisor keeps it; of
 * this process alone while that is unavailable, or without either.
 */
export const openPresence = (shared?: SharedState, neighbours?: SiblingProcesses): Presence => {
  const own = openOwn()
  const common = shared ? openCommon(shared, own.sockets) : neighbours && openBeside(neighbours)
  return {
    async ping(deviceRow) {
      own.ping(deviceRow)
      await common?.ping(deviceRow)
      return new Date(Date.now() + ttlMs)
    },
    async disconnect(deviceRow) {
      own.disconnect(deviceRow)
      await common?.disconnect(deviceRow)
    },
    async activeOf(deviceRows) {
      const here = () => new Set(deviceRows.filter(own.isActive))
      return common ? common.activeOf(deviceRows, here) : here()
    },
    connected(deviceRow) {
      own.connected(deviceRow)
      common?.connected(deviceRow)
    },
    left(deviceRow) {
      own.left(deviceRow)
      common?.left(deviceRow)
    },
    close: () => common?.close(),
  }
}

const openOwn = () => {
  const pingedAt = new LRUCache<number, number>(atMost(devicesMax))
  const sockets = new Set<number>()
  const isFresh = (deviceRow: number) =>
    performance.now() - (pingedAt.get(deviceRow) ?? Number.NEGATIVE_INFINITY) < ttlMs
  const endStale = (deviceRow: number) => {
    if (!isFresh(deviceRow)) pingedAt.delete(deviceRow)
  }
  return {
    sockets,
    ping: (deviceRow: number) => void pingedAt.set(deviceRow, performance.now()),
    disconnect: (deviceRow: number) => void pingedAt.delete(deviceRow),
    isActive: (deviceRow: number) => isFresh(deviceRow) || (sockets.has(deviceRow) && pingedAt.has(deviceRow)),
    connected(deviceRow: number) {
      endStale(deviceRow)
      sockets.add(deviceRow)
    },
    left(deviceRow: number) {
      sockets.delete(deviceRow)
      endStale(deviceRow)
    },
  }
}

const pingedMs = 24 * 60 * 60 * 1000
const openMs = 30_000
const renewEveryMs = 10_000

// A single step each: a ping that arrives in between must not be taken for an old one.
const onConnect = `if redis.call('exists', KEYS[1], KEYS[3]) == 0 then redis.call('del', KEYS[2]) end
  redis.call('set', KEYS[3], 1, 'PX', ARGV[1])`
const onLeave = `redis.call('del', KEYS[3])
  if redis.call('exists', KEYS[1]) == 0 then redis.call('del', KEYS[2]) end`

/** The same rules with three keys per device: pinged recently, pinged at all, connected somewhere. */
const openCommon = ({ ask }: SharedState, sockets: ReadonlySet<number>) => {
  const fresh = (deviceRow: number) => `presence:fresh:${deviceRow}`
  const pinged = (deviceRow: number) => `presence:pinged:${deviceRow}`
  const open = (deviceRow: number) => `presence:open:${deviceRow}`
  const keysOf = (deviceRow: number) => [fresh(deviceRow), pinged(deviceRow), open(deviceRow)]
  const nothing = () => undefined

  const renewal = setInterval(() => {
    const rows = [...sockets]
    void ask(
      redis => {
        const renewing = redis.pipeline()
        for (const row of rows) renewing.set(open(row), 1, 'PX', openMs)
        return renewing.exec()
      },
      () => null,
    )
  }, renewEveryMs)
  renewal.unref()

  return {
    ping: (row: number) =>
      ask<unknown>(
        redis => redis.multi().set(fresh(row), 1, 'PX', ttlMs).set(pinged(row), 1, 'PX', pingedMs).exec(),
        nothing,
      ),
    disconnect: (row: number) => ask<unknown>(redis => redis.del(fresh(row), pinged(row)), nothing),
    activeOf: (rows: readonly number[], otherwise: () => ReadonlySet<number>) =>
      rows.length === 0
        ? Promise.resolve(new Set<number>())
        : ask<ReadonlySet<number>>(async redis => {
            const kept = await redis.mget(rows.flatMap(keysOf))
            return new Set(rows.filter((_, at) => kept[at * 3] || (kept[at * 3 + 1] && kept[at * 3 + 2])))
          }, otherwise),
    connected: (row: number) => void ask<unknown>(redis => redis.eval(onConnect, 3, ...keysOf(row), openMs), nothing),
    left: (row: number) => void ask<unknown>(redis => redis.eval(onLeave, 3, ...keysOf(row)), nothing),
    close: () => clearInterval(renewal),
  }
}

const memory = 'presence'
type Act = 'ping' | 'disconnect' | 'connected' | 'left'
type Noted = { act: Act; deviceRow: number }

const openBeside = ({ note, ask }: SiblingProcesses) => {
  const noting = (act: Act) => (deviceRow: number) => note(memory, { act, deviceRow } satisfies Noted)
  return {
    ping: async (deviceRow: number) => noting('ping')(deviceRow),
    disconnect: async (deviceRow: number) => noting('disconnect')(deviceRow),
    activeOf: async (deviceRows: readonly number[]): Promise<ReadonlySet<number>> =>
      new Set(await ask<number[]>(memory, deviceRows)),
    connected: noting('connected'),
    left: noting('left'),
    close: () => {},
  }
}

/** A supervisor's memory of its processes' devices, by the same rules. */
export const presenceMemory = (): Record<typeof memory, Memory> => {
  const all = openOwn()
  /** The processes to which a device is connected. */
  const placesOf = new Map<number, Set<number>>()
  const left = (from: number, deviceRow: number) => {
    const places = placesOf.get(deviceRow)
    if (!places?.delete(from) || places.size > 0) return
    placesOf.delete(deviceRow)
    all.left(deviceRow)
  }
  const note = (from: number, { act, deviceRow }: Noted) => {
    if (act === 'left') return left(from, deviceRow)
    if (act !== 'connected') return all[act](deviceRow)
    const places = placesOf.get(deviceRow)
    if (places) return void places.add(from)
    placesOf.set(deviceRow, new Set([from]))
    all.connected(deviceRow)
  }
  return {
    [memory]: {
      note: (from, noted) => note(from, noted as Noted),
      answer: deviceRows => (deviceRows as number[]).filter(all.isActive),
      forget(from) {
        for (const deviceRow of [...placesOf.keys()]) left(from, deviceRow)
      },
    },
  }
}

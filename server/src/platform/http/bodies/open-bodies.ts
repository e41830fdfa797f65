import type { FastifyRequest } from 'fastify'
import { networkOf } from '../limits.ts'
import { Unreadable } from '../refusals.ts'

/** Text of a body that is kept in memory until the body is complete. */
export type OpenBody = {
  grow(bytes: number): void
  /** The body is complete, or nobody waits for it any more. */
  close(): void
}

export type OpenBodies = {
  /** `cut` is called at most once, if this body has to go. One `withFiles` may take its time: it is written to disk. */
  open(request: FastifyRequest, cut: (reason: Error) => void, withFiles?: boolean): OpenBody
  close(): void
}

export type OpenBodiesMost = {
  bytesOfNetwork: number
  bytes: number
  ofNetwork: number
  /** With files, of one signed-in user. */
  ofViewer: number
  textWithinMs: number
}

const most: OpenBodiesMost = {
  bytesOfNetwork: 8 * 1024 * 1024,
  bytes: 32 * 1024 * 1024,
  ofNetwork: 1000,
  ofViewer: 100,
  // 64 KiB at 2 KiB a second.
  textWithinMs: 30_000,
}
const lookEveryMs = 1000

type Entry = {
  network: Network
  viewer: number
  crowd: string
  bytes: number
  since: number
  cut: (reason: Error) => void
}
type Network = { bytes: number; open: Set<Entry> }
const fromHere = 'Too many bodies arrive from this address.'

/**
 * Limits the memory held by incomplete bodies: per network, and in total. Above a limit, the body with the most text is
 * cut off; if there are too many, one of the client that holds most of them open. So clients that hold bodies back pay,
 * not the guest behind the same address whose form arrives in one packet.
 */
export const openOpenBodies = (bounds: OpenBodiesMost = most): OpenBodies => {
  const networks = new Map<string, Network>()
  const texts = new Set<Entry>()
  const files = new Map<number, number>()
  let bytes = 0

  const close = (entry: Entry) => {
    if (!entry.network.open.delete(entry)) return false
    if (!texts.delete(entry)) {
      const left = (files.get(entry.viewer) ?? 0) - 1
      if (left > 0) files.set(entry.viewer, left)
      else files.delete(entry.viewer)
    }
    entry.network.bytes -= entry.bytes
    bytes -= entry.bytes
    return true
  }
  const cut = (entry: Entry | undefined, reason: string) => {
    if (entry && close(entry)) entry.cut(new Unreadable(reason))
  }
  const look = setInterval(() => {
    const since = performance.now() - bounds.textWithinMs
    // In the order in which they were opened.
    for (const entry of texts) {
      if (entry.since > since) return
      cut(entry, 'The body came too slowly.')
    }
  }, lookEveryMs).unref()

  return {
    open(request, whenCut, withFiles = false) {
      const key = networkOf(request.ip)
      const network = networks.get(key) ?? { bytes: 0, open: new Set() }
      networks.set(key, network)
      const viewer = request.viewer?.id ?? 0
      const crowd = request.viewer?.crowd ?? String(viewer)
      const entry = { network, viewer, crowd, bytes: 0, since: performance.now(), cut: whenCut }
      network.open.add(entry)
      if (withFiles) files.set(viewer, (files.get(viewer) ?? 0) + 1)
      else texts.add(entry)
      if ((files.get(viewer) ?? 0) > bounds.ofViewer && withFiles) cut(entry, 'Too many files arrive at once.')
      else if (network.open.size > bounds.ofNetwork) {
        const theirs = ofBusiest([...network.open])
        cut(theirs.find(each => texts.has(each)) ?? theirs.at(-1), fromHere)
      }
      return {
        grow(more) {
          if (!network.open.has(entry)) return
          entry.bytes += more
          network.bytes += more
          bytes += more
          if (network.bytes > bounds.bytesOfNetwork) cut(largest([network]), fromHere)
          if (bytes > bounds.bytes) cut(largest(networks.values()), 'Too many bodies arrive.')
        },
        close() {
          close(entry)
          if (network.open.size === 0 && networks.get(key) === network) networks.delete(key)
        },
      }
    },
    close: () => clearInterval(look),
  }
}

/** The bodies of the busiest client: of one link first, then of one person, oldest first. */
const ofBusiest = (entries: readonly Entry[]): Entry[] => {
  const busiest = (among: readonly Entry[], by: (entry: Entry) => string | number) =>
    [...Map.groupBy(among, by).values()].reduce((most, each) => (each.length >= most.length ? each : most))
  return busiest(
    busiest(entries, each => each.crowd),
    each => each.viewer,
  )
}

/** The first, and therefore oldest, of those with the most. */
const largest = (networks: Iterable<Network>) => {
  let found: Entry | undefined
  for (const { open } of networks) for (const entry of open) if (!found || entry.bytes > found.bytes) found = entry
  return found
}

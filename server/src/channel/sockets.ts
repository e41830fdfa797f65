import type { Socket as Stream } from 'node:net'
import type { Socket } from 'socket.io'

/** An open socket: whose, of which session, and how it addressed us. */
export type Connected = {
  socket: Socket
  userId: number
  deviceRow: number
  /** As in Viewer. */
  linkEpoch: number
  crowd: string | null
  /** The part of its address that a client cannot vary at will. */
  network: string
  /** In base64: as bytes it would take five times as much. */
  tokenHash: string
  /** When its token expires according to the database, in milliseconds of this process's clock. */
  expiresAt: number
  /** The origin with which URLs in its events start. */
  origin: string
  /** The underlying connection, which takes ready frames. */
  stream: Stream
}

const none: readonly Connected[] = []

/** The sockets connected to this process, by user. */
export const openSockets = () => {
  const byUser = new Map<number, readonly Connected[]>()
  let size = 0
  return {
    add(connected: Connected) {
      const { userId } = connected
      byUser.set(userId, [...(byUser.get(userId) ?? none), connected])
      size += 1
    },
    remove(connected: Connected) {
      const { userId } = connected
      const theirs = byUser.get(userId) ?? none
      const others = theirs.filter(each => each !== connected)
      if (others.length === theirs.length) return
      if (others.length > 0) byUser.set(userId, others)
      else byUser.delete(userId)
      size -= 1
    },
    size: () => size,
    hasUser: (userId: number) => byUser.has(userId),
    of: (userId: number): readonly Connected[] => byUser.get(userId) ?? none,
    *all() {
      for (const theirs of byUser.values()) yield* theirs
    },
  }
}

export type Sockets = ReturnType<typeof openSockets>

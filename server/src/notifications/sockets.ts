import type { Socket as Stream } from 'node:net'
import type { Socket } from 'socket.io'

/** One open socket: whose, of which session, and how it addressed us. */
export type Connected = {
  socket: Socket
  userId: number
  deviceRow: number
  /** In base64: as bytes it would take five times as much. */
  tokenHash: string
  /** When its token ends by the database's word, in milliseconds of this process's clock. */
  expiresAt: number
  /** The origin that URLs in its events start with. */
  origin: string
  /** The connection under it, which takes frames that are ready. */
  stream: Stream
}

const none: readonly Connected[] = []

/** The sockets that are connected to this process, by user. */
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

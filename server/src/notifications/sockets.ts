import type { Socket } from 'socket.io'

/** One open socket: whose, of which session, and how it addressed us. */
export type Connected = {
  socket: Socket
  userId: number
  deviceRow: number
  tokenHash: Buffer
  /** When its token ends by the database's word, in milliseconds of this process's clock. */
  expiresAt: number
  /** The origin that URLs in its events start with. */
  origin: string
  /** Bytes given to it that have not left yet. */
  waitingBytes: number
}

const none: ReadonlySet<Connected> = new Set()

/** The sockets that are connected to this process, by user and by device. */
export const openSockets = () => {
  const byUser = new Map<number, Set<Connected>>()
  const byDevice = new Map<number, number>()
  let size = 0
  return {
    add(connected: Connected) {
      const { userId, deviceRow } = connected
      const theirs = byUser.get(userId)
      if (theirs) theirs.add(connected)
      else byUser.set(userId, new Set([connected]))
      byDevice.set(deviceRow, (byDevice.get(deviceRow) ?? 0) + 1)
      size += 1
    },
    remove(connected: Connected) {
      const { userId, deviceRow } = connected
      const theirs = byUser.get(userId)
      if (!theirs?.delete(connected)) return
      if (theirs.size === 0) byUser.delete(userId)
      const left = (byDevice.get(deviceRow) ?? 1) - 1
      if (left > 0) byDevice.set(deviceRow, left)
      else byDevice.delete(deviceRow)
      size -= 1
    },
    size: () => size,
    hasUser: (userId: number) => byUser.has(userId),
    hasDevice: (deviceRow: number) => byDevice.has(deviceRow),
    users: () => byUser.keys(),
    usersCount: () => byUser.size,
    devices: () => byDevice.keys(),
    of: (userId: number): ReadonlySet<Connected> => byUser.get(userId) ?? none,
    *all() {
      for (const theirs of byUser.values()) yield* theirs
    },
  }
}

export type Sockets = ReturnType<typeof openSockets>

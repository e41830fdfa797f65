import type { Transaction } from '../../platform/database/database.ts'
import * as store from './link-viewers-store.ts'
import { announceSessionsEnded, openSession } from './sessions.ts'

/*
 * The viewers of a link that makes nobody a person. One row of `users` stands for all of them: so their sessions, the
 * links that they hold and what they are told take the same road as everybody's, and end together. The row is in no
 * event: what they may see follows from the link (the view `seats`).
 */

export const { insertViewer, viewersNow, eraseViewers } = store

type Viewing = { viewerId: number; deviceId: string; cameFrom: Buffer; until: Date | null }

/** A session of a link's viewers on one more device, until the link expires. */
export const openViewing = async (tx: Transaction, { viewerId, deviceId, cameFrom, until }: Viewing) => {
  const device = { deviceId, platform: 'web', timezone: 'UTC' }
  const session = await openSession(tx, viewerId, device, { until, sessionsMax: 1_000_000 })
  await store.noteCameFrom(tx, viewerId, deviceId, cameFrom)
  return session
}

/** Ends one that has not been used for an hour, or the newest of a network that holds most. False if there is none. */
export const makeRoom = async (tx: Transaction, viewerId: number, full: { cameFrom: Buffer; shareMax: number }) => {
  const made = await store.endDispensable(tx, viewerId, full)
  if (made) announceSessionsEnded(tx, viewerId)
  return made
}

/** Ends one session of a link's viewers. False if it had ended. */
export const endViewing = async (tx: Transaction, viewerId: number, deviceRow: number) => {
  const ended = await store.endViewing(tx, viewerId, deviceRow)
  if (ended) announceSessionsEnded(tx, viewerId)
  return ended
}

/** Ends the sessions of a link's viewers, and of guest accounts that came by a link for adding photos alone. */
export const endByLink = async (tx: Transaction, viewerId: number | null, came: readonly number[]) => {
  const ended = [...(viewerId === null ? [] : [viewerId]), ...(await store.addersAmong(tx, came))]
  if (ended.length === 0) return
  await store.endSessionsOf(tx, ended)
  for (const userId of ended) announceSessionsEnded(tx, userId)
}

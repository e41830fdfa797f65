import type { Transaction } from '../../platform/database/database.ts'
import * as store from './link-viewers-store.ts'
import { openSession, tellEnded } from './sessions.ts'

/*
 * The viewers of a link that makes nobody a person. One row of `users` stands for all of them: so their sessions, the
 * links that they hold and what they are told take the same road as everybody's, and end together. The row is in no
 * event: what they may see follows from the link (the view `seats`).
 */

export const { insertViewer, viewersNow, eraseViewers } = store

/** A session of a link's viewers on one more device, until the link expires. */
export const openViewing = (tx: Transaction, viewerId: number, deviceId: string, until: Date | null) =>
  openSession(tx, viewerId, { deviceId, platform: 'web', timezone: 'UTC' }, { until, sessionsMax: 1_000_000 })

/** Ends the sessions of a link's viewers, and of guest accounts that came by a link for adding photos alone. */
export const endByLink = async (tx: Transaction, viewerId: number | null, came: readonly number[]) => {
  const ended = [...(viewerId === null ? [] : [viewerId]), ...(await store.addersAmong(tx, came))]
  if (ended.length === 0) return
  await store.endSessionsOf(tx, ended)
  for (const userId of ended) tellEnded(tx, userId)
}

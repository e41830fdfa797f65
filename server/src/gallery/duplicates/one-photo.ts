import { announce, type Change } from '../../log/announce.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { holdBytes } from '../../platform/media/same-bytes.ts'
import { type Deleted, lockChatOf } from '../store.ts'
import * as doubles from './duplicates-store.ts'

/* The same bytes are one photo of an event, however they arrive, and every message that shows them says so. */

/** Comes first in a transaction that adds or removes a photo. Returns its hashes. */
export const holdPhoto = async (tx: Transaction, of: Parameters<typeof doubles.sumsOf>[1]) => {
  const sums = await doubles.sumsOf(tx, of)
  if (sums) await hold(tx, sums.eventId, sums)
  return sums
}

export const hold = (tx: Transaction, eventId: number, { sha256, videoSha256 }: doubles.Sums) =>
  holdBytes(tx, eventId, videoSha256 ? [sha256, videoSha256] : [sha256])

/**
 * For a photo that is added or removed: the messages that show its bytes, with their chat locked. Comes after the locks
 * of guests and before the gallery's.
 */
export const messagesToAnnounce = async (tx: Transaction, eventId: number, sums: doubles.Sums) => {
  const ids = await doubles.messagesShowing(tx, eventId, sums)
  if (ids.length > 0) await lockChatOf(tx, eventId)
  return ids
}

/**
 * A deletion is announced only to people who could see the photo at that moment, which may have changed just before.
 */
export const deletionDetail = ({ hidden_at, sealed_from, waits, taken_by }: Deleted): Pick<Change, 'detail'> => {
  if (hidden_at !== null) return { detail: { only: taken_by, sealed: sealed_from === 'everybody' } }
  return waits ? { detail: { on: 'album' } } : {}
}

export const announceMessages = (
  tx: Transaction,
  { eventId, actorId }: Pick<Change, 'actorId'> & { eventId: number },
  messageIds: readonly number[],
) =>
  announce(
    tx,
    messageIds.map(subjectId => ({ kind: 'message.updated', audience: 'event', eventId, actorId, subjectId })),
  )

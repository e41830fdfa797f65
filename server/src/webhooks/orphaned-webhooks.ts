import { audit } from '../events/audit/audit.ts'
import { announce } from '../log/announce.ts'
import { type Db, type Transaction, transact } from '../platform/database/database.ts'
import * as store from './store.ts'

/**
 * A webhook ends when its creator is demoted, removed, suspended or erased: they must be told nothing more. The
 * organizers, or the operators, are notified.
 */
export const endOrphaned = (db: Db, leaverId?: number) =>
  transact(db, async tx => {
    for (const webhook of await store.endOrphaned(tx, leaverId))
      if (webhook.status === 'on') await announceEnded(tx, webhook)
  })

export const announceEnded = async (tx: Transaction, { id, event_id: eventId, made_by: by }: store.WebhookRow) => {
  const ended = { kind: 'webhook.ended', actorId: 0, subjectId: id, notify: true } as const
  if (eventId === null) return announce(tx, { ...ended, audience: 'user' })
  await announce(tx, { ...ended, audience: 'organizers', eventId })
  if (by !== null) await audit(tx, { id: by }, { act: 'webhook.ended', eventId, subjectId: id })
}

import { eventFor, eventToChange, requireCapability } from '../events/access.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { Refused, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import * as store from './store.ts'

// ---- doors ----

const requireOperator = async (db: Db, viewer: Viewer) => {
  if (!(await store.isOperator(db, viewer.id))) refuse('notOperator')
}

/**
 * Only organizers manage an event's webhooks, and only operators those of the service. Refuses noSuchEvent,
 * notOrganizer, notOperator.
 */
export const requireManager = async (db: Db, viewer: Viewer, eventId: number | null): Promise<void> => {
  if (eventId === null) await requireOperator(db, viewer)
  else requireCapability(await eventFor(db, viewer, eventId), 'manage')
}

/** The same for creating one: no other is created until the transaction ends. */
export const requireCreator = async (tx: Transaction, viewer: Viewer, eventId: number | null): Promise<void> => {
  if (eventId !== null) return void requireCapability(await eventToChange(tx, viewer, eventId), 'manage')
  await requireOperator(tx, viewer)
  await store.lockInstance(tx)
}

/** Refuses noSuchWebhook, also to those who do not manage it. */
export const webhookFor = async (db: Db, viewer: Viewer, id: number): Promise<store.WebhookRow> => {
  const row = (await store.findWebhook(db, id)) ?? refuse('noSuchWebhook')
  try {
    await requireManager(db, viewer, row.event_id)
  } catch (refused) {
    throw refused instanceof Refused ? new Refused('noSuchWebhook') : refused
  }
  return row
}

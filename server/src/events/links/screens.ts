import { endViewing } from '../../accounts/sessions/link-viewers.ts'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { orDone, refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { maySee, requireCapability } from '../access.ts'
import { audit } from '../audit/audit.ts'
import { readEvent } from '../store.ts'
import * as store from './screens-store.ts'

/** Ends one screen; its link stays open. Refuses noSuchScreen, notOrganizer. */
export const endScreen = (db: Db, viewer: Viewer, id: number) => {
  const ended = transact(db, async tx => {
    const { event_id: eventId, viewer_id: viewerId } = await screenFor(tx, viewer, id)
    if (await endViewing(tx, viewerId, id)) await audit(tx, viewer, { act: 'screen.ended', eventId, subjectId: id })
  })
  return orDone(ended, ['noSuchScreen'], () => store.wasEndedBy(db, viewer.id, id))
}

const screenFor = async (tx: Transaction, viewer: Viewer, id: number) => {
  const screen = (await store.findScreen(tx, id)) ?? refuse('noSuchScreen')
  const event = await readEvent(tx, viewer.id, screen.event_id)
  if (!event || !maySee(event)) return refuse('noSuchScreen')
  requireCapability(event, 'invite')
  return screen
}

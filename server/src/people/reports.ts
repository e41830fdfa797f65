import type * as contract from '@afterglow/contract/people'
import type { Given } from '@afterglow/contract/route'
import type { Db } from '../platform/database.ts'
import { Invalid, Refused, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { personFor } from './access.ts'
import * as store from './store.ts'

type Kind = Given<typeof contract.report>['report_type']

/** The doors of other slices to what can be reported: each refuses what the viewer cannot see. */
export type Reportable = Record<
  Exclude<Kind, 'user'>,
  (db: Db, viewer: Viewer, id: number) => Promise<{ eventId: number | null }>
>

/** Puts a report of something that the viewer can see before the moderators; refuses with noSuchTarget. */
export const report = async (
  db: Db,
  viewer: Viewer,
  reportable: Reportable,
  { type, id, reason }: { type: Kind; id: number; reason: string },
) => {
  const target = await demandVisible(db, viewer, reportable, type, id)
  await store.addReport(db, { reporter_id: viewer.id, type, target_id: id, event_id: target.eventId, reason })
}

const demandVisible = async (db: Db, viewer: Viewer, reportable: Reportable, type: Kind, id: number) => {
  try {
    if (type !== 'user') return await reportable[type](db, viewer, id)
    await personFor(db, viewer, id)
    return { eventId: null }
  } catch (error) {
    if (error instanceof Refused || error instanceof Invalid) return refuse('noSuchTarget')
    throw error
  }
}

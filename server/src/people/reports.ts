import type * as contract from '@afterglow/contract/people'
import type { Given } from '@afterglow/contract/route'
import { audit } from '../events/auditing.ts'
import { announce } from '../notifications/announcing.ts'
import { type Db, transact } from '../platform/database.ts'
import { Invalid, Refused, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { personFor } from './access.ts'
import * as store from './reports-store.ts'

type Kind = Given<typeof contract.report>['report_type']

/** Where a target is, and whose it is. */
type Target = { eventId: number | null; userId: number | null }

/** The doors of other slices to what can be reported: each refuses what the viewer cannot see. */
export type Reportable = Record<Exclude<Kind, 'user'>, (db: Db, viewer: Viewer, id: number) => Promise<Target>>

type Asked = { type: Kind; id: number; eventId: number | undefined; reason: string }

/**
 * Puts a report of something that the viewer can see before the organizers of its event and the operator; refuses with
 * noSuchTarget. What is said of an event as a whole is not for those who organize it.
 */
export const report = (db: Db, viewer: Viewer, reportable: Reportable, asked: Asked) =>
  transact(db, async tx => {
    const { type, id, reason } = asked
    const { eventId, userId } = await demandVisible(tx, viewer, reportable, asked)
    const row = { reporter_id: viewer.id, type, target_id: id, event_id: eventId, about_user_id: userId, reason }
    const reportId = await store.addReport(tx, row)
    if (eventId === null || type === 'event') return
    const made = { kind: 'report.made', audience: 'organizers', actorId: viewer.id, subjectId: reportId } as const
    await announce(tx, { ...made, eventId, notify: true })
  })

const demandVisible = async (db: Db, viewer: Viewer, reportable: Reportable, asked: Asked): Promise<Target> => {
  const { type, id, eventId } = asked
  try {
    if (type !== 'user') return await reportable[type](db, viewer, id)
    await personFor(db, viewer, id)
  } catch (error) {
    if (error instanceof Refused || error instanceof Invalid) return refuse('noSuchTarget')
    throw error
  }
  if (eventId !== undefined && !(await store.areIn(db, eventId, [viewer.id, id]))) refuse('noSuchTarget')
  return { eventId: eventId ?? null, userId: id }
}

/** Says that a report was dealt with, and returns it. Refuses noSuchReport, also for what is about the viewer. */
export const resolveReport = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const found = (await store.findReport(tx, viewer.id, id)) ?? refuse('noSuchReport')
    if (await store.resolve(tx, id, viewer.id))
      await audit(tx, viewer, { act: 'report.resolved', eventId: found.event_id, subjectId: id })
    return (await store.findReport(tx, viewer.id, id)) ?? refuse('noSuchReport')
  })

import { audit } from '../events/audit/audit.ts'
import { announce } from '../log/announce.ts'
import { type Db, transact } from '../platform/database/database.ts'
import { Invalid, Refused, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { personFor } from './access.ts'
import * as store from './reports-store.ts'

type Kind = store.ReportRow['type']

/** Where a target is, and whose it is; for a comment, also under which photo. */
type Target = { eventId: number | null; userId: number | null; photoId?: number }

/** The doors of other slices to what can be reported: each refuses what the viewer cannot see. */
export type Reportable = Record<Exclude<Kind, 'user'>, (db: Db, viewer: Viewer, id: number) => Promise<Target>>

type ReportRequest = { type: Kind; id: number; eventId: number | undefined; reason: string }

/**
 * Reports something that the viewer can see to the organizers of its event and the operators; refuses with
 * noSuchTarget. A report about an event as a whole is not for its organizers.
 */
export const report = (db: Db, viewer: Viewer, reportable: Reportable, asked: ReportRequest) =>
  transact(db, async tx => {
    const { type, id, reason } = asked
    const { eventId, userId, photoId = null } = await requireTarget(tx, viewer, reportable, asked)
    const target = { type, target_id: id, event_id: eventId, about_user_id: userId, photo_id: photoId }
    const reportId = await store.addReport(tx, { reporter_id: viewer.id, reason, ...target })
    const made = { kind: 'report.made', actorId: viewer.id, subjectId: reportId, notify: true } as const
    if (eventId === null || type === 'event') await announce(tx, { ...made, audience: 'user' })
    else await announce(tx, { ...made, audience: 'organizers', eventId })
  })

/** The operator's acts on the command line. */
export { listForOperator } from './reports-store.ts'
export const closeReport = (db: Db, id: number) => store.resolve(db, id, null)

const requireTarget = async (db: Db, viewer: Viewer, reportable: Reportable, asked: ReportRequest): Promise<Target> => {
  const { type, id, eventId } = asked
  const target = (await targetFor(db, viewer, reportable, type, id)) ?? refuse('noSuchTarget')
  if (type !== 'user' || eventId === undefined) return target
  if (!(await store.areIn(db, eventId, [viewer.id, id]))) refuse('noSuchTarget')
  return { ...target, eventId }
}

/** The result of the target's door, if it admits the viewer. */
const targetFor = async (
  db: Db,
  viewer: Viewer,
  reportable: Reportable,
  type: Kind,
  id: number,
): Promise<Target | undefined> => {
  try {
    if (type !== 'user') return await reportable[type](db, viewer, id)
    await personFor(db, viewer, id)
    return { eventId: null, userId: id }
  } catch (error) {
    if (error instanceof Refused || error instanceof Invalid) return undefined
    throw error
  }
}

/** Reports about something that the viewer may currently see; costs a query each. */
export const visibleOf = async (
  db: Db,
  viewer: Viewer,
  reportable: Reportable,
  rows: readonly store.ReportRow[],
): Promise<ReadonlySet<number>> => {
  const visible = new Set<number>()
  for (const { id, type, target_id } of rows)
    if (await targetFor(db, viewer, reportable, type, target_id)) visible.add(id)
  return visible
}

/** Operators read the reports of the whole instance, others those of the events they organize. */
export const readerOf = async (db: Db, viewer: Viewer): Promise<store.Reader> => ({
  id: viewer.id,
  operator: await store.isOperator(db, viewer.id),
})

/**
 * Marks a report as resolved, and returns it. Refuses noSuchReport, also for reports about the viewer. Acts of an
 * operator do not appear in the organizers' log, nor do they learn who that is; nor does a report about one of them.
 */
export const resolveReport = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const reader = await readerOf(tx, viewer)
    const organized = await store.findReport(tx, { ...reader, operator: false }, id)
    const found = organized ?? (await store.findReport(tx, reader, id)) ?? refuse('noSuchReport')
    const done = await store.resolve(tx, found.id, organized ? viewer.id : null)
    if (done && organized && organized.event_id !== null && !(await store.isOfOrganizer(tx, id)))
      await audit(tx, viewer, { act: 'report.resolved', eventId: organized.event_id, subjectId: id })
    return (await store.findReport(tx, reader, id)) ?? refuse('noSuchReport')
  })

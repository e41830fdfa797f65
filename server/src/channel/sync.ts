import { audienceMay, can } from '@afterglow/contract/capabilities'
import { sentence } from '@afterglow/contract/words'
import type { Logger } from 'pino'
import { beginHistory, placeChanges, readPlacedOf } from '../log/changes-sql.ts'
import { type Cursor, cursorOf, type Head, isGenuine, readCursor } from '../log/position.ts'
import type { Database } from '../platform/database/database.ts'
import { invalid } from '../platform/http/refusals.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { type ChangePresenters, type Membership, showChanges } from './payloads.ts'

export type SyncOptions = {
  showing: ChangePresenters
  membership: Membership
  /** What was told before this place has arrived. */
  acknowledgeUpTo(db: Database, viewer: Viewer, place: number): Promise<void>
  log: Pick<Logger, 'error'>
}

type SyncRequest = { viewer: Viewer; cursor: string | undefined; until: string | undefined; urls: Urls }

const changesMax = 200

/**
 * The changes that the viewer missed, from the log that the channel reads, in the same order and by the same
 * presenters.
 */
export const catchUp = async (
  db: Database,
  { showing, membership, acknowledgeUpTo, log }: SyncOptions,
  asked: SyncRequest,
) => {
  const { viewer, urls } = asked
  const cursor = readAsked('cursor', asked.cursor)
  const until = readAsked('until', asked.until)
  const asks = [cursor, until].filter(one => one !== undefined)
  const head = await headFor(db, asks)
  if (cursor === undefined) return nothing(head)
  if (!asks.every(one => isOf(head, one))) return tooOld(head)
  // What was told before this cursor has arrived: the channel's acknowledgement, for those who have no channel.
  await acknowledgeUpTo(db, viewer, cursor.place)

  const events = await membership.eventsOf(db, viewer.id)
  const organized = events.filter(({ role }) => can(role, audienceMay.organizers)).map(({ id }) => id)
  const reader = { userId: viewer.id, events: events.map(({ id }) => id), organized }
  const upTo = until?.place ?? head.place
  const range = { after: cursor.place, upTo, kinds: Object.keys(showing), limit: changesMax + 1 }
  const changes = await readPlacedOf(db, reader, range)
  if (!changes) return tooOld({ ...head, place: upTo })

  const due = changes.slice(0, changesMax)
  const standings = new Map(events.map(({ id, role }) => [id, role]))
  const shown = await showChanges(db, showing, due, {
    recipientsOf: ({ event_id }) => [{ id: viewer.id, standing: standings.get(event_id ?? 0) ?? 'none' }],
    urls,
    log,
  })
  const told = due.flatMap(change =>
    (shown.get(change.id) ?? [])
      .filter(({ to, devices }) => to.includes(viewer.id) && (devices?.includes(viewer.deviceRow) ?? true))
      .map(({ kind = change.kind, payload }) => ({ kind, cursor: cursorOf(head, change.place), payload })),
  )
  const more = changes.length > changesMax
  const last = due.at(-1)
  return { cursor: cursorOf(head, more && last ? last.place : upTo), tooOld: false, more, changes: told }
}

const readAsked = (field: 'cursor' | 'until', text: string | undefined) =>
  text === undefined ? undefined : (readCursor(text) ?? invalid(field, sentence.format))

const nothing = (head: Head) => ({ cursor: cursorOf(head, head.place), tooOld: false, more: false, changes: [] })
const tooOld = (head: Head) => ({ ...nothing(head), tooOld: true })

/** Issued for this log, in this history. */
const isOf = (head: Head, cursor: Cursor) => cursor.history === head.history && isGenuine(cursor, head)

/**
 * Where the log stands. A position that was issued and that the database has not reached shows that it was rolled back:
 * positions that others hold from what was lost may look like ones that it reaches again.
 */
const headFor = async (db: Database, asks: readonly Cursor[]) => {
  const head = await placeChanges(db)
  if (!asks.some(one => isOf(head, one) && one.place > head.place)) return head
  await beginHistory(db, head)
  return placeChanges(db)
}

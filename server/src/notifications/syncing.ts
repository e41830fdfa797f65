import { sentence } from '@afterglow/contract/words'
import type { Logger } from 'pino'
import type { Db } from '../platform/database.ts'
import { invalid } from '../platform/http/refusals.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { readHead, readUnseenOf } from './changes-store.ts'
import { cursorOf, cursorsOf, type Position, readCursor } from './position.ts'
import { type Membership, type Showing, showChanges } from './showing.ts'

export type Syncing = { showing: Showing; membership: Membership; log: Pick<Logger, 'error'> }

type Asked = { viewer: Viewer; cursor: string | undefined; until: string | undefined; urls: Urls }

const changesMax = 200

/** What the viewer missed, from the log that the channel reads, by the same order and presenters. */
export const catchUp = async (db: Db, { showing, membership, log }: Syncing, asked: Asked) => {
  const { viewer, urls } = asked
  if (asked.cursor === undefined) return nothing(cursorOf(await readHead(db)))
  const position = readCursor(asked.cursor) ?? invalid('cursor', sentence.format)
  const until = asked.until === undefined ? undefined : (readCursor(asked.until) ?? invalid('until', sentence.format))

  const events = await membership.eventsOf(db, viewer.id)
  const organized = events.filter(({ organizer }) => organizer).map(({ id }) => id)
  const reader = { userId: viewer.id, events: events.map(({ id }) => id), organized }
  const range = { position, until: until?.seen, kinds: Object.keys(showing), limit: changesMax + 1 }
  const { head, changes, tooOld } = await readUnseenOf(db, reader, range)
  if (tooOld) return { ...nothing(cursorOf(until?.seen ?? head)), too_old: true }

  const due = changes.slice(0, changesMax)
  const standings = new Map(events.map(({ id, organizer }) => [id, organizer ? 'organizer' : 'guest'] as const))
  const shown = await showChanges(db, showing, due, {
    recipientsOf: ({ event_id }) => [{ id: viewer.id, standing: standings.get(event_id ?? 0) ?? 'none' }],
    urls,
    log,
  })
  const cursors = cursorsIn(position, until?.seen ?? head)
  const told = due.flatMap(change =>
    (shown.get(change.id) ?? [])
      .filter(({ to, devices }) => to.includes(viewer.id) && (devices?.includes(viewer.deviceRow) ?? true))
      .map(({ payload }) => ({ kind: change.kind, cursor: cursors(change), payload })),
  )
  const more = changes.length > changesMax
  const last = due.at(-1)
  return { cursor: more && last ? cursors(last) : cursorOf(until?.seen ?? head), too_old: false, more, changes: told }
}

const nothing = (cursor: string) => ({ cursor, too_old: false, more: false, changes: [] })

/** A change that the position had begun with keeps its place there; the others come between its end and now. */
const cursorsIn = ({ seen, next }: Position, head: string) => {
  const ofBegun = next && cursorsOf(seen, next)
  const ofLater = cursorsOf(next ?? seen, head)
  return ({ id, begun }: { id: number; begun: boolean }) => (begun && ofBegun ? ofBegun(id) : ofLater(id))
}

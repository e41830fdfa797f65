import { sql } from 'kysely'
import { allOf, type ExportPart } from '../platform/export/export-part.ts'

/** What somebody answered, and since when they have subscribed to their events; the address itself is a secret. */
export const plansExport: ExportPart[] = [
  {
    name: 'answers',
    tables: ['answers'],
    rows: (db, userId) =>
      allOf(
        sql<object>`
          select event_id, answer, plus, plus_names, note, seated, answered_at from answers
          where user_id = ${userId} order by event_id`.execute(db),
      ),
  },
  {
    name: 'calendar',
    tables: ['calendar_feeds'],
    rows: (db, userId) =>
      allOf(sql<object>`select created_at from calendar_feeds where user_id = ${userId}`.execute(db)),
  },
]

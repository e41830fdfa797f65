import { allRows } from '../platform/database/rows.ts'
import type { ExportPart } from '../platform/export/export-part.ts'
import { programmesBy } from './programme-store.ts'

/**
 * A person's answers, the programmes of events that they opened, and since when they have subscribed to their events;
 * the address itself is a secret.
 */
export const plansExport: ExportPart[] = [
  {
    name: 'answers',
    tables: ['answers', 'answers_away'],
    rows: (db, userId) => allRows<object>(db)`
        select event_id, answer, plus, plus_names, note, seated, answered_at from answers where user_id = ${userId}
        union all
        select event_id, answer, plus, plus_names, note, false, answered_at from answers_away where user_id = ${userId}
        order by event_id`,
  },
  { name: 'programmes', tables: ['programme_entries'], rows: (db, userId) => programmesBy(db, userId) },
  {
    name: 'calendar',
    tables: ['calendar_feeds'],
    rows: (db, userId) => allRows<object>(db)`select created_at from calendar_feeds where user_id = ${userId}`,
  },
]

import type { ExportPart } from '../platform/export/export-part.ts'
import { pollCard } from './card.ts'
import { pollsOf, votesBy } from './store.ts'

/** A person's polls, with the votes as long as they see them, and their own votes. */
export const pollExport: ExportPart[] = [
  {
    name: 'polls',
    tables: ['polls'],
    async *rows(db, userId) {
      const made = await pollsOf(db, userId)
      const ids = made.map(poll => poll.message_id)
      const look = await pollCard.read(db, ids, [userId])
      for (const { seen, ...poll } of made) yield { ...poll, ...(seen && look(poll.message_id, userId)) }
    },
  },
  { name: 'poll-votes', tables: ['poll_votes'], rows: (db, userId) => votesBy(db, userId) },
]

import { merged, type Needs, type Slice } from '../slice.ts'
import { pollCards } from './card.ts'
import { pollExport } from './export.ts'
import { pollRoutes } from './routes.ts'
import { deletePollsOf, deletePollTraces, pollRecounts } from './store.ts'

export const polls: Slice = {
  name: 'polls',
  tables: {
    poll_votes: { kept: 'what people chose' },
    polls: { kept: 'what people wrote' },
  },
  opens: { vote: ['removal', 'sending away'] },
  exports: pollExport,
  erasesEvent: deletePollsOf,
  deletion: { traces: deletePollTraces },
  recounts: pollRecounts,
  cards: pollCards,
  open({ serve, db, slices }: Needs<'serve' | 'db' | 'slices'>) {
    pollRoutes(serve, { db, cards: merged(slices, 'cards') })
    return {}
  },
}

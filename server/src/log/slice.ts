import type { Needs, Slice } from '../slice.ts'
import { pruneChanges } from './changes-sql.ts'

/** The log of changes in one order: acts write it; the channel, notifications and webhooks read it. */
export const log: Slice = {
  name: 'log',
  tables: {
    change_log: { kept: 'one row' },
    changes: { since: 'created_at', lives: '7 days', inOrderOf: 'id', prunedBy: 'its slice' },
    unnotified_changes: { kept: 'goes with its change' },
  },
  open: ({ background }: Needs<'background'>) => ({ prunes: { changes: () => pruneChanges(background) } }),
}

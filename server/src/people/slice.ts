import { merged, type Slice } from '../slice.ts'
import { findableOf } from './access.ts'
import { eraseRelations } from './account-deletion.ts'
import { peopleExport } from './export.ts'
import { peopleNoticing } from './notification-templates.ts'
import { acquaintancesAmong, areAcquainted, blockedWith } from './relations-sql.ts'
import { reportRoutes } from './report-routes.ts'
import type { Reportable } from './reports.ts'
import { countOpen, forgetReasons } from './reports-store.ts'
import { peopleRoutes } from './routes.ts'

export const people: Slice = {
  name: 'people',
  tables: {
    blocks: { kept: 'what people chose' },
    friend_requests: { kept: 'one for two people' },
    friendships: { kept: 'what people chose' },
    known_words: { kept: 'goes with the last name that has it' },
    reports: { kept: 'what people told operators' },
    user_words: { kept: 'goes with the name' },
  },
  exports: peopleExport,
  erasesEvent: forgetReasons,
  deletion: { traces: eraseRelations },
  notifications: peopleNoticing,
  waiting: { reports: { may: 'moderate', count: countOpen } },
  gives: () => ({ blockedWith, areAcquainted, acquaintance: { findableOf, acquaintancesAmong } }),
  open({ serve, slices }) {
    peopleRoutes(serve)
    reportRoutes(serve, { reportable: merged(slices, 'reportable') as Reportable })
    return {}
  },
}

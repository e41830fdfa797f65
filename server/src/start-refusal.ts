import { isDatabaseAway } from './platform/database/database-away.ts'
import { rootCause } from './platform/observability/root-cause.ts'
import { CannotStart } from './platform/process/cannot-start.ts'

/** What an operator is told of a start that failed for a reason outside of the service; undefined for a fault of ours. */
export const refusalOf = (fault: unknown): string | undefined => {
  if (fault instanceof CannotStart) return fault.message
  return isDatabaseAway(fault) ? `The database went away during the start: ${rootCause(fault)}.` : undefined
}

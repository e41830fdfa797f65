import { isDatabaseAway } from './platform/database/database-away.ts'
import { rootCause } from './platform/observability/root-cause.ts'
import { CannotStart } from './platform/process/cannot-start.ts'

/** The sentence for an operator if a start failed for an external reason; undefined for an error of ours. */
export const refusalOf = (fault: unknown): string | undefined => {
  if (fault instanceof CannotStart) return fault.message
  return isDatabaseAway(fault) ? `The database went away during the start: ${rootCause(fault)}.` : undefined
}

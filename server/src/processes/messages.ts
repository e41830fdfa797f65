import type { ProcessCounts } from '../platform/process/process-counts.ts'
import type { Service } from '../service.ts'

/** The state that a process reports. */
export type Serves = Pick<Service, 'address' | 'postgresVersion' | 'videoTool' | 'walls'>

/** From the supervisor to one of its processes; a signal tells it to stop for good, as with any process. */
export type ToProcess = { afterglow: 'hand over' } | { afterglow: 'places'; places: ProcessCounts }
/** A `CannotStart` sentence refuses the start. */
export type ToSupervisor = { afterglow: 'serves'; serves: Serves } | { afterglow: 'refused'; sentence: string }

export const isOurs = (message: unknown): message is { afterglow: string } =>
  typeof message === 'object' && message !== null && 'afterglow' in message

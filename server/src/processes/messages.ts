import type { Places } from '../platform/process/places.ts'
import type { Service } from '../service.ts'

/** What a process reports about its state. */
export type Serves = Pick<Service, 'address' | 'postgresVersion' | 'videoTool' | 'walls'>

/** From the supervisor to one of its processes; a signal tells it to stop for good, as with any process. */
export type ToProcess = { afterglow: 'hand over' } | { afterglow: 'places'; places: Places }
/** A start is refused with the sentence of a CannotStart. */
export type ToSupervisor = { afterglow: 'serves'; serves: Serves } | { afterglow: 'refused'; sentence: string }

export const isOurs = (message: unknown): message is { afterglow: string } =>
  typeof message === 'object' && message !== null && 'afterglow' in message

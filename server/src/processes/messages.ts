import type { Service } from '../service.ts'

/** What a process says of how it serves. */
export type Serves = Pick<Service, 'address' | 'postgresVersion' | 'videoTool' | 'walls'>

/** From the supervisor to one of its processes; to stop for good is told by a signal, as to every process. */
export type ToProcess = { afterglow: 'hand over' }
/** A start is refused by the sentence of a CannotStart. */
export type ToSupervisor = { afterglow: 'serves'; serves: Serves } | { afterglow: 'refused'; sentence: string }

export const isOurs = (message: unknown): message is { afterglow: string } =>
  typeof message === 'object' && message !== null && 'afterglow' in message

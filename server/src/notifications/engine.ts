import { acknowledgeSeconds } from '@afterglow/contract/realtime'
import type { Logger } from 'pino'
import type { Database } from '../platform/database/database.ts'
import type { Task } from '../platform/jobs/jobs.ts'
import type { Push } from '../platform/push/senders.ts'
import { openClearing } from './delivery/clearing.ts'
import { openPushing } from './delivery/push-job.ts'
import { ringsPerHourDefault } from './delivery/ring-budget.ts'
import { openRolling } from './delivery/rolling-notification.ts'
import { type ActiveDevices, openRouting } from './delivery/routing.ts'
import type { AreAcquainted, BlockedWith, HoldEvents, NoticeTemplates, PicturesOf } from './notices.ts'
import { openNotificationWriter } from './notification-writer.ts'

/** How long things wait. Tests shorten it; the running service does not. */
export type Timing = {
  acknowledgeMs: number
  ringAgainMs: number
  pushRetryMs: number
  gatherMs: number
  restsFor: number
  /** The default for the maximum rings per hour. */
  ringsPerHour: number
}

export type EngineOptions = {
  /** Connections apart from those that serve requests: these never wait for notifications. */
  db: Database
  noticing: NoticeTemplates
  blockedWith: BlockedWith
  areAcquainted: AreAcquainted
  holdEvents: HoldEvents
  activeDevices: ActiveDevices
  push: Pick<Push, 'send' | 'clear' | 'ways' | 'laneOf'>
  picturesOf: PicturesOf
  /** A notification that an app does not acknowledge is sent as a push as well. */
  strict: boolean
  timing?: Partial<Timing>
  log: Pick<Logger, 'warn'>
}

/** Everything between a change and the device on which it rings. `tasks` are for the job queue. */
export const openNotifications = (options: EngineOptions) => {
  const { push } = options
  const timing = {
    acknowledgeMs: acknowledgeSeconds * 1000,
    ringAgainMs: 10_000,
    ringsPerHour: ringsPerHourDefault,
    ...options.timing,
  }
  const routing = openRouting({
    ...options,
    pushTo: push.ways,
    laneOf: push.laneOf,
    acknowledgeMs: timing.acknowledgeMs,
    ringsPerHour: timing.ringsPerHour,
  })
  const { ringAgainMs, gatherMs, restsFor } = timing
  const notifying = openNotificationWriter({ ...options, ringAgainMs, gatherMs, restsFor })
  const tasks: Record<string, Task> = {
    ring: routing.ring,
    escalate: routing.escalate,
    endQuiet: routing.endQuiet,
    roll: openRolling(options),
    clear: openClearing(options),
    push: openPushing({ ...options, retryMs: timing.pushRetryMs }),
  }
  return { tasks, close: notifying.close }
}

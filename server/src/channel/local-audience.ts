import type { ChangeScope } from '../log/changes-sql.ts'
import type { Database } from '../platform/database/database.ts'
import type { Membership } from './payloads.ts'
import type { Sockets } from './sockets.ts'

/**
 * Which people and events somebody connected here may hear: never too few. Events are read when somebody connects,
 * after the position from which they will be told, and those they enter later are in the log. Events they left stay
 * until their last socket closes: recipients are decided separately.
 */
export const openLocalAudience = (
  db: Database,
  eventsOfMembers: Membership['eventsOfMembers'],
  sockets: Pick<Sockets, 'hasUser'>,
) => {
  const eventsOf = new Map<number, Set<number>>()
  const listeners = new Map<number, number>()

  const enter = (userId: number, eventId: number) => {
    const events = eventsOf.get(userId)
    if (!events || events.has(eventId)) return
    events.add(eventId)
    listeners.set(eventId, (listeners.get(eventId) ?? 0) + 1)
  }

  return {
    /** The people and events concerned that have a listener in this process. */
    heardOf: ({ events, users }: ChangeScope): ChangeScope => ({
      events: events.filter(id => listeners.has(id)),
      users: users.filter(sockets.hasUser),
    }),
    enter,
    /** Adds somebody who connects: everything is read anew, also for those already here. */
    async admit(userIds: readonly number[]) {
      const rows = await eventsOfMembers(db, userIds)
      for (const userId of userIds) if (!eventsOf.has(userId)) eventsOf.set(userId, new Set())
      for (const { userId, eventId } of rows) enter(userId, eventId)
    },
    /** Removes those of them without a socket here. */
    release(userIds: readonly number[]) {
      for (const userId of userIds) {
        if (sockets.hasUser(userId)) continue
        for (const eventId of eventsOf.get(userId) ?? []) {
          const others = (listeners.get(eventId) ?? 1) - 1
          if (others > 0) listeners.set(eventId, others)
          else listeners.delete(eventId)
        }
        eventsOf.delete(userId)
      }
    },
  }
}

export type LocalAudience = ReturnType<typeof openLocalAudience>

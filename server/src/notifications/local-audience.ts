import type { Database } from '../platform/database/database.ts'
import type { Concerned } from './changes-store.ts'
import type { Membership } from './payloads.ts'
import type { Sockets } from './sockets.ts'

/**
 * Of whom and of which events somebody connected here hears: never too little. Events are read when somebody comes, after
 * the place from which on they are told, and what they enter later stands in the log. Those that they left stay until
 * their last socket closes: who is told what is decided apart.
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
    /** Of what these changes concern, what is heard of here. */
    heardOf: ({ events, users }: Concerned): Concerned => ({
      events: events.filter(id => listeners.has(id)),
      users: users.filter(sockets.hasUser),
    }),
    enter,
    /** Who comes in: everything is read anew, also for those who are here already. */
    async admit(userIds: readonly number[]) {
      const rows = await eventsOfMembers(db, userIds)
      for (const userId of userIds) if (!eventsOf.has(userId)) eventsOf.set(userId, new Set())
      for (const { userId, eventId } of rows) enter(userId, eventId)
    },
    /** Forgets those of them who have no socket here. */
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

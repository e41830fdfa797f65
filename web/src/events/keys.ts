/* The query keys of events. */

export const filters = ['upcoming', 'hosting', 'past', 'public'] as const
export type Filter = (typeof filters)[number]

/** Shown below what one hosts, not as a list of its own. */
export type Listed = Filter | 'deleted'

export const eventsKey = (filter?: Listed) => (filter ? (['events', filter] as const) : (['events'] as const))
export const eventKey = (id: number) => ['event', id] as const
export const guestsKey = (eventId: number) => ['guests', eventId] as const
export const requestsKey = (eventId: number) => ['join-requests', eventId] as const
export const returnsKey = (eventId: number) => ['returns', eventId] as const
export const announcementsKey = (eventId: number) => ['announcements', eventId] as const
export const invitationsKey = ['invitations'] as const
/** What waits for an organizer, across events. */
export const waitingListKey = ['waiting'] as const
export const logKey = (eventId: number) => ['log', eventId] as const

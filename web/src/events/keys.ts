/* The query keys of events. */

export const filters = ['upcoming', 'hosting', 'past', 'public'] as const
export type Filter = (typeof filters)[number]

export const eventsKey = (filter?: Filter) => (filter ? (['events', filter] as const) : (['events'] as const))
export const eventKey = (id: number) => ['event', id] as const
export const guestsKey = (eventId: number) => ['guests', eventId] as const
export const requestsKey = (eventId: number) => ['join-requests', eventId] as const
export const announcementsKey = (eventId: number) => ['announcements', eventId] as const
export const invitationsKey = ['invitations'] as const
export const logKey = (eventId: number) => ['log', eventId] as const

/* What photos are loaded under. */

export const photosKey = (eventId?: number) =>
  eventId === undefined ? (['photos'] as const) : (['photos', eventId] as const)
export const photoKey = (id?: string) => (id === undefined ? (['photo'] as const) : (['photo', id] as const))

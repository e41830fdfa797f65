import { hrefOf } from '../app/router/router.tsx'

/** The album of an event as far as it is one person's: all that somebody who only adds photos may see. */
export const ownPhotos = (eventId: number, userId: number) =>
  hrefOf({ to: '/events/:eventId/photos', params: { eventId }, search: { by: userId } })

import { hrefOf } from '../app/router/router.tsx'

/** One person's photos in an event: all that a guest who only adds photos may see. */
export const ownPhotos = (eventId: number, userId: number) =>
  hrefOf({ to: '/events/:eventId/photos', params: { eventId }, search: { by: userId } })

import type { Event } from '../../events/queries.ts'
import type { Photo } from '../queries.ts'

/** Whoever does not see the album reads what is said of their own photos, if they are in the event. */
export const readsComments = ({ extra: { may } }: Event, photo: Photo) =>
  may.browse || (may.read && photo.extra.may.update)

import type { Event } from '../../events/queries.ts'
import type { Photo } from '../queries.ts'

/** Members who do not see the album still read the comments on their own photos. */
export const readsComments = ({ extra: { may } }: Event, photo: Photo) =>
  may.browse || (may.read && photo.extra.may.update)

import type { Event } from '../../events/queries.ts'
import type { Photo } from '../queries.ts'

/** Members who do not see the album, and people who only add photos, read the comments on their own. */
export const readsComments = ({ extra: { may } }: Event, photo: Photo) => may.browse || photo.extra.may.update

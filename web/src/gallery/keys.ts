import type { PhotoFilter } from './photo-filter.ts'

/* The query keys of photos. */

export const photosKey = (eventId?: number, { sort = 'newest', by, from, few }: PhotoFilter = {}) => {
  if (eventId === undefined) return ['photos'] as const
  if (sort === 'newest' && by === undefined && from === undefined && few === undefined)
    return ['photos', eventId] as const
  const asked = {
    sort,
    ...(by !== undefined && { by }),
    ...(from !== undefined && { from }),
    ...(few !== undefined && { few }),
  }
  return ['photos', eventId, asked] as const
}
/** The few most liked photos of an event. */
export const lovedMax = 4
export const mostLoved = { sort: 'most_liked', few: lovedMax } as const
export const lovedKey = (eventId: number) => photosKey(eventId, mostLoved)
export const photoKey = (id?: string) => (id === undefined ? (['photo'] as const) : (['photo', id] as const))
export const likesKey = (photoId: string) => ['likes', photoId] as const
export const commentsKey = (photoId?: string) =>
  photoId === undefined ? (['comments'] as const) : (['comments', photoId] as const)
export const repliesKey = (commentId?: number) =>
  commentId === undefined ? (['replies'] as const) : (['replies', commentId] as const)
export const timelineKey = (eventId: number) => ['timeline', eventId] as const
export const waitingKey = (eventId: number) => ['waiting-photos', eventId] as const
export const deletedKey = (eventId: number) => ['deleted-photos', eventId] as const

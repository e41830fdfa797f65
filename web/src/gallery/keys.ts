import type { Showing } from './showing.ts'

/* What photos are loaded under. */

export const photosKey = (eventId?: number, { sort, by }: Showing = {}) => {
  if (eventId === undefined) return ['photos'] as const
  if ((sort === undefined || sort === 'newest') && by === undefined) return ['photos', eventId] as const
  return ['photos', eventId, { sort: sort ?? 'newest', ...(by !== undefined && { by }) }] as const
}
export const photoKey = (id?: string) => (id === undefined ? (['photo'] as const) : (['photo', id] as const))
export const likesKey = (photoId: string) => ['likes', photoId] as const
export const commentsKey = (photoId?: string) =>
  photoId === undefined ? (['comments'] as const) : (['comments', photoId] as const)
export const repliesKey = (commentId?: number) =>
  commentId === undefined ? (['replies'] as const) : (['replies', commentId] as const)
export const deletedKey = (eventId: number) => ['deleted-photos', eventId] as const

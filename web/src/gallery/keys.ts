/* What photos are loaded under. */

export const sorts = ['newest', 'oldest', 'taken_newest', 'taken_oldest'] as const
export type Sort = (typeof sorts)[number]
/** Which photos of an album, in which order; without both all of them, the newest first. */
export type Showing = { sort?: Sort; by?: number }

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

/** What an address asks to be shown; anything else than the choices of the page is left out. */
export const showingOf = ({ sort, by }: Record<string, unknown>): Showing => {
  const found = sorts.find(each => each === sort)
  const person = Number(by)
  return {
    ...(found && found !== 'newest' && { sort: found }),
    ...(Number.isSafeInteger(person) && person > 0 && { by: person }),
  }
}

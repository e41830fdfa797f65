export const sorts = ['newest', 'oldest', 'taken_newest', 'taken_oldest'] as const
export type Sort = (typeof sorts)[number]
/** Which photos of an album, in which order; without both all of them, the newest first. */
export type Showing = { sort?: Sort; by?: number }

/** What an address asks to be shown; anything else than the choices of the page is left out. */
export const showingOf = ({ sort, by }: Record<string, unknown>): Showing => {
  const found = sorts.find(each => each === sort)
  const person = Number(by)
  return {
    ...(found && found !== 'newest' && { sort: found }),
    ...(Number.isSafeInteger(person) && person > 0 && { by: person }),
  }
}

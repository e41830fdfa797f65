export const sorts = ['newest', 'oldest', 'taken_newest', 'taken_oldest', 'most_liked'] as const
export type Sort = (typeof sorts)[number]
/**
 * Which photos of an album, in which order, from which page on; by default every photo, newest first. Addresses:
 * own-sort.ts. `few`: so many at a time, instead of a whole page.
 */
export type Showing = { sort?: Sort; by?: number; from?: number; few?: number }

const whole = (value: unknown, least: number) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number >= least ? number : undefined
}

/** The view that an address requests; anything but the page's own options is ignored. */
export const showingOf = ({ sort, by, from }: Record<string, unknown>): Showing => {
  const found = sorts.find(each => each === sort)
  const [person, page] = [whole(by, 1), whole(from, 2)]
  return {
    ...(found && { sort: found }),
    ...(person !== undefined && { by: person }),
    ...(page !== undefined && { from: page }),
  }
}

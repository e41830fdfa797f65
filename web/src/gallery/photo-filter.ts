export const sorts = ['newest', 'oldest', 'taken_newest', 'taken_oldest', 'most_liked'] as const
export type Sort = (typeof sorts)[number]
/**
 * The choice of an album's photos, their order, and the first page; by default every photo, newest first. Addresses:
 * own-sort.ts. `few`: so many at a time, instead of a whole page.
 */
export type PhotoFilter = { sort?: Sort; by?: number; from?: number; few?: number }

const whole = (value: unknown, least: number) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number >= least ? number : undefined
}

/** The view in an address; anything but the page's own options is ignored. */
export const showingOf = ({ sort, by, from }: Record<string, unknown>): PhotoFilter => {
  const found = sorts.find(each => each === sort)
  const [person, page] = [whole(by, 1), whole(from, 2)]
  return {
    ...(found && { sort: found }),
    ...(person !== undefined && { by: person }),
    ...(page !== undefined && { from: page }),
  }
}

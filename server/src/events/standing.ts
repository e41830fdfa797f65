/*
 * Roles in an event, and what is hidden from whom. standing-sql.ts says the same in SQL, and standing.test.ts compares
 * the two.
 */

/** A viewer's standing in an event. The view `standings` defines it in SQL, where no row means none. */
export type Standing = 'organizer' | 'guest' | 'asked' | 'invited' | 'removed' | 'none'

export const isOrganizer = (standing: Standing) => standing === 'organizer'
export const isInEvent = (standing: Standing) => standing === 'guest' || standing === 'organizer'

/** What an organizer has hidden is visible only to its author and to organizers. */
export const isShownTo = (
  viewer: { id: number; standing: Standing },
  { hiddenAt, authorId }: { hiddenAt: Date | string | null; authorId: number | null },
) => hiddenAt === null || authorId === viewer.id || isOrganizer(viewer.standing)

/*
 * Who is what to an event, and what is hidden from whom. standing-sql.ts says the same in SQL, and standing.test.ts holds
 * one against the other.
 */

/** What a viewer is to an event; the view `standings` says it in SQL, and no row there means none. */
export type Standing = 'organizer' | 'guest' | 'asked' | 'invited' | 'removed' | 'none'

export const isOrganizer = (standing: Standing) => standing === 'organizer'
export const isInEvent = (standing: Standing) => standing === 'guest' || standing === 'organizer'

/** What an organizer hid is there for its author and for organizers only. */
export const isShownTo = (
  viewer: { id: number; standing: Standing },
  { hiddenAt, authorId }: { hiddenAt: Date | string | null; authorId: number | null },
) => hiddenAt === null || authorId === viewer.id || isOrganizer(viewer.standing)

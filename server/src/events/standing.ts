/** What a viewer is to an event; the view `standings` says it in SQL, and no row there means none. */
export type Standing = 'organizer' | 'guest' | 'asked' | 'invited' | 'removed' | 'none'

export const isOrganizer = (standing: Standing) => standing === 'organizer'
export const isInEvent = (standing: Standing) => standing === 'guest' || standing === 'organizer'

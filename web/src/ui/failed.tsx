import { later } from '../app/later.tsx'

/** What went wrong while loading, in human words, with a way on. Its code comes when something does. */
export const Failed = later(() => import('./failed-notice.tsx').then(({ Failed }) => Failed))

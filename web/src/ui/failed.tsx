import { later } from '../app/later.tsx'

/** A loading error in human words, with a way on. Its code is loaded when one occurs. */
export const Failed = later(() => import('./failed-notice.tsx').then(({ Failed }) => Failed))

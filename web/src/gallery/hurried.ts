import { openStore } from '../app/store.ts'

/*
 * Detects fast scrolling through an album. Photos that rush past are not looked at, and loading and drawing them would
 * take bandwidth and frames from those that are: until scrolling slows down, they are shown as colours.
 */
export const hurried = openStore(false)

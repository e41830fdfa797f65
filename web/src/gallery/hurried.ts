import { openStore } from '../app/store.ts'

/*
 * Whether somebody rushes through an album. What passes is not looked at, and loading and drawing it would take network
 * and frames from what is: until the page is slower, its photos are their colours.
 */
export const hurried = openStore(false)

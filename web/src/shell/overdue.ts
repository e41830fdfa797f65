import { openStore } from '../app/store.ts'

/** True if an item has waited for a minute despite a network. */
export const overdue = openStore(false)

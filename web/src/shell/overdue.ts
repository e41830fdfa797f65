import { openStore } from '../app/store.ts'

/** Whether something has waited for a minute although there is a network. */
export const overdue = openStore(false)

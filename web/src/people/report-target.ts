import { openStore } from '../app/store.ts'

/** The item about to be reported. */
export type Target = { type: 'user' | 'event' | 'message' | 'photo' | 'comment'; id: number }

export const reporting = openStore<Target | undefined>(undefined)

/** Asks for a reason, and then sends the report. */
export const askToReport = (type: Target['type'], id: number) => reporting.set({ type, id })

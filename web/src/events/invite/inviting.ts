import { openStore } from '../../app/store.ts'

type Inviting = { eventId: number; prints: boolean }

/** The event to which somebody invites. */
export const inviting = openStore<Inviting | undefined>(undefined)

/** Opens the one sheet by which people are invited, or its way to print. */
export const askToInvite = (eventId: number, prints = false) => inviting.set({ eventId, prints })

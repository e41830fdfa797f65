import { AfterglowError } from '@afterglow/sdk/methods'
import { openStore } from '../app/store.ts'
import { sayFailure } from './failure.ts'

/** Whether the service refused because this session has not recently confirmed whose it is. */
export const needsProof = (error: unknown) => error instanceof AfterglowError && error.code === proofNeeded
export const proofNeeded = 'proveFirst'

/** An action that waits until the person has confirmed who they are. */
export const proving = openStore<{ again(): void } | undefined>(undefined)

/** For actions on any page: where the service wants a recent confirmation, asks for it and repeats the action. */
export const proveOrSay = (error: unknown, again: () => void) => {
  if (needsProof(error)) proving.set({ again })
  else sayFailure(error)
}

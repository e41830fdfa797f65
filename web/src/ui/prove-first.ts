import { AfterglowError } from '@afterglow/sdk/methods'
import { openStore } from '../app/store.ts'
import { sayFailure } from './failure.ts'

/** True if the service refused because this session has not recently confirmed its user. */
export const needsProof = (error: unknown) => error instanceof AfterglowError && error.code === proofNeeded
export const proofNeeded = 'proveFirst'

/** An action that waits until the user has confirmed who they are. */
export const proving = openStore<{ again(): void } | undefined>(undefined)

/** For actions on any page: if the service requires a recent confirmation, asks for it and repeats the action. */
export const proveOrSay = (error: unknown, again: () => void) => {
  if (needsProof(error)) proving.set({ again })
  else sayFailure(error)
}

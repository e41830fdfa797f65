import { AfterglowError } from '@afterglow/sdk/methods'
import { sayFailure } from '../ui/failure.ts'

/** The service's refusal for a session that has not recently re-authenticated. */
export const proofNeeded = 'proveFirst'

export const needsProof = (error: unknown) => error instanceof AfterglowError && error.code === proofNeeded

/** For actions next to a Prove component, which handles that one refusal. */
export const sayOtherFailure = (error: unknown) => needsProof(error) || sayFailure(error)

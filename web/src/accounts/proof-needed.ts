import { AfterglowError } from '@afterglow/sdk/methods'
import { sayFailure } from '../ui/failure.ts'

/** How the service says to a session that it neither signed in nor confirmed its password of late. */
export const proofNeeded = 'proveFirst'

export const needsProof = (error: unknown) => error instanceof AfterglowError && error.code === proofNeeded

/** For acts beside which Prove stands, which takes that one failure up. */
export const sayOtherFailure = (error: unknown) => needsProof(error) || sayFailure(error)

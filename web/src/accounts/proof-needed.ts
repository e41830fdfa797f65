import { AfterglowError } from '@afterglow/sdk'
import { sayFailure } from '../ui/failing.ts'

/** How the service says to a session that it neither signed in nor confirmed its password of late. */
export const proofNeeded = 'Please confirm that'

export const needsProof = (error: unknown) => error instanceof AfterglowError && error.message.startsWith(proofNeeded)

/** For acts beside which Prove stands, which takes that one failure up. */
export const sayOtherFailure = (error: unknown) => needsProof(error) || sayFailure(error)

import { sayFailure } from '../ui/failure.ts'
import { needsProof } from '../ui/prove-first.ts'

/** For actions next to a Prove component, which handles that one refusal. */
export const sayOtherFailure = (error: unknown) => needsProof(error) || sayFailure(error)

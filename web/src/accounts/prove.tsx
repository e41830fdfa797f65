import { needsProof } from '../ui/prove-first.ts'
import { ProofDialog } from './proof-dialog.tsx'

type Act<Asked> = { error: unknown; variables: Asked | undefined; mutate(asked: Asked): void; reset(): void }

/** Accompanies an action that may require re-authentication: asks for it, and repeats the action. */
export const Prove = <Asked,>({ of }: { of: Act<Asked> }) =>
  needsProof(of.error) && <ProofDialog onProven={() => of.mutate(of.variables as Asked)} onClose={of.reset} />

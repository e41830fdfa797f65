import { overlay } from '../app/later.tsx'
import { needsProof } from './proof-needed.ts'

const ProofDialog = overlay(async () => (await import('./proof-dialog.tsx')).default)

type Act<Asked> = { error: unknown; variables: Asked | undefined; mutate(asked: Asked): void; reset(): void }

/** Stands beside an act that the service may want a proof for: asks for that, and does the act again. */
export const Prove = <Asked,>({ of }: { of: Act<Asked> }) =>
  needsProof(of.error) && <ProofDialog onProven={() => of.mutate(of.variables as Asked)} onClose={of.reset} />

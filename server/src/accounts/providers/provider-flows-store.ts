import type { Db, Transaction } from '../../platform/database/database.ts'
import { firstRow, run } from '../../platform/database/rows.ts'
import type { Identity } from './identities.ts'

export type StartedFlow = {
  type: number
  nonce: string
  codeVerifier: string
  redirectUri: string
  returnTo: string
  challenge: Buffer
}

export const saveFlow = (db: Db, stateHash: Buffer, flow: StartedFlow, minutes: number) =>
  run(db)`
    insert into provider_flows (state_hash, type, nonce, code_verifier, redirect_uri, return_to, challenge, expires_at)
    values (${stateHash}, ${flow.type}, ${flow.nonce}, ${flow.codeVerifier}, ${flow.redirectUri}, ${flow.returnTo},
      ${flow.challenge}, now() + make_interval(mins => ${minutes}))`

/** Takes the flow of a returning browser: no browser returns twice. */
export const takeFlow = (db: Db, stateHash: Buffer) => firstRow<StartedFlow>(db)`
    delete from provider_flows where state_hash = ${stateHash} and expires_at > now()
    returning type, nonce, code_verifier as "codeVerifier", redirect_uri as "redirectUri", return_to as "returnTo",
      challenge`

export const saveProof = (db: Db, codeHash: Buffer, challenge: Buffer, identity: Identity, minutes: number) =>
  run(db)`insert into provider_proofs
      (code_hash, challenge, type, issuer, subject, email, vouched, first_name, last_name, expires_at)
    values (${codeHash}, ${challenge}, ${identity.type}, ${identity.issuer}, ${identity.subject},
      ${identity.email ?? null}, ${identity.vouched}, ${identity.firstName ?? null}, ${identity.lastName ?? null},
      now() + make_interval(mins => ${minutes}))`

type ProofRow = Omit<Identity, 'email' | 'firstName' | 'lastName'> & {
  email: string | null
  firstName: string | null
  lastName: string | null
}

/**
 * Takes what a browser brought back. A code without its verifier takes nothing, so nobody can use up somebody else's.
 */
export const takeProof = async (
  tx: Transaction,
  codeHash: Buffer,
  challenge: Buffer,
): Promise<Identity | undefined> => {
  const row = await firstRow<ProofRow>(tx)`
    delete from provider_proofs where code_hash = ${codeHash} and challenge = ${challenge} and expires_at > now()
    returning type, issuer, subject, email, vouched, first_name as "firstName", last_name as "lastName"`
  if (!row) return undefined
  const { email, firstName, lastName, ...rest } = row
  return {
    ...rest,
    email: email ?? undefined,
    firstName: firstName ?? undefined,
    lastName: lastName ?? undefined,
  }
}

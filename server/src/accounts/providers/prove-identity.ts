import { sentence } from '@afterglow/contract/words'
import type { Transaction } from '../../platform/database/database.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { Identities, Identity } from './identities.ts'
import { redeem } from './provider-flows.ts'

/** A provider's ID token, or the code a browser brought back from one. */
export type Proof = {
  identifier: string | undefined
  idToken: string | undefined
  code: string | undefined
  verifier: string | undefined
  /** The provider, if one is named. */
  type: number | undefined
}

/** The identity that a provider's ID token proves. A token that proves nothing counts as an invalid password. */
export const provenBy = async (
  identities: Identities,
  type: number,
  { identifier, idToken }: Pick<Proof, 'identifier' | 'idToken'>,
): Promise<Identity> => {
  identities.providerOf(type)
  return (
    (await identities.prove({
      type,
      identifier: identifier ?? invalid('user_login_option_unique_identifier', sentence.required),
      idToken: idToken ?? invalid('user_password', sentence.required),
    })) ?? invalid('user_password', sentence.selected)
  )
}

/** A proven identity, within the transaction that acts on it. */
export type Proven = (tx: Transaction) => Promise<Identity>

/**
 * The same by either proof. An ID token is verified now, before any row is locked; a browser's code works once, if the
 * transaction commits, and if a type is named, it must match.
 */
export const provenByEither = async (identities: Identities, type: number, proof: Proof): Promise<Proven> => {
  const { code, verifier = '', type: named } = proof
  if (code === undefined) {
    const identity = await provenBy(identities, type, proof)
    return async () => identity
  }
  if (named !== undefined) identities.providerOf(named)
  return async tx => {
    const identity = await redeem(tx, { code, verifier })
    if (named !== undefined && identity.type !== named) invalid('user_login_option_type', sentence.selected)
    return identity
  }
}

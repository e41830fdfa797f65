import { sentence } from '@afterglow/contract/words'
import type { Transaction } from '../platform/database/database.ts'
import { invalid } from '../platform/http/refusals.ts'
import type { Identities, Identity } from './identities.ts'
import { redeem } from './provider-flows.ts'

/** An ID token of a provider, or what a browser came back with from one. */
export type Proof = {
  identifier: string | undefined
  idToken: string | undefined
  code: string | undefined
  verifier: string | undefined
  /** The provider, where one is named. */
  type: number | undefined
}

/** Who a provider's ID token proves somebody to be. A token that proves nothing is an invalid password. */
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

/** Who somebody has proven to be, within the transaction that acts on it. */
export type Proven = (tx: Transaction) => Promise<Identity>

/**
 * The same by either proof. An ID token is verified now, before any row is locked; what a browser came back with serves
 * once, if the transaction commits, and a type that is named must be its own.
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

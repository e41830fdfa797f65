import { createHash, randomBytes } from 'node:crypto'
import { sentence } from '@afterglow/contract/words'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { invalid, refuse } from '../../platform/http/refusals.ts'
import { nameOf } from '../../platform/openid/id-token.ts'
import { ProviderAway } from '../../platform/openid/published.ts'
import { type Identities, type Identity, identityOf, reached } from './identities.ts'
import * as store from './provider-flows-store.ts'

/*
 * A browser signs in with a provider in three steps: begin (we store state, nonce, our PKCE verifier, and the SHA-256
 * of a verifier that only the browser knows) → the provider sends it back to us (we exchange its code and store what
 * was proven) → finish (the browser posts our one-time code with its verifier). An attacker who lures another browser
 * through one of the steps gains nothing: they lack the code, or the other lacks the verifier.
 */

const flowMinutes = 10
const proofMinutes = 10

const newSecret = () => randomBytes(32).toString('base64url')
const sha256 = (text: string) => createHash('sha256').update(text).digest()

export type Beginning = { type: number; returnTo: string; challenge: string; redirectUri: string }

/**
 * Where to send the browser. Refuses a provider that does not support browsers, a return address that is not ours,
 * providerAway.
 */
export const beginFlow = async (db: Db, identities: Identities, asked: Beginning, clients: readonly string[]) => {
  const provider = identities.providerOf(asked.type)
  if (!provider.browser) invalid('user_login_option_type', sentence.selected)
  // An open redirect would hand the result to the author of the link.
  if (!clients.some(client => isBelow(client, asked.returnTo))) invalid('return_to', sentence.selected)
  const { type, redirectUri, returnTo } = asked
  const flow = { redirectUri, state: newSecret(), nonce: newSecret(), codeVerifier: newSecret() }
  const url = await reached(() => provider.send(flow))
  const challenge = Buffer.from(asked.challenge, 'base64url')
  await store.saveFlow(db, sha256(flow.state), { ...flow, type, returnTo, challenge }, flowMinutes)
  return url.href
}

/** A whole origin, or the path of one that the service has. */
const isBelow = (client: string, address: string) =>
  URL.canParse(address) && `${new URL(address).href}/`.startsWith(`${client}/`)

/** Where a browser continues, and with what: a one-time code, or the reason why there is none. */
export type Returned = { returnTo: string } & ({ code: string } | { error: string })

/** Handles a browser returning from the provider. Undefined for one that was not sent, or that is too late. */
export const returnFromProvider = async (
  db: Db,
  identities: Identities,
  returned: URLSearchParams,
): Promise<Returned | undefined> => {
  const state = returned.get('state') ?? ''
  const flow = await store.takeFlow(db, sha256(state))
  if (!flow) return undefined
  const result = await proofOf(identities, { ...flow, state }, returned)
  if (typeof result === 'string') return { returnTo: flow.returnTo, error: result }
  const code = newSecret()
  await store.saveProof(db, sha256(code), flow.challenge, result, proofMinutes)
  return { returnTo: flow.returnTo, code }
}

const proofOf = async (
  identities: Identities,
  flow: store.StartedFlow & { state: string },
  returned: URLSearchParams,
): Promise<Identity | 'denied' | 'failed' | 'away'> => {
  const provider = identities.providers.find(({ type }) => type === flow.type)
  if (!provider) return 'failed'
  try {
    const claims = await provider.receive(flow, returned)
    return typeof claims === 'string' ? claims : { ...identityOf(provider, named(claims, returned)) }
  } catch (fault) {
    if (fault instanceof ProviderAway) return 'away'
    throw fault
  }
}

/** Apple sends a name next to its ID token, the first time only. Nobody vouches for it, as for any name. */
const named = <Claims extends { firstName: string | undefined; lastName: string | undefined }>(
  claims: Claims,
  returned: URLSearchParams,
): Claims => {
  const told = readName(returned.get('user'))
  return { ...claims, firstName: claims.firstName ?? told.firstName, lastName: claims.lastName ?? told.lastName }
}

const readName = (json: string | null): { firstName?: string; lastName?: string } => {
  try {
    const { firstName, lastName } = JSON.parse(json ?? '').name
    const said = { firstName: nameOf(firstName), lastName: nameOf(lastName) }
    return { ...(said.firstName && { firstName: said.firstName }), ...(said.lastName && { lastName: said.lastName }) }
  } catch {
    return {}
  }
}

/** The identity belonging to a one-time code and its verifier. It works once, if the transaction commits. */
export const redeem = async (
  tx: Transaction,
  { code, verifier }: { code: string; verifier: string },
): Promise<Identity> => (await store.takeProof(tx, sha256(code), sha256(verifier))) ?? refuse('badProviderCode')

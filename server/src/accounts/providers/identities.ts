import { LoginOptionType } from '@afterglow/contract/accounts/account-fields'
import { ownAccount, userStatus } from '@afterglow/contract/accounts/user'
import type { Locale } from '@afterglow/contract/languages'
import { mailboxOf } from '@afterglow/contract/normalization'
import { sentence } from '@afterglow/contract/words'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { invalid, refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Claims } from '../../platform/openid/id-token.ts'
import type { Provider } from '../../platform/openid/provider.ts'
import { ProviderAway } from '../../platform/openid/published.ts'
import { requireProof } from '../proofs.ts'
import { mailAccountChange } from '../recovery/recovery.ts'
import * as store from '../store.ts'

/**
 * Proven identities at providers: issuer and subject, nothing else. The e-mail address is only what the provider calls
 * them by; no account is ever found by it.
 */
export type Identity = {
  type: number
  issuer: string
  subject: string
  email: string | undefined
  /** The provider vouches that the mailbox is theirs. */
  vouched: boolean
  firstName: string | undefined
  lastName: string | undefined
}

export const identityOf = ({ type, issuer, vouches }: Provider, claims: Claims): Identity => ({
  type,
  issuer,
  subject: claims.subject,
  email: claims.email && mailboxOf(claims.email),
  vouched: claims.email !== undefined && vouches(claims),
  firstName: claims.firstName,
  lastName: claims.lastName,
})

export type IdTokenProof = { type: number; identifier: string; idToken: string }

export type Identities = ReturnType<typeof openIdentities>

/** The providers of this service by type. */
export const openIdentities = (providers: readonly Provider[]) => {
  const byType = new Map(providers.map(provider => [provider.type, provider]))
  const labelOf = (type: number) => (type === ownAccount ? 'Afterglow' : (byType.get(type)?.name ?? 'OpenID'))
  /** Refuses a type that is not configured. */
  const providerOf = (type: number) => byType.get(type) ?? invalid('user_login_option_type', sentence.selected)

  return {
    providers,
    labelOf,
    providerOf,
    /** Refuses a valid type whose provider this service does not have. */
    demandType(type: unknown) {
      const named = LoginOptionType.safeParse(type).data
      if (named !== undefined && named !== ownAccount) providerOf(named)
    },
    /**
     * The identity that an app's ID token proves; undefined if it proves nothing, or a different identity than claimed.
     * Refuses a type that is not configured, and providerAway.
     */
    async prove({ type, identifier, idToken }: IdTokenProof): Promise<Identity | undefined> {
      const provider = providerOf(type)
      const claims = await reached(() => provider.read(idToken))
      return claims?.subject === identifier ? identityOf(provider, claims) : undefined
    },
  }
}

/** Runs something that needs a provider; refuses providerAway. */
export const reached = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
  try {
    return await ask()
  } catch (fault) {
    return fault instanceof ProviderAway ? refuse('providerAway') : Promise.reject(fault)
  }
}

/**
 * Adds a way to sign in, within the caller's transaction. Refuses an identity that belongs to another account, and a
 * second one of the same provider; an existing one stays.
 */
export const linkIdentity = async (
  tx: Transaction,
  userId: number,
  identity: Identity,
): Promise<{ added: boolean }> => {
  await store.lockUser(tx, userId)
  if (await store.insertIdentity(tx, userId, identity)) return { added: true }
  const owner = await store.findByIdentity(tx, identity)
  if (owner?.id === userId) return { added: false }
  if (owner) invalid('user_login_option_unique_identifier', sentence.taken)
  return refuse('otherIdentityLinked')
}

/** Links a provider for the viewer and notifies them by mail. */
export const linkForViewer = async (
  tx: Transaction,
  viewer: Viewer,
  identity: Identity,
  { label, language }: { label: string; language: Locale },
) => {
  const { status } = await store.readAccount(tx, viewer.id)
  if (status === userStatus.guest) refuse('claimFirst')
  await requireProof(tx, viewer)
  const { added } = await linkIdentity(tx, viewer.id, identity)
  if (added) await mailAccountChange(tx, viewer.id, { about: 'loginOptionAdded', provider: label }, language)
}

/** Removes a way to sign in; removing the local one removes the password. The last one stays. */
export const unlink = (db: Db, viewer: Viewer, type: number) =>
  transact(db, async tx => {
    await store.lockUser(tx, viewer.id)
    const { login_options: options } = await store.readAccount(tx, viewer.id)
    if (!options.some(option => option.type === type)) refuse('noSuchLoginOption')
    await requireProof(tx, viewer)
    if (options.length === 1) refuse('lastLoginOption')
    await store.removeLoginOption(tx, viewer.id, type)
  })

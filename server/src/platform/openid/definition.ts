import type { ClientAuth } from 'openid-client'
import type { ProviderSettings } from '../../settings/provider-settings.ts'
import { appleSecret } from './apple-secret.ts'
import { secretOr } from './client-secret.ts'
import type { Claims } from './id-token.ts'

/** An OpenID provider as this service uses it. */
export type Definition = {
  /** Its `user_login_option_type`. */
  type: number
  name: string
  /** Its keys and endpoints are published there. */
  issuer: string
  /** Every spelling of the issuer that its tokens may contain; all mean the first. */
  issuers: readonly string[]
  /** The audiences for which its tokens may be issued: our apps. The first is the web client's. */
  clientIds: readonly string[]
  /** How the web client's sign-in authenticates the service; null: apps bring ID tokens, browsers cannot use it. */
  clientAuth: ClientAuth | null
  scope: string
  /** Sent along when a browser starts. */
  parameters?: Record<string, string>
  /** Endpoints missing from its configuration. */
  endpoints?: { token_endpoint?: string }
  /** Tells whether its claim that an e-mail address is verified proves that the mailbox is this person's. */
  vouches(claims: Claims): boolean
}

const google = (settings: NonNullable<ProviderSettings['google']>): Definition => ({
  type: 2,
  name: 'Google',
  issuer: 'https://accounts.google.com',
  issuers: ['https://accounts.google.com', 'accounts.google.com'],
  clientIds: settings.clientIds,
  clientAuth: settings.clientSecret === null ? null : secretOr(settings.clientSecret),
  scope: 'openid email profile',
  // For any other mailbox, Google only knows that it once belonged to somebody.
  vouches: ({ email, emailVerified, hostedDomain }) =>
    emailVerified && (hostedDomain || /@g(oogle)?mail\.com$/i.test(email ?? '')),
})

const apple = (settings: NonNullable<ProviderSettings['apple']>): Definition => ({
  type: 3,
  name: 'Apple',
  issuer: 'https://appleid.apple.com',
  issuers: ['https://appleid.apple.com'],
  clientIds: settings.clientIds,
  clientAuth: settings.key && appleSecret(settings.key),
  scope: 'openid email name',
  // Apple answers with a form if asked for a name or an e-mail address.
  parameters: { response_mode: 'form_post' },
  vouches: ({ emailVerified }) => emailVerified,
})

const facebook = (settings: NonNullable<ProviderSettings['facebook']>): Definition => ({
  type: 4,
  name: 'Facebook',
  issuer: 'https://www.facebook.com',
  issuers: ['https://www.facebook.com'],
  clientIds: settings.clientIds,
  clientAuth: settings.clientSecret === null ? null : secretOr(settings.clientSecret),
  scope: 'openid email public_profile',
  endpoints: { token_endpoint: 'https://graph.facebook.com/oauth/access_token' },
  vouches: () => false,
})

const own = (settings: ProviderSettings['others'][number]): Definition => ({
  type: settings.type,
  name: settings.name,
  issuer: settings.issuer,
  issuers: [settings.issuer],
  clientIds: settings.clientIds,
  clientAuth: secretOr(settings.clientSecret),
  scope: 'openid email profile',
  // The operator chose it, with the people who run it.
  vouches: ({ emailVerified }) => emailVerified,
})

/** The configured providers, by ascending type. */
export const definitionsOf = ({ google: g, apple: a, facebook: f, others }: ProviderSettings): Definition[] => [
  ...(g ? [google(g)] : []),
  ...(a ? [apple(a)] : []),
  ...(f ? [facebook(f)] : []),
  ...others.map(own),
]

import { type ClientAuth, ClientSecretPost, None } from 'openid-client'

/**
 * A secret in the body, as Google and Facebook accept it; a provider without one treats us as a public client,
 * protected by PKCE alone.
 */
export const secretOr = (secret: string | null): ClientAuth => (secret === null ? None() : ClientSecretPost(secret))

import { type ClientAuth, ClientSecretPost, None } from 'openid-client'

/** A secret in the body, as Google and Facebook take it; a provider without one knows a public client, held by PKCE alone. */
export const secretOr = (secret: string | null): ClientAuth => (secret === null ? None() : ClientSecretPost(secret))

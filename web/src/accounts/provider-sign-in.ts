import { api } from '../app/client.ts'

/* The way to a provider and back: only the browser that went can finish, as only it knows the verifier. */

const place = 'afterglow.provider'
type Begun = { verifier: string; next: string | undefined }

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Leaves for the provider. */
export const beginWithProvider = async (type: number, next: string | undefined) => {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const { authorization_url } = await api.providers.beginProviderSignIn({
    user_login_option_type: type,
    return_to: `${location.origin}/sign-in/provider`,
    provider_challenge: base64url(new Uint8Array(digest)),
  })
  sessionStorage.setItem(place, JSON.stringify({ verifier, next } satisfies Begun))
  location.assign(authorization_url)
}

/** What the provider's answer brought back in the address, and what was kept here meanwhile. */
export const comeBack = (hash: string): { code?: string; problem?: string; verifier: string; next?: string } => {
  const said = new URLSearchParams(hash.replace(/^#/, ''))
  const { verifier, next } = JSON.parse(sessionStorage.getItem(place) ?? '{"verifier":""}') as Begun
  const [code, problem] = [said.get('provider_code'), said.get('provider_error')]
  return { verifier, ...(code && { code }), ...(problem && { problem }), ...(next && { next }) }
}

import { useEffect, useState } from 'react'
import { api } from '../../app/net/client.ts'
import { address, ours } from '../../app/public-path.ts'
import { base64url, newSecret } from '../../app/secret.ts'

/* The way to a provider and back: only the browser that started it can finish, because only it knows the verifier. */

const place = `${ours}.provider`
type Begun = { verifier: string; type?: number; next?: string | undefined }

/** Pages that a provider's answer returns to, each with its own continuation. */
export type ReturnPage = '/sign-in/provider' | '/settings/claim' | '/settings/account'

/** Redirects to the provider. */
export const beginWithProvider = async (type: number, { to, next }: { to: ReturnPage; next?: string | undefined }) => {
  const verifier = newSecret()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const { authorization_url } = await api.providers.beginProviderSignIn({
    user_login_option_type: type,
    return_to: address + to,
    provider_challenge: base64url(new Uint8Array(digest)),
  })
  sessionStorage.setItem(place, JSON.stringify({ verifier, next, type } satisfies Begun))
  location.assign(authorization_url)
}

export type CameBack = { proof?: Proof; problem?: 'denied' | 'failed'; type?: number; next?: string }
export type Proof = { provider_code: string; provider_verifier: string }

/** What the provider's answer brought back in the address, and what was stored here meanwhile. */
const comeBack = (hash: string): CameBack => {
  const said = new URLSearchParams(hash.replace(/^#/, ''))
  const [code, problem] = [said.get('provider_code'), said.get('provider_error')]
  if (!code && !problem) return {}
  const { verifier, next, type } = JSON.parse(sessionStorage.getItem(place) ?? '{"verifier":""}') as Begun
  return {
    ...(code ? { proof: { provider_code: code, provider_verifier: verifier } } : { problem: problemOf(problem) }),
    ...(type && { type }),
    ...(next && { next }),
  }
}

const problemOf = (problem: string | null) => (problem === 'denied' ? 'denied' : 'failed')

/** The same for a page; the code works once, so it does not stay in the history. */
export const useComeBack = (): CameBack => {
  const [back] = useState(() => comeBack(location.hash))
  useEffect(() => {
    if (back.proof ?? back.problem) history.replaceState(history.state, '', location.pathname)
  }, [back])
  return back
}

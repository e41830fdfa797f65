import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  ResponseBodyError,
} from 'openid-client'
import type { Definition } from './definition.ts'
import { type Claims, completedBy, readIdToken } from './id-token.ts'
import { openPublished, ProviderAway, type PublishedTiming } from './published.ts'

/** Connects the two ends of a browser's flow. It only leaves this server as far as the flow requires. */
export type Flow = { redirectUri: string; state: string; nonce: string; codeVerifier: string }

/** Why somebody returned without proof: by their own choice, or because what they brought is not accepted. */
export type NoProof = 'denied' | 'failed'

export type Provider = {
  type: number
  name: string
  issuer: string
  /** Browsers can be sent to it. */
  browser: boolean
  vouches(claims: Claims): boolean
  /** Verifies an app's ID token; undefined if it proves nothing. Throws ProviderAway. */
  read(idToken: string): Promise<Claims | undefined>
  /** The address that a browser signs in at. Throws ProviderAway. */
  send(flow: Flow): Promise<URL>
  /** Verifies the parameters that a browser returned with. Throws ProviderAway. */
  receive(flow: Flow, returned: URLSearchParams): Promise<Claims | NoProof>
}

export const openProvider = (definition: Definition, timing?: Partial<PublishedTiming>): Provider => {
  const { type, name, issuer, clientAuth, scope, parameters, vouches } = definition
  const published = openPublished(definition, timing)

  const read = async (idToken: string, nonce?: string) => {
    const { keys } = await published()
    return readIdToken(idToken, keys, { ...definition, nonce })
  }

  return {
    type,
    name,
    issuer,
    browser: clientAuth !== null,
    vouches,
    read: idToken => read(idToken),

    async send({ redirectUri, state, nonce, codeVerifier }) {
      const { configuration } = await published()
      return buildAuthorizationUrl(configuration, {
        ...parameters,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
    },

    async receive({ redirectUri, state, nonce, codeVerifier }, returned) {
      const { configuration } = await published()
      const address = new URL(redirectUri)
      address.search = returned.toString()
      try {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier }
        const { id_token, access_token } = await authorizationCodeGrant(configuration, address, checks)
        // The library trusts the connection; our rules for ID tokens apply here too.
        const claims = id_token && (await read(id_token, nonce))
        return claims ? await completed(claims, configuration, access_token) : 'failed'
      } catch (fault) {
        if (fault instanceof ProviderAway) throw fault
        if (fault instanceof AuthorizationResponseError) return fault.error === 'access_denied' ? 'denied' : 'failed'
        if (fault instanceof ResponseBodyError && fault.status < 500) return 'failed'
        if (isOutage(fault)) throw new ProviderAway('the provider cannot be reached', { cause: fault })
        return 'failed'
      }
    },
  }
}

/**
 * OpenID Core 5.4: by default a code flow's ID token has no e-mail and no name, and UserInfo has them. Of another
 * subject, or without an answer, it tells nothing: the person is known, and asked for what is missing.
 */
const completed = async (claims: Claims, configuration: Configuration, accessToken: string): Promise<Claims> => {
  const whole = claims.email !== undefined && claims.firstName !== undefined && claims.lastName !== undefined
  if (whole || !configuration.serverMetadata().userinfo_endpoint) return claims
  const told = await fetchUserInfo(configuration, accessToken, claims.subject).catch(() => undefined)
  return told ? completedBy(claims, told) : claims
}

const isOutage = (fault: unknown) => {
  const { code, cause } = fault as { code?: string; cause?: { status?: number } }
  return (
    code === 'OAUTH_TIMEOUT' ||
    // fetch rejects with a TypeError that says no more.
    (fault instanceof TypeError && code === undefined) ||
    (cause?.status ?? 0) >= 500 ||
    (fault instanceof ResponseBodyError && fault.status >= 500)
  )
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'
import { whenDone } from '../when-done.ts'

/** A person with an account at the provider. */
export type Person = {
  email?: string
  email_verified?: boolean
  name?: string
  given_name?: string
  family_name?: string
}

type Mood = 'well' | 'away' | 'hanging'
type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

export const web = { id: 'web-client', secret: 'a secret of the web client' }
export const phone = 'phone-app'

/** A signing key with its public part and its own name. */
export const newKey = async (kid: string, alg = 'RS256') => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const named = { kid, alg, use: 'sig' }
  return {
    kid,
    alg,
    privateKey,
    private: { ...(await exportJWK(privateKey)), ...named } as JWK,
    public: { ...(await exportJWK(publicKey)), ...named } as JWK,
  }
}
export type Key = Awaited<ReturnType<typeof newKey>>

/** A real OpenID provider on loopback, whose users sign in without a prompt and whose signing key can be replaced. */
export const openIssuer = async () => {
  const people = new Map<string, Person>()
  let key = await newKey('first')
  let mood: Mood = 'well'
  let who: string | undefined
  let toldOf: string | undefined
  let redirectUri = 'http://127.0.0.1/'
  let provider: Provider
  let serve: Handler
  const asked: string[] = []

  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (mood === 'hanging') return
    if (mood === 'away') return void response.writeHead(503).end()
    if (toldOf && request.url === '/me')
      return void response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ sub: toldOf, email: 'another@club.example', email_verified: true }))
    if (!request.url?.startsWith('/interaction/')) return void serve(request, response)
    const result = who === undefined ? { error: 'access_denied' } : { login: { accountId: who } }
    void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const open = () => {
    provider = new Provider(issuer, {
      clients: [
        {
          client_id: web.id,
          client_secret: web.secret,
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: 'client_secret_post',
        },
        {
          client_id: phone,
          redirect_uris: ['party.example:/back'],
          application_type: 'native',
          token_endpoint_auth_method: 'none',
        },
      ],
      jwks: { keys: [key.private] },
      cookies: { keys: ['a key for cookies'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 60, Session: 600 },
      findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      async loadExistingGrant({ oidc }: typeof Provider.context) {
        const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })
    serve = provider.callback()
  }
  open()

  whenDone(() => {
    server.closeAllConnections()
    return new Promise(resolve => server.close(resolve))
  })

  return {
    issuer,
    people,
    /** The requested paths. */
    asked,
    key: () => key,
    /** Settings that register it with the service, as type 10. */
    env: {
      OPENID_10_ISSUER: issuer,
      OPENID_10_NAME: 'The club',
      OPENID_10_CLIENT_IDS: `${web.id},${phone}`,
      OPENID_10_CLIENT_SECRET: web.secret,
    },
    /** Allows redirects to this service from now on. */
    returnsTo(appUrl: string) {
      redirectUri = `${appUrl}/api/account/provider/callback`
      open()
    },
    /** The next browser signs in as this person; undefined: they decline. */
    signedInAs(subject: string | undefined) {
      who = subject
    },
    /** UserInfo answers with this subject for every token; undefined: as it should. */
    tellsOf(subject: string | undefined) {
      toldOf = subject
    },
    is(next: Mood) {
      mood = next
    },
    /** Signs with another key from now on, and no longer publishes the previous one. */
    async rotate(kid: string) {
      key = await newKey(kid)
      open()
    },
    /** An ID token for the phone app, modified as a test needs. */
    async idToken(subject: string, claims: JWTPayload = {}, by: { key?: Key; header?: Record<string, unknown> } = {}) {
      const { key: signing = key, header = {} } = by
      const now = Math.floor(Date.now() / 1000)
      return new SignJWT({ iss: issuer, sub: subject, aud: phone, iat: now, exp: now + 600, ...claims })
        .setProtectedHeader({ alg: signing.alg, kid: signing.kid, ...header })
        .sign(signing.privateKey, { crit: { 'urn:unheard-of': true } })
    },
  }
}

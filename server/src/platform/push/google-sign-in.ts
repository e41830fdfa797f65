import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { CannotStart } from '../process/cannot-start.ts'
import { cacheUntilExpiry, type Expiring, type Kept } from './expiring-value.ts'
import { type Answer, type Http2Options, openHttp2Origin } from './http2-origin.ts'
import { type Outcome, outcomeOfFault, outcomeOfStatus } from './outcome.ts'

export type ServiceAccount = {
  projectId: string
  email: string
  keyId: string | undefined
  key: KeyObject
  tokenUrl: URL
}

/** Either the credentials for sending, or why nothing can be sent. */
export type Access = Expiring & ({ token: string } | { outcome: Outcome })

const who = 'googleSignIn'
const scope = 'https://www.googleapis.com/auth/firebase.messaging'
/** A token is replaced this long before it expires, so that none expires in transit. */
const renewBeforeMs = 5 * 60_000
/** How long a failed sign-in is remembered, or each of a thousand pushes would retry it. */
const failureKeptMs = 5_000

const serviceAccountShape = z.object({
  project_id: z.string().regex(/^[\w:.-]+$/),
  client_email: z.string().min(1),
  private_key_id: z.string().optional(),
  private_key: z.string(),
  token_uri: z.url({ protocol: /^https$/ }).default('https://oauth2.googleapis.com/token'),
})

/** Reads the service account JSON from the Firebase console. Throws CannotStart, without quoting any of it. */
export function readServiceAccount(json: string): ServiceAccount {
  try {
    const account = serviceAccountShape.parse(JSON.parse(json))
    const key = createPrivateKey(account.private_key)
    if (key.asymmetricKeyType !== 'rsa') throw new Error('no RSA key')
    return {
      projectId: account.project_id,
      email: account.client_email,
      keyId: account.private_key_id,
      key,
      tokenUrl: new URL(account.token_uri),
    }
  } catch {
    throw new CannotStart('The FCM service account cannot be used: give the JSON file that the Firebase console made.')
  }
}

/** Signs in with the service account when a token is needed, once for all who are waiting. */
export function openGoogleSignIn(account: ServiceAccount, connection: Http2Options): Kept<Access> & { close(): void } {
  const google = openHttp2Origin(account.tokenUrl.origin, connection)
  return { ...cacheUntilExpiry(signIn), close: () => google.close() }

  async function signIn(): Promise<Access> {
    const failed = (outcome: Outcome) => ({ outcome, until: performance.now() + failureKeptMs })
    try {
      const answer = await askForToken()
      const granted = answer.status === 200 ? tokenShape.safeParse(answer.json).data : undefined
      if (!granted) return failed(outcomeOfRefusal(answer))
      const ms = granted.expires_in * 1000
      return { token: granted.access_token, until: performance.now() + Math.max(ms - renewBeforeMs, ms / 2) }
    } catch (fault) {
      return failed(outcomeOfFault(who, fault))
    }
  }

  async function askForToken(): Promise<Answer> {
    const { email, keyId, key, tokenUrl } = account
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId && { kid: keyId }) })
      .setIssuer(email)
      .setAudience(tokenUrl.href)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(key)
    const form = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return await google.post(tokenUrl.pathname + tokenUrl.search, headers, form.toString())
  }
}

const tokenShape = z.object({ access_token: z.string().min(1), expires_in: z.number().positive().default(3600) })

/**
 * Google answers 400 if the account, its key or our clock is wrong; a 200 without a token is another kind of problem.
 */
function outcomeOfRefusal({ status, retryAfter }: Answer): Outcome {
  const credentials = status >= 400 && status < 500 && status !== 408 && status !== 429
  return outcomeOfStatus(who, credentials ? 401 : status === 200 ? 502 : status, retryAfter)
}

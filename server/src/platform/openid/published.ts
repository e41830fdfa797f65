import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { allowInsecureRequests, Configuration, discovery } from 'openid-client'
import type { Definition } from './definition.ts'

/** The provider cannot be reached, or its answer cannot be read. */
export class ProviderAway extends Error {}

/** A provider's published endpoints, with us as their client, and its keys. */
export type PublishedProvider = { configuration: Configuration; keys: JWTVerifyGetKey }

export type PublishedTiming = {
  timeoutMs: number
  /** How long endpoints and keys are cached. */
  keptMs: number
  /**
   * An unknown key makes us ask again, at most this often: a flood of forged tokens must not become one of requests.
   */
  cooldownMs: number
  /** How long a failure is remembered; otherwise every sign-in meanwhile would wait for the timeout. */
  failureKeptMs: number
}

const usual: PublishedTiming = { timeoutMs: 5_000, keptMs: 10 * 60_000, cooldownMs: 30_000, failureKeptMs: 5_000 }

/** Fetches a provider's published configuration on demand. Throws ProviderAway. */
export const openPublished = (definition: Definition, timing: Partial<PublishedTiming> = {}) => {
  const { timeoutMs, keptMs, cooldownMs, failureKeptMs } = { ...usual, ...timing }
  const asking = guarded(failureKeptMs)
  let known: (PublishedProvider & { until: number }) | undefined
  let discovering: Promise<PublishedProvider> | undefined

  const keysAt = (url: string): JWTVerifyGetKey => {
    const reload = guarded(failureKeptMs)
    return createRemoteJWKSet(new URL(url), {
      timeoutDuration: timeoutMs,
      cacheMaxAge: keptMs,
      cooldownDuration: cooldownMs,
      [customFetch]: (at, options) =>
        reload(async () => {
          const reply = await fetch(at, options)
          const text = await reply.text()
          if (reply.status !== 200) throw new Error(`its keys answered ${reply.status}`)
          JSON.parse(text)
          return new Response(text, { status: 200 })
        }),
    })
  }

  const discover = async (): Promise<PublishedProvider> => {
    const configuration = await discoverConfiguration(definition, timeoutMs)
    const { jwks_uri } = configuration.serverMetadata()
    if (!jwks_uri) throw new Error('it publishes no keys')
    const sameKeys = known?.configuration.serverMetadata().jwks_uri === jwks_uri && known.keys
    known = { configuration, keys: sameKeys || keysAt(jwks_uri), until: performance.now() + keptMs }
    return known
  }

  return async (): Promise<PublishedProvider> => {
    if (known && performance.now() < known.until) return known
    discovering ??= asking(discover).finally(() => {
      discovering = undefined
    })
    // Endpoints hardly ever change: the cached ones are used until it answers again. Keys have a time of their own.
    return discovering.catch(fault => known ?? Promise.reject(fault))
  }
}

const discoverConfiguration = async (definition: Definition, timeoutMs: number) => {
  const { issuer, clientIds, clientAuth, endpoints } = definition
  const [clientId = ''] = clientIds
  const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : []
  const auth = clientAuth ?? undefined
  const found = await discovery(new URL(issuer), clientId, undefined, auth, {
    execute: insecure,
    timeout: timeoutMs / 1000,
  })
  if (!endpoints) return found
  const { supportsPKCE, ...published } = found.serverMetadata()
  const completed = new Configuration({ ...published, ...endpoints }, clientId, undefined, auth)
  completed.timeout = timeoutMs / 1000
  for (const allow of insecure) allow(completed)
  return completed
}

/** Turns every error into ProviderAway, which is then remembered for a while without asking. */
const guarded = (failureKeptMs: number) => {
  let failed: { fault: ProviderAway; until: number } | undefined
  return async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    if (failed && performance.now() < failed.until) throw failed.fault
    try {
      return await ask()
    } catch (cause) {
      failed = {
        fault: new ProviderAway('the provider cannot be reached', { cause }),
        until: performance.now() + failureKeptMs,
      }
      throw failed.fault
    }
  }
}

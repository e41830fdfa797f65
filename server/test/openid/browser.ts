import { createHash, randomBytes } from 'node:crypto'
import type { TestApp } from '../app.ts'

/** A browser that keeps cookies and follows redirects until it reaches a page of the web client. */
export const openBrowser = () => {
  const cookies = new Map<string, Map<string, string>>()
  const jarOf = (url: URL) => cookies.get(url.host) ?? cookies.set(url.host, new Map()).get(url.host)

  return async (from: string, until: string): Promise<URL> => {
    let url = new URL(from)
    for (let hops = 0; hops < 15; hops++) {
      const jar = jarOf(url)
      const cookie = [...(jar ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
      const reply = await fetch(url, { redirect: 'manual', headers: { cookie } })
      for (const set of reply.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        jar?.set(name, value)
      }
      const location = reply.headers.get('location')
      if (!location) throw new Error(`${url.pathname} answered ${reply.status}: ${await reply.text()}`)
      url = new URL(location, url)
      if (url.href.startsWith(until)) return url
    }
    throw new Error('sent around in circles')
  }
}

export const device = { device_id: 'a browser', user_timezone: 'Europe/Madrid', user_device_platform: 'web' }

export const newVerifier = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Goes to the provider and back; returns the browser's final state. */
export const visit = async (app: Pick<TestApp, 'url' | 'as'>, browse = openBrowser(), type = 10) => {
  const { verifier, challenge } = newVerifier()
  const return_to = `${app.url}/signed-in`
  const { authorization_url } = await app
    .as()
    .providers.beginProviderSignIn({ user_login_option_type: type, return_to, provider_challenge: challenge })
  const back = await browse(authorization_url, return_to)
  const told = new URLSearchParams(back.hash.slice(1))
  const error = told.get('provider_error')
  return { authorization_url, back, error, provider_code: told.get('provider_code') ?? '', provider_verifier: verifier }
}

/** Signs in by the provider as a browser does. */
export const signInByBrowser = async (app: Pick<TestApp, 'url' | 'as'>, more: Record<string, string> = {}) => {
  const { provider_code, provider_verifier } = await visit(app)
  return app.as().providers.finishProviderSignIn({ provider_code, provider_verifier, ...device, ...more })
}

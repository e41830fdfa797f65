import { AfterglowError, afterglow } from '@afterglow/sdk'
import { address } from '../public-path.ts'
import { bearer, endIfStill } from '../session.ts'
import { localeIn } from '../words.ts'
import { channelStart } from './channel-start.ts'
import { reached, unreachable } from './network.ts'
import { explained } from './refusal-message.ts'

/** Nothing is loaded before the cursor to continue from is known. */
const load = async (url: string, init: RequestInit) => {
  await channelStart.get()
  return fetch(url, init)
}

/** A request without a file arrives even if its page is being left. */
const send = (url: string, init: RequestInit) =>
  fetch(
    url,
    document.visibilityState === 'hidden' && !(init.body instanceof FormData) ? { ...init, keepalive: true } : init,
  )

/** An older service may not know a time zone: this device's offset from UTC, or UTC, keeps nobody out. */
const plainZone = (field: string) => {
  const hours = -new Date().getTimezoneOffset() / 60
  if (field === 'user_timezone' || hours === 0 || !Number.isInteger(hours)) return 'UTC'
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}
const zoneFields = ['user_timezone', 'event_timezone']

/** The same request with a zone that every service knows, if it was refused for its zone. */
const inPlainZone = async (init: RequestInit, refused: Response): Promise<RequestInit | undefined> => {
  const wrong: object = await refused
    .clone()
    .json()
    .catch(() => ({}))
  const field = zoneFields.find(name => name in wrong)
  if (!field) return undefined
  if (init.body instanceof FormData) {
    init.body.set(field, plainZone(field))
    return init
  }
  return typeof init.body === 'string'
    ? { ...init, body: JSON.stringify({ ...JSON.parse(init.body), [field]: plainZone(field) }) }
    : undefined
}

/** The service as the current user sees it. */
export const connection = {
  baseUrl: address,
  token: bearer,
  extra: true as const,
  language: () => localeIn(document.documentElement.lang),
  fetch: (async (input, init = {}) => {
    const url = String(input)
    const token = bearer()
    try {
      let reply = await (init.method === 'GET' ? load : send)(url, init)
      reached()
      const again = reply.status === 400 ? await inPlainZone(init, reply) : undefined
      if (again) reply = await fetch(url, again)
      if (reply.status === 400 || reply.status === 404) await explained()
      if (reply.status === 401 && token && !url.includes('/account/authenticate')) endIfStill(token)
      return reply
    } catch (error) {
      if ((error as Error).name !== 'AbortError') unreachable()
      throw error
    }
  }) satisfies typeof fetch,
}

export const api = afterglow(connection)

export const statusOf = (error: unknown): number | undefined =>
  error instanceof AfterglowError ? error.status : undefined

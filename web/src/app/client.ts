import { AfterglowError, afterglow } from '@afterglow/sdk'
import type {} from './early.ts'
import { reached, unreachable } from './network.ts'
import { explained } from './refused.ts'
import { endIfStill, session } from './session.ts'

/** What early.ts has asked for already; each answer is given once. Nothing is loaded before it is known where to go on from. */
const load = async (url: string, init: RequestInit) => {
  await globalThis.afterglowBegun
  const reply = globalThis.afterglowEarly?.get(url)
  globalThis.afterglowEarly?.delete(url)
  return reply ?? fetch(url, init)
}

/** The service as the person signed in here sees it. */
export const connection = {
  baseUrl: location.origin,
  token: () => session.get()?.token,
  extra: true,
  fetch: (async (input, init) => {
    const token = session.get()?.token
    try {
      const reply = await (init?.method === 'GET' ? load(String(input), init) : fetch(input, init))
      reached()
      if (reply.status === 400 || reply.status === 404) await explained()
      if (reply.status === 401 && token && !String(input).includes('/account/authenticate')) endIfStill(token)
      return reply
    } catch (error) {
      if (!init?.signal?.aborted) unreachable()
      throw error
    }
  }) satisfies typeof fetch,
}

export const api = afterglow(connection)

/** The request did not arrive or was not answered; the same again may well succeed. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof AfterglowError) || error.status >= 500 || error.status === 429

export const statusOf = (error: unknown): number | undefined =>
  error instanceof AfterglowError ? error.status : undefined

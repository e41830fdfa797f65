import { AfterglowError, methodsOf } from '@afterglow/sdk/methods'
import * as accounts from '@afterglow/sdk/operations/accounts'
import * as chats from '@afterglow/sdk/operations/chats'
import * as events from '@afterglow/sdk/operations/events'
import * as gallery from '@afterglow/sdk/operations/gallery'
import * as notifications from '@afterglow/sdk/operations/notifications'
import type {} from './early.ts'
import { reached, unreachable } from './network.ts'
import { explained } from './refused.ts'
import { endIfStill, session } from './session.ts'

/**
 * Requests that early.ts has already made; each answer is used once. Nothing is loaded before it is known where to
 * continue from.
 */
const load = async (url: string, init: RequestInit) => {
  await globalThis.afterglowBegun
  const reply = globalThis.afterglowEarly?.get(url)
  globalThis.afterglowEarly?.delete(url)
  return reply ?? fetch(url, init)
}

/** The service as the signed-in user sees it. */
export const connection = {
  baseUrl: location.origin,
  token: () => session.get()?.token,
  extra: true as const,
  language: () => document.documentElement.lang,
  fetch: (async (input, init = {}) => {
    const url = String(input)
    const token = session.get()?.token
    try {
      const reply = await (init.method === 'GET' ? load : fetch)(url, init)
      reached()
      if (reply.status === 400 || reply.status === 404) await explained()
      if (reply.status === 401 && token && !url.includes('/account/authenticate')) endIfStill(token)
      return reply
    } catch (error) {
      if ((error as Error).name !== 'AbortError') unreachable()
      throw error
    }
  }) satisfies typeof fetch,
}

/** Pages that few visit bring their own operations: see rare.ts. */
export const api = {
  accounts: methodsOf(connection, accounts),
  chats: methodsOf(connection, chats),
  events: methodsOf(connection, events),
  gallery: methodsOf(connection, gallery),
  notifications: methodsOf(connection, notifications),
}

export const statusOf = (error: unknown): number | undefined =>
  error instanceof AfterglowError ? error.status : undefined

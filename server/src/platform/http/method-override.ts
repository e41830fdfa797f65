import type { IncomingMessage } from 'node:http'
import { openUploadSession } from '@afterglow/contract/streams'
import type { FastifyRequest } from 'fastify'
import type { Body } from './bodies/body.ts'

/*
 * Clients behind proxies, and forms, that can only send GET and POST put the intended method into a POST: in a header
 * or in the query, which is known at once, or in the body, which is only known once it is read.
 */

const headers = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const
const inQuery = /[?&]_method=(\w+)/

const upperCase = (method: unknown) => (typeof method === 'string' ? method.trim().toUpperCase() : undefined)

const methodBeside = ({ headers: told, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>) => {
  for (const name of headers) if (told[name]) return upperCase(told[name])
  return upperCase(inQuery.exec(url)?.[1])
}

const meantBeforeBody = new Set(['PUT', 'PATCH', 'DELETE'])

/** Gives a POST its intended method before it is routed. */
export const overrideMethod = (raw: IncomingMessage): string => {
  const { url = '/' } = raw
  if (raw.method !== 'POST') return url
  const method = methodBeside(raw)
  // The handler of a HEAD sends no body; elsewhere, Node would announce one and the client wait for it.
  const isTusHead = method === 'HEAD' && url.startsWith(`/${openUploadSession.at[1]}/`)
  if (method !== undefined && (isTusHead || meantBeforeBody.has(method))) raw.method = method
  return url
}

/** The method that a POST means, once its body is read; undefined if it does not say. */
export const methodMeant = ({ raw, body }: FastifyRequest): string | undefined =>
  upperCase((body as Body | undefined)?.fields?._method) ?? methodBeside(raw)

const form = /^\s*(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i
const json = /^\s*(?:application\/(?:[\w.-]+\+)?json|text\/json)\b/i
const typeOf = ({ headers }: FastifyRequest) => headers['content-type'] ?? ''

/** Tells whether it is a POST of a form, whose `_method` counts even where its fields have no meaning. */
export const isForm = (request: FastifyRequest): boolean => request.method === 'POST' && form.test(typeOf(request))

/** Tells whether a POST's body may still override the method. */
export const maySayMethod = (request: FastifyRequest): boolean =>
  isForm(request) ||
  (request.method === 'POST' && (methodBeside(request.raw) !== undefined || json.test(typeOf(request))))

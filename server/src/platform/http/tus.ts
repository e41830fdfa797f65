import { Readable } from 'node:stream'
import type { DataStore } from '@tus/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { onFirstUse } from '../process/first-use.ts'
import { encodingOf } from './bodies/content-encoding.ts'
import { openOneWriter } from './connections/one-writer.ts'
import { Unreadable } from './refusals.ts'

const protocol = '1.0.0'
const version = { 'Tus-Resumable': protocol, 'Tus-Version': protocol }
export const tusExtensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
/** How long the first of two writers may continue; what it has written by then is kept. */
const lettingGoMs = 100

export type Tus = {
  version: Record<string, string>
  abilities: Record<string, string>
  /** Tells whether the request uses our version of the protocol; if not, `answer` says so. */
  understands(request: FastifyRequest): boolean
  /**
   * Follows the protocol and replies. `created` names a new upload: its ID and URL. `stopped` aborts one that is being
   * written; then its reason is thrown, and the bytes received before are kept.
   */
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    more?: { created?: { id: string; at: string }; stopped?: AbortSignal },
  ): Promise<FastifyReply>
}

/** The part of a request that belongs to the protocol. */
const spoken = [
  'tus-resumable',
  'upload-concat',
  'upload-defer-length',
  'upload-length',
  'upload-metadata',
  'upload-offset',
  'content-type',
  'content-length',
]

/**
 * The tus protocol on top of a store. Its refusals keep their status; their texts come in our bodies. The library takes
 * 19 MiB and comes with the first upload.
 */
export const openTus = (openStore: () => Promise<DataStore>): Tus => {
  const named = new WeakMap<Request, { id: string; at: string }>()
  const faults = new WeakMap<Request, unknown>()
  const options = {
    path: '/',
    locker: openOneWriter(),
    lockDrainTimeout: lettingGoMs,
    namingFunction: (request: Request) => named.get(request)?.id ?? '',
    generateUrl: (request: Request) => named.get(request)?.at ?? '',
    // Errors other than the protocol's own refusals are answered as everywhere else.
    onResponseError: (request: Request, error: object) => {
      if (!('status_code' in error)) faults.set(request, error)
      return undefined
    },
  }
  const opened = onFirstUse(async () => {
    const [{ Server }, datastore] = await Promise.all([import('@tus/server'), openStore()])
    return new Server({ ...options, datastore })
  })

  return {
    version,
    abilities: { 'Tus-Extension': tusExtensions.join(',') },
    understands: request => request.headers['tus-resumable'] === protocol,

    async answer(request, reply, { created, stopped } = {}) {
      if (request.headers['tus-resumable'] !== protocol) {
        drain(request)
        return reply
          .code(412)
          .headers(version)
          .send({ error_message: `Tus-Resumable must be ${protocol}.` })
      }
      // Offsets count the bytes of the file, not those of another form of it.
      if (encodingOf(request.headers)) {
        drain(request)
        throw new Unreadable('An upload in pieces cannot be compressed.')
      }
      const asked = asWeb(request, stopped)
      if (created) named.set(asked, created)
      const response = await (await opened()).handleWeb(asked)
      if (stopped?.aborted) drain(request)
      stopped?.throwIfAborted()
      if (!request.raw.complete && request.raw.destroyed) throw new Unreadable('The body was cut off.')
      drain(request)
      if (faults.has(asked)) throw faults.get(asked)
      reply.code(response.status)
      for (const [name, value] of response.headers)
        if (!/^(access-control-|content-)/.test(name)) reply.header(name, value)
      if (response.status < 400) return reply.send(response.status === 204 ? undefined : '')
      return reply.send({ error_message: (await response.text()).trim() })
    },
  }
}

function asWeb(request: FastifyRequest, stopped?: AbortSignal): Request {
  const headers = new Headers()
  for (const name of spoken) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const { id = '' } = request.params as { id?: string }
  const body = request.body instanceof Readable ? webStream(request.body, stopped) : undefined
  return new Request(`http://localhost/${id}`, {
    method: request.method,
    headers,
    ...(body && { body: body as BodyInit, duplex: 'half' }),
  } as RequestInit)
}

/** Node's own method copies every chunk, and creates garbage faster than it is collected. */
function webStream(stream: Readable, stopped?: AbortSignal): ReadableStream {
  const chunks = stream.iterator({ destroyOnReturn: false })
  // Not Promise.race with one promise for all: that would keep every chunk.
  let giveUp: (why: unknown) => void = () => {}
  stopped?.addEventListener('abort', () => giveUp(stopped.reason), { once: true })
  const next = () =>
    new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      giveUp = reject
      chunks.next().then(resolve, reject)
    })
  const pull = async (controller: ReadableStreamDefaultController) => {
    stopped?.throwIfAborted()
    const { done, value } = await next()
    if (done) controller.close()
    else controller.enqueue(value)
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

/** The rest of a refused request must be read, or the next one on its connection would wait for ever. */
function drain({ raw }: FastifyRequest) {
  if (!raw.complete) raw.removeAllListeners('readable').resume()
}

import type { Readable } from 'node:stream'
import * as contract from '@afterglow/contract/streams'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import type { FileLimits } from '../platform/http/bodies/multipart.ts'
import { Refused } from '../platform/http/refusals.ts'
import type { Admit } from '../platform/http/serve.ts'
import { openTus, type Tus } from '../platform/http/tus.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { requireInstanceQuota } from '../platform/media/quotas.ts'
import type { SessionFiles } from '../platform/media/storage/session-files.ts'
import { sessionFor, sessionToContinue } from './access.ts'
import { announcedBy, openOnce } from './session-opening.ts'
import { deleteUnused } from './sessions-store.ts'
import type { SessionLimits } from './upload-sessions.ts'

type RouteOptions = {
  db: Database
  admit: Admit
  sessionFiles: SessionFiles
  demandFreeDisk(): Promise<void>
  limits: SessionLimits & Pick<FileLimits, 'photoBytesMax' | 'rawBytesMax' | 'videoBytesMax'>
  originOf(request: FastifyRequest): string
}

type Request = FastifyRequest<{ Params: { id: string } }>

/** We check permissions; the tus server implements the rest. */
export const uploadSessionRoutes = (opening: RouteOptions) => async (server: FastifyInstance) => {
  const { db, admit, sessionFiles, demandFreeDisk, limits } = opening
  const tus = openTus(async () => new (await import('./tus-store.ts')).TusStore(db, sessionFiles))
  const { photoBytesMax, rawBytesMax, videoBytesMax } = limits
  // An image may be a RAW: its bytes tell which.
  const bytesMax = { image: rawBytesMax, video: videoBytesMax, raw: rawBytesMax, live: photoBytesMax }
  const serve = servedAsStream(server, admit)

  serve(contract.openUploadSession, async (request, viewer, reply) => {
    // A client with another protocol version is refused before anything is stored for it.
    if (!tus.understands(request)) return tus.answer(request, reply)
    await demandFreeDisk()
    const announced = await announcedBy(request, bytesMax)
    if (announced === 'too-large') return reply.code(413).send({ error_message: 'The file is too large.' })
    const { id, replayed } = await openOnce(opening, viewer, request, announced)
    const at = `${opening.originOf(request)}/${contract.openUploadSession.at[1]}/${id}`
    if (replayed)
      return reply
        .code(201)
        .headers({ Location: at, 'Idempotency-Replayed': 'true', ...tus.version })
        .send('')
    await tus.answer(request, reply, { created: { id, at } })
    if (reply.statusCode >= 400) await deleteUnused(db, id)
    return reply
  })

  serve(contract.readUploadSession, async (request, viewer, reply) => {
    await sessionToContinue(db, viewer, request.params.id)
    return tus.answer(request, reply)
  })

  serve(contract.continueUploadSession, async (request, viewer, reply) => {
    const { bytes, received } = await sessionToContinue(db, viewer, request.params.id)
    await demandFreeDisk()
    await requireInstanceQuota(db, bytes - received, limits)
    // One request may bring a whole film, and the event may be cancelled halfway.
    const { stopped, end } = stoppedOnRefusal(() => sessionToContinue(db, viewer, request.params.id))
    try {
      return await tus.answer(request, reply, { stopped })
    } finally {
      end()
    }
  })

  serve(contract.endUploadSession, async (request, viewer, reply) => {
    await sessionFor(db, viewer, request.params.id)
    return tus.answer(request, reply)
  })

  capabilitiesRoute(server, tus, Math.max(...Object.values(bytesMax)))
}

/** Operations whose bodies are passed on as they arrive. */
const servedAsStream = (server: FastifyInstance, admit: Admit) => {
  server.addContentTypeParser('application/offset+octet-stream', async (_: FastifyRequest, stream: Readable) => stream)
  return (
    operation: contract.StreamRoute,
    handler: (request: Request, viewer: Viewer, reply: FastifyReply) => Promise<unknown>,
  ) => {
    const [method, path] = operation.at
    server.route<{ Params: { id: string } }>({
      method,
      url: `/${path.replace('{id}', ':id')}`,
      config: { operation },
      onRequest: admit(operation),
      handler: (request, reply) => handler(request, request.viewer as Viewer, reply),
    })
  }
}

const askAgainMs = 1000

/** Checks the permission repeatedly; `stopped` rejects with the refusal once it is lost. */
const stoppedOnRefusal = (demand: () => Promise<unknown>) => {
  const controller = new AbortController()
  const asking = setInterval(() => {
    demand().catch(fault => {
      if (fault instanceof Refused) controller.abort(fault)
    })
  }, askAgainMs)
  return { stopped: controller.signal, end: () => clearInterval(asking) }
}

/** Capabilities that a client may query without a bearer token, before it begins. */
const capabilitiesRoute = (server: FastifyInstance, tus: Tus, bytesMax: number) =>
  server.route({
    method: 'OPTIONS',
    url: `/${contract.openUploadSession.at[1]}`,
    // A browser's CORS preflight is answered here too.
    config: { cors: { preflightContinue: true, strictPreflight: false } } as object,
    handler: async (_request, reply) =>
      reply
        .code(204)
        .headers({ ...tus.version, ...tus.abilities, 'Tus-Max-Size': String(bytesMax) })
        .send(),
  })

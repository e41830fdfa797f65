import { validationBody } from '@afterglow/contract/sentences'
import * as contract from '@afterglow/contract/streams'
import type { FastifyRequest } from 'fastify'
import { type Database, transact } from '../platform/database/database.ts'
import { fingerprintOf, idempotencyKeyOf, keptReply, once } from '../platform/http/idempotency.ts'
import { Invalid, Unreadable } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Kind } from './sessions-store.ts'
import { type AnnouncedFile, openSession, type SessionLimits } from './upload-sessions.ts'

const header = (request: FastifyRequest, name: string) => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Throws Invalid, Unreadable; answers `too-large` where the protocol has a status of its own. */
export const announcedBy = async (
  request: FastifyRequest,
  bytesMax: Record<Kind, number>,
): Promise<AnnouncedFile | 'too-large'> => {
  const { Metadata } = await import('@tus/server')
  let metadata: Record<string, string | null> = {}
  try {
    metadata = Metadata.parse(header(request, 'upload-metadata'))
  } catch {
    throw new Unreadable('The Upload-Metadata header is malformed.')
  }
  const checked = contract.UploadMetadata.safeParse(metadata)
  if (!checked.success) throw new Invalid(validationBody(checked.error, metadata))
  const length = header(request, 'upload-length') ?? ''
  const bytes = /^[1-9][0-9]{0,14}$/.test(length) ? Number(length) : undefined
  if (bytes === undefined) throw new Unreadable('The Upload-Length header must be the number of bytes, at least 1.')
  const { event_id: eventId, kind, filename = null, checksum = null } = checked.data
  return bytes > bytesMax[kind] ? 'too-large' : { eventId, kind, filename, bytes, sha256: checksum }
}

/** Opens a session, once for its Idempotency-Key. */
export const openOnce = async (
  { db, limits }: { db: Database; limits: SessionLimits },
  viewer: Viewer,
  request: FastifyRequest,
  announced: AnnouncedFile,
) => {
  const open = () => transact(db, tx => openSession(tx, viewer, announced, limits))
  const key = idempotencyKeyOf(request.headers['idempotency-key'])
  if (key === undefined) return { id: await open(), replayed: false }
  const operation = contract.openUploadSession.name
  const keyed = { userId: viewer.id, operation, key, fingerprint: async () => fingerprintOf(announced, {}) }
  const made = await once(db, keyed, async tx => ({
    status: 201,
    body: await openSession(tx, viewer, announced, limits),
  }))
  if (made) return { id: made.body as string, replayed: false }
  const kept = await keptReply(db, keyed)
  // Its session may have ended since: then there is nothing to continue, and the caller learns that by asking for it.
  return { id: kept?.body as string, replayed: true }
}

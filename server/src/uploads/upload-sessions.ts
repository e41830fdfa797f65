import { randomUUID } from 'node:crypto'
import { sentence } from '@afterglow/contract/words'
import { galleryFor, stands } from '../gallery/access.ts'
import { holdUploader } from '../gallery/photos.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { invalid } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { type Quotas, requireQuota } from '../platform/media/quotas.ts'
import { hashed, type ReceivedFile } from '../platform/media/received-file.ts'
import type { SessionFiles } from '../platform/media/storage/session-files.ts'
import { NotStored } from '../platform/media/storage/storage.ts'
import { galleryToBeginIn } from './access.ts'
import * as store from './sessions-store.ts'

export type AnnouncedFile = {
  eventId: number
  kind: store.Kind
  filename: string | null
  bytes: number
  sha256: string | null
}

export type SessionLimits = Quotas & { photosPerGuest: number }

/**
 * Starts a resumable upload, which reserves a place and its bytes in the viewer's limits until it is over. Returns its
 * ID.
 */
export const openSession = async (tx: Transaction, viewer: Viewer, announced: AnnouncedFile, limits: SessionLimits) => {
  const { eventId, kind, filename, bytes, sha256 } = announced
  await holdUploader(tx, viewer, eventId)
  await galleryToBeginIn(tx, viewer, { eventId, kind }, limits.photosPerGuest)
  await requireQuota(tx, viewer.id, bytes, limits)
  const id = randomUUID()
  await store.insertSession(tx, viewer.id, { id, event_id: eventId, kind, filename, bytes, sha256 })
  return id
}

/** The sessions that an upload names instead of its files. */
export type NamedSessions = Partial<Record<store.Kind, string>>

export const idsOf = (named: NamedSessions): string[] => Object.values(named).filter(id => id !== undefined)

const nothing = (kind: string): never => invalid(`${kind}_session_id`, sentence.selected)

/** The named sessions, each complete and of its kind; refuses with the field's validation message. */
const namedSessions = async (db: Db, viewer: Viewer, eventId: number, named: NamedSessions, lock = false) => {
  const ids = idsOf(named)
  const found = ids.length ? await store.sessionsOf(db, viewer.id, eventId, { ids, lock }) : []
  return Object.entries(named)
    .filter(([, id]) => id !== undefined)
    .map(([kind, id]) => {
      const session = found.find(one => one.id === id && one.kind === kind && one.received === one.bytes)
      return session ?? nothing(kind)
    })
}

/**
 * The photo that these sessions were used for before: a lost answer is repeated. Undefined if they are unused. Refuses
 * noSuchEvent, mayNotUpload, or with a validation message if they are incomplete or became different photos.
 */
export const photoMadeOf = async (db: Db, viewer: Viewer, eventId: number, named: NamedSessions, lock = false) => {
  if (idsOf(named).length === 0) return undefined
  await galleryFor(db, viewer, eventId, 'mayNotUpload', 'gallery')
  const sessions = await namedSessions(db, viewer, eventId, named, lock)
  const used = sessions.find(({ used_at }) => used_at !== null)
  if (!used) return undefined
  const { photo_id: photoId } = used
  if (photoId === null || sessions.some(({ photo_id }) => photo_id !== photoId)) return nothing(used.kind)
  return (await stands(db, viewer, photoId)) ? photoId : nothing(used.kind)
}

/** Something was made of this session before. */
export const isUsed = async (db: Db, viewer: Viewer, id: string) =>
  (await store.ownSessions(db, viewer.id, [id])).some(({ used_at }) => used_at !== null)

/** The files of complete sessions as if they had come in the form; the caller removes them. */
export const filesOf = async (db: Db, viewer: Viewer, eventId: number, named: NamedSessions, files: SessionFiles) => {
  const received: Partial<Record<store.Kind, ReceivedFile>> = {}
  try {
    for (const { id, kind, sha256, filename } of await namedSessions(db, viewer, eventId, named)) {
      const taken = await files.take(id).catch(async fault => {
        if (!(fault instanceof NotStored)) throw fault
        // The storage has changed since: the client starts over, and keeps this session's place in the quota.
        await store.deleteUnused(db, id)
        return nothing(kind)
      })
      const file = { ...(await hashed(taken)), name: filename }
      received[kind] = file
      await store.noteContent(db, id, file.sha256)
      if (sha256 !== null && sha256 !== file.sha256) invalid(`${kind}_session_id`, sentence.checksum)
    }
    return received
  } catch (error) {
    for (const file of Object.values(received)) await file.remove()
    throw error
  }
}

type Naming = Partial<Record<`${store.Kind}_session_id`, string | undefined>>
const namedIn = (input: Naming): NamedSessions =>
  Object.fromEntries(store.kinds.map(kind => [kind, input[`${kind}_session_id`]]))

/** A repeated request has brought its files once more: their sessions are used as well, and take no room. */
export const endRepeated = async (
  db: Db,
  viewer: Viewer,
  { input, photoId }: { input: Naming; photoId: number | null },
  files: SessionFiles,
) => {
  const sessions = await store.ownSessions(db, viewer.id, idsOf(namedIn(input)))
  const ids = sessions.flatMap(({ id, used_at }) => (used_at === null ? [id] : []))
  await store.markUsed(db, ids, photoId)
  for (const id of ids) await files.remove(id)
}

/**
 * The content of an upload, however it came: its fields, and each file by its bytes, in the form or received by a
 * session. A session without all of its bytes stands for itself.
 */
export const contentOf = async (
  db: Db,
  viewer: Viewer,
  { input, files }: { input: Naming; files: Record<string, ReceivedFile[]> },
  sessionFiles: SessionFiles,
) => {
  const named = namedIn(input)
  const fields: Record<string, unknown> = { ...input }
  const sums: Record<string, Pick<ReceivedFile, 'sha256'>[]> = { ...files }
  for (const session of await store.ownSessions(db, viewer.id, idsOf(named))) {
    const sha256 = await contentSumOf(db, session, sessionFiles)
    if (sha256 === null) continue
    delete fields[`${session.kind}_session_id`]
    sums[session.kind] = [{ sha256 }]
  }
  return { input: fields, files: sums }
}

const contentSumOf = async (db: Db, session: store.UploadSession, files: SessionFiles) => {
  const { id, content_sha256: known, used_at, received, bytes } = session
  if (known !== null || used_at !== null || received < bytes) return known
  const file = await files.take(id).then(hashed).catch(orNotStored)
  if (!file) return null
  await file.remove()
  await store.noteContent(db, id, file.sha256)
  return file.sha256
}

const orNotStored = (fault: unknown) => (fault instanceof NotStored ? null : Promise.reject(fault))

/** A job: unused uploads to a deleted event take no room from that moment on. */
export const endUploads =
  (db: Db, files: SessionFiles) =>
  async ({ eventId }: { eventId: number }): Promise<void> => {
    for (const id of await store.deleteOfDeleted(db, eventId)) await files.remove(id)
  }

const sweptAtOnce = 1000

/** Ends expired sessions, and removes every file that no session needs any more. */
export const sweepSessions = async (db: Db, files: SessionFiles): Promise<boolean> => {
  const over = await store.deleteOver(db, sweptAtOnce)
  for (const id of over) await files.remove(id)
  const settled = await files.settled()
  const waiting = await store.waitingAmong(db, settled)
  for (const id of settled) if (!waiting.has(id)) await files.remove(id)
  return over.length === sweptAtOnce
}

import { reasons } from '@afterglow/contract/reasons'
import { lockAccount } from '../accounts/account-deletion.ts'
import { announce } from '../log/announce.ts'
import type { NoticeTemplates } from '../notifications/notices.ts'
import { type Database, type Db, transact } from '../platform/database/database.ts'
import type { ExportPart } from '../platform/export/export-part.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { addJob } from '../platform/jobs/jobs.ts'
import { type Quotas, requireQuota } from '../platform/media/quotas.ts'
import { addHandout, removeForGood } from '../platform/media/records.ts'
import type { Storage } from '../platform/media/storage/storage.ts'
import { pack } from './export-zip.ts'
import * as store from './exports-store.ts'

export type ExportRoom = { quotas: Quotas; demandFreeDisk(): Promise<void> }

/**
 * Starts an export of all the viewer's own data, unless one is in progress or was completed within the hour. It needs
 * space like any upload: refuses personFull, instanceFull, and throws `Unavailable` if the disk is almost full.
 */
export const askForExport = (
  db: Db,
  viewer: Viewer,
  { quotas, demandFreeDisk }: ExportRoom,
): Promise<store.ExportRow> =>
  transact(db, async tx => {
    await lockAccount(tx, viewer.id)
    const recent = await store.findRecent(tx, viewer.id)
    if (recent) return recent
    await demandFreeDisk()
    await requireQuota(tx, viewer.id, await store.bytesOfNext(tx, viewer.id), quotas)
    const id = await store.insertExport(tx, viewer.id)
    // One at a time: reading a large account must not occupy every job slot.
    await addJob(tx, 'exportAccount', { id }, { lane: 'exportAccount' })
    return exportFor(tx, viewer, id)
  })

/** One of the viewer's own exports; refuses with noSuchExport. */
export const exportFor = async (db: Db, viewer: Viewer, id: number): Promise<store.ExportRow> =>
  (await store.findExport(db, viewer.id, id)) ?? refuse('noSuchExport')

/**
 * The job: creates the zip, stores it like a picture of its owner's, replacing the previous one, and notifies them.
 * Safe to repeat.
 */
export const makeExport = async (
  db: Database,
  storage: Storage,
  parts: readonly ExportPart[],
  id: number,
): Promise<void> => {
  const waiting = await store.findWaiting(db, id)
  if (!waiting) return
  const { user_id: userId } = waiting
  const { path, sha256, bytes } = await pack(db, storage, parts, userId)
  await storage.put(path, sha256)
  await transact(db, async tx => {
    await lockAccount(tx, userId)
    const mediaId = await addHandout(
      tx,
      { sha256, bytes, type: 'application/zip' },
      { ownerId: userId, has: storage.has },
    )
    if (!(await store.markReady(tx, id, mediaId))) return removeForGood(tx, [mediaId])
    await removeForGood(tx, await store.removeBefore(tx, userId, id))
    // It has no actor, so its owner is notified, too.
    const about = { audience: 'user', userId, actorId: 0, subjectId: id } as const
    await announce(tx, { ...about, kind: 'export.ready', notify: true })
  })
}

/** Removes expired exports. */
export const expireExports = (db: Database): Promise<void> =>
  transact(db, async tx => {
    await store.failStale(tx)
    await removeForGood(tx, await store.removeExports(tx, null))
  })

/** Removes the exports of somebody who is erased; returns the hashes of their files, which go at once. */
export const forgetExports = (db: Db, userId: number): Promise<string[]> =>
  transact(db, async tx => {
    await removeForGood(tx, await store.removeExports(tx, userId))
    return store.hashesOfExports(tx, userId)
  })

export const privacyNoticing: NoticeTemplates = {
  'export.ready': async (_, changes) =>
    new Map(
      changes.map(({ id, user_id, subject_id }) => [
        id,
        [
          {
            kind: 'export_ready',
            to: user_id === null ? [] : [user_id],
            values: {},
            link: '/settings/account',
            eventId: null,
            subjectId: subject_id,
            tag: `export:${subject_id}`,
            reason: reasons.askedForExport,
          },
        ],
      ]),
    ),
}

import { type Db, transact } from '../platform/database/database.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import * as marks from './seen-marks-store.ts'

/** Whether others see what somebody has read, and they what others have. */
export const showsSeen = async (db: Db, userId: number) => (await marks.hidingSeen(db, [userId])).size === 0

/** Pages that were kept with a mark of theirs, or without, serve nobody any more. */
export const setSeenShown = (db: Db, viewer: Viewer, shown: boolean) =>
  transact(db, async tx => {
    if (await marks.setHidesSeen(tx, viewer.id, !shown)) await marks.raiseSeenVersions(tx, viewer.id)
  })

import { type Capability, can } from '@afterglow/contract/capabilities'
import { requireMay } from '../events/standing.ts'
import type { Db } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { findAlbum } from './album-store.ts'

/**
 * The album of an event that the viewer is in; of a deleted one, if they ask for their own photos alone. Refuses
 * noSuchEvent, notInEvent.
 */
export const albumFor = async (db: Db, viewer: Pick<Viewer, 'id'>, eventId: number, { mine }: { mine: boolean }) => {
  const album = (await findAlbum(db, viewer.id, eventId)) ?? refuse('noSuchEvent')
  if (album.deleted && !(mine && can(album.standing, 'read'))) refuse('noSuchEvent')
  return requireMay(album, toTakeHome(mine), 'notInEvent')
}

/** Permission to download the whole album, or only the viewer's own photos. */
export const toTakeHome = (mine: boolean): Capability => (mine ? 'gallery' : 'browse')

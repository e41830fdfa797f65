import { mayAdd } from '../events/access.ts'
import { demandPlaces, galleryToAddTo } from '../gallery/access.ts'
import type { Db } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import * as store from './sessions-store.ts'

/** Proves that the viewer may start a resumable upload. Refuses noSuchEvent, mayNotUpload, tooManyPhotos. */
export const galleryToBeginIn = async (
  db: Db,
  viewer: Viewer,
  { eventId, kind }: { eventId: number; kind: store.Kind },
  photosMax: number,
) => {
  const gallery = await galleryToAddTo(db, viewer, eventId)
  demandPlaces(gallery, await store.countPlaces(db, store.placesHeldBy(viewer.id, eventId, { plus: kind })), photosMax)
}

const isSessionId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The viewer's own resumable upload, if it is not over. Refuses noSuchUploadSession. */
export const sessionFor = async (db: Db, viewer: Viewer, id: string) =>
  (isSessionId.test(id) ? await store.findSession(db, viewer.id, id) : undefined) ?? refuse('noSuchUploadSession')

/** The same for continuing it: a guest removed meanwhile adds no bytes. Refuses noSuchUploadSession, mayNotUpload. */
export const sessionToContinue = async (db: Db, viewer: Viewer, id: string) => {
  const session = await sessionFor(db, viewer, id)
  return mayAdd(session, 'upload') ? session : refuse('mayNotUpload')
}

import { audit } from '../events/audit.ts'
import { announce, type ChangeKind } from '../notifications/announce.ts'
import { withdrawDeleted, withdrawTagged } from '../notifications/mark-read.ts'
import { type Db, transact } from '../platform/database/database.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { renewMedia } from '../platform/media/records.ts'
import { commentToChange, moderated, photoToChange } from './access.ts'
import { countsAround } from './comments.ts'
import { commentIdsOf } from './comments-store.ts'
import { forgetDoubles, sumsOf } from './duplicates-store.ts'
import * as store from './hide-store.ts'
import { tagsOfComment, tellsOfComment } from './notification-templates.ts'
import { messagesToTell, tellMessages } from './one-photo.ts'
import { withdrawPhoto } from './photos.ts'

/* What an organizer hides is visible only to its author and organizers, until one of them shows it again. */

const hiddenBy = (viewer: Viewer, eventId: number) => {
  const about = { audience: 'event', eventId, actorId: viewer.id } as const
  return <Kind extends ChangeKind>(kind: Kind, subjectId: number, detail?: object) => ({
    ...about,
    kind,
    subjectId,
    ...(detail && { detail }),
  })
}

/** Hides a photo or shows it again; repeating it has no effect. Its picture's previous URLs are invalidated. */
export const setPhotoHidden = (db: Db, viewer: Viewer, id: number, hidden: boolean) =>
  transact(db, async tx => {
    const photo = moderated(await photoToChange(tx, viewer, id))
    const { event_id: eventId, taken_by: userId } = photo
    const sums = await sumsOf(tx, { mediaId: photo.media_id })
    const messageIds = sums ? await messagesToTell(tx, eventId, sums) : []
    await store.lockGallery(tx, eventId)
    if (((await store.lockPhoto(tx, id)) ?? refuse('noSuchPhoto')) === hidden) return
    await store.setPhotoHidden(tx, photo, hidden)
    if (hidden) await renewMedia(tx, [photo.media_id])
    const doubles = hidden ? await forgetDoubles(tx, id) : []
    const act = hidden ? 'photo.hidden' : 'photo.unhidden'
    await audit(tx, viewer, { act, eventId, subjectId: id, userId })
    const change = hiddenBy(viewer, eventId)
    const forOthers = { besides: userId }
    await announce(tx, [change(hidden ? 'photo.deleted' : 'photo.created', id, forOthers), change('photo.updated', id)])
    await announce(
      tx,
      doubles.map(double => change('photo.updated', double)),
    )
    // They show the same picture, whose URLs are others now, and say whether it is in the album.
    await tellMessages(tx, { eventId, actorId: viewer.id }, messageIds)
    if (hidden) await withdrawPhoto(tx, photo, 'hidden')
  })

/** The same for a comment, whose replies are hidden and shown with it. */
export const setCommentHidden = (db: Db, viewer: Viewer, id: number, hidden: boolean) =>
  transact(db, async tx => {
    const comment = moderated(await commentToChange(tx, viewer, { id }, 'mayNotReadComments'))
    const { event_id: eventId, photo_id: photoId, user_id: userId, parent_id: replyTo } = comment
    await store.lockPhoto(tx, photoId)
    const changed = (await store.setCommentHidden(tx, comment, hidden)) ?? refuse('noSuchComment')
    if (!changed) return
    const act = hidden ? 'comment.hidden' : 'comment.unhidden'
    await audit(tx, viewer, { act, eventId, subjectId: id, userId })
    const change = hiddenBy(viewer, eventId)
    const forOthers = { photoId, replyTo, besides: userId }
    await announce(tx, [
      change(hidden ? 'comment.deleted' : 'comment.created', id, forOthers),
      change('comment.updated', id),
      ...countsAround(viewer, comment),
    ])
    if (!hidden) return
    const subjectIds = [id, ...(replyTo === null ? await commentIdsOf(tx, photoId, id) : [])]
    await withdrawTagged(tx, eventId, subjectIds.flatMap(tagsOfComment), 'hidden')
    await withdrawDeleted(tx, { eventId, kinds: tellsOfComment, subjectIds, gone: { of: 'comment', fate: 'hidden' } })
  })

import { audit } from '../../events/audit/audit.ts'
import type { May } from '../../events/standing.ts'
import { announce, type ChangeKind } from '../../log/announce.ts'
import { withdrawDeleted, withdrawTagged } from '../../notifications/mark-read.ts'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { renewMedia } from '../../platform/media/records.ts'
import { moderated, photoToChange } from '../access.ts'
import { commentToChange } from '../comments/access.ts'
import { countsAround } from '../comments/comments.ts'
import { commentIdsOf } from '../comments/comments-store.ts'
import { forgetDoubles, sumsOf } from '../duplicates/duplicates-store.ts'
import { announceMessages, messagesToAnnounce } from '../duplicates/one-photo.ts'
import { tagsOfComment, tellsOfComment } from '../notification-tags.ts'
import { withdrawPhoto } from '../photos.ts'
import { withdrawIfDecided } from './decisions.ts'
import { scheduleAnnouncement } from './decisions-store.ts'
import * as store from './hide-store.ts'

/* Hidden content is visible only to its author and organizers, until one of them shows it again. */

const hiddenBy = (viewer: Viewer, eventId: number) => {
  const about = { audience: 'event', eventId, actorId: viewer.id } as const
  return <Kind extends ChangeKind>(kind: Kind, subjectId: number, detail?: object) => ({
    ...about,
    kind,
    subjectId,
    ...(detail && { detail }),
  })
}

/** Hides a photo or shows it again; repeating it has no effect. For a waiting photo, either decides about it. */
export const setPhotoHidden = (db: Db, viewer: Viewer, id: number, hidden: boolean) =>
  transact(db, async tx => {
    const photo = moderated(await photoToChange(tx, viewer, id))
    const messageIds = await showing(tx, photo)
    await store.lockGallery(tx, photo.event_id)
    const before = (await store.lockPhoto(tx, id)) ?? refuse('noSuchPhoto')
    const isSo = hidden ? before.hidden && !before.sealed : !before.hidden || before.sealed
    if (isSo && !before.waits) return
    await decide(tx, viewer, { ...photo, ...before }, hidden)
    await announceMessages(tx, { eventId: photo.event_id, actorId: viewer.id }, messageIds)
    await withdrawIfDecided(tx, photo.event_id)
  })

/** The messages that show the picture: its URLs change, and they say whether it is in the album. */
const showing = async (
  tx: Transaction,
  { media_id: mediaId, event_id: eventId }: { media_id: number; event_id: number },
) => {
  const sums = await sumsOf(tx, { mediaId })
  return sums ? messagesToAnnounce(tx, eventId, sums) : []
}

type Decided = {
  id: number
  event_id: number
  media_id: number
  taken_by: number
  hidden: boolean
  waits: boolean
} & May<'moderate'>

/** The previous URLs of a picture that is hidden are invalidated. Expects its locks. */
const decide = async (tx: Transaction, viewer: Viewer, photo: Decided, hidden: boolean) => {
  const { id, event_id: eventId, taken_by: userId } = photo
  const before = photo.hidden
  const after = await store.setPhotoHidden(tx, photo, hidden)
  await audit(tx, viewer, { act: actOf(photo, hidden), eventId, subjectId: id, userId })
  const change = hiddenBy(viewer, eventId)
  await announce(tx, [
    ...comings(photo, after).map(([kind, on]) => change(kind, id, { besides: userId, ...(on && { on }) })),
    change('photo.updated', id),
  ])
  if (!after && photo.waits && before) await scheduleAnnouncement(tx, eventId, [id])
  if (!hidden || before) return
  await renewMedia(tx, [photo.media_id])
  const doubles = await forgetDoubles(tx, [id])
  await announce(
    tx,
    doubles.map(double => change('photo.updated', double)),
  )
  await withdrawPhoto(tx, photo, 'hidden')
}

/** Announces the photo as new or gone to those who did not see it before, or no longer do. */
const comings = ({ hidden: before, waits }: Decided, after: boolean) => {
  if (before !== after) return [after ? (['photo.deleted', waits && 'album'] as const) : (['photo.created'] as const)]
  return waits && !after ? [['photo.created', 'wall'] as const] : []
}

const actOf = ({ waits }: Decided, hidden: boolean) =>
  waits ? (hidden ? 'photo.refused' : 'photo.approved') : hidden ? 'photo.hidden' : 'photo.unhidden'

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

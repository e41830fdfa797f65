import * as deletedPhotos from '@afterglow/contract/gallery/deleted-photos'
import * as moderation from '@afterglow/contract/gallery/moderation'
import { sentence } from '@afterglow/contract/words'
import { rangeOf } from '../../platform/http/pages.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { galleryFor, mayHide } from '../access.ts'
import { deletePhoto } from '../photos.ts'
import { presentDecided, presentDeletedPhoto } from '../present.ts'
import { showPhoto, showPutIn } from '../show-photo.ts'
import { decideAbout, undoDecision } from './decisions.ts'
import { listDeletedPhotos } from './deleted-store.ts'
import * as hiding from './hide.ts'
import { restorePhoto } from './restore.ts'
import { revealNow } from './reveal.ts'

const done = { done: true } as const

/** Removing photos from the album, and restoring them. */
export const moderationRoutes = (serve: Serve, { photosPerGuest }: { photosPerGuest: number }) => {
  serve(deletedPhotos.deletePhoto, async ({ db, viewer, input }) => {
    await deletePhoto(db, viewer, input.event_photo_id)
    return done
  })

  serve(deletedPhotos.listDeletedPhotos, async ({ db, viewer, input, urls, page }) => {
    const gallery = await galleryFor(db, viewer, input.event_id)
    const takenBy = mayHide(gallery.standing) ? undefined : viewer.id
    const rows = await listDeletedPhotos(db, viewer.id, { eventId: gallery.event_id, takenBy }, rangeOf(input))
    return page(rows, row => presentDeletedPhoto(row, { mediaEpoch: gallery.media_epoch, urls }))
  })

  serve(deletedPhotos.restorePhoto, async ({ db, input, ...asking }) => {
    const isBack = await restorePhoto(db, asking.viewer, input.event_photo_id, photosPerGuest)
    return (isBack ? showPutIn : showPhoto)(db, input.event_photo_id, asking)
  })

  serve(moderation.hidePhoto, async ({ db, input, ...asking }) => {
    await hiding.setPhotoHidden(db, asking.viewer, input.event_photo_id, true)
    return showPhoto(db, input.event_photo_id, asking)
  })

  serve(moderation.approvePhotos, async ({ db, viewer, input }) =>
    presentDecided(await decideAbout(db, viewer, photosIn(input), false)),
  )

  serve(moderation.refusePhotos, async ({ db, viewer, input }) =>
    presentDecided(await decideAbout(db, viewer, photosIn(input), true)),
  )

  serve(moderation.undoDecision, async ({ db, viewer, input }) =>
    presentDecided(await undoDecision(db, viewer, input.decision_id)),
  )

  serve(moderation.revealPhotos, async ({ db, viewer, input }) => {
    await revealNow(db, viewer, input.event_id)
    return done
  })

  serve(moderation.unhidePhoto, async ({ db, input, ...asking }) => {
    await hiding.setPhotoHidden(db, asking.viewer, input.event_photo_id, false)
    return showPutIn(db, input.event_photo_id, asking)
  })
}

type DecisionBody = { event_id: number; event_photo_ids?: number[] | undefined; all?: boolean | undefined }

const photosIn = ({ event_id: eventId, event_photo_ids: ids, all }: DecisionBody) => ({
  eventId,
  ids: all ? ('all' as const) : (ids ?? invalid('event_photo_ids', sentence.required)),
})

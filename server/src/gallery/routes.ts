import * as contract from '@afterglow/contract/gallery'
import { type Person, personsById, presentMinimalUser } from '../accounts/persons.ts'
import { isOrganizer } from '../events/standing.ts'
import { rangeOf } from '../platform/http/pages.ts'
import type { Serve } from '../platform/http/serve.ts'
import { galleryFor, photoFor, seesHidden } from './access.ts'
import { listDeletedPhotos } from './deleted-store.ts'
import * as hiding from './hiding.ts'
import { listByMoment } from './moments-store.ts'
import * as photos from './photos.ts'
import { presentDeletedPhoto } from './present.ts'
import { restorePhoto } from './restoring.ts'
import { showingPhotos, showPhoto } from './showing.ts'
import * as store from './store.ts'

const done = { done: true } as const
const orders = {
  newest: [true, false],
  oldest: [false, false],
  taken_newest: [true, true],
  taken_oldest: [false, true],
} as const

/** Photos that are there; how they come is in upload-routes.ts. */
export const galleryRoutes = (serve: Serve, { photosPerGuest }: { photosPerGuest: number }) => {
  serve(contract.listPhotos, async ({ db, input, page, ...asking }) => {
    const gallery = await galleryFor(db, asking.viewer, input.event_id)
    const [newestFirst, byMoment] = orders[input.sort ?? 'newest']
    const list = {
      eventId: input.event_id,
      takenBy: input.taken_by,
      newestFirst,
      seesHidden: seesHidden(gallery.standing),
    }
    const rows = await (byMoment ? listByMoment : store.listPhotos)(db, asking.viewer.id, list, rangeOf(input))
    return page(rows, await showingPhotos(db, rows, gallery, asking))
  })

  serve(contract.readPhoto, ({ db, input, ...asking }) => showPhoto(db, input.event_photo_id, asking))

  serve(contract.captionPhoto, async ({ db, input, ...asking }) => {
    const { event_photo_id: id, event_photo_caption: caption, event_photo_alt_text: altText } = input
    await photos.describePhoto(db, asking.viewer, id, { caption, altText })
    return showPhoto(db, id, asking)
  })

  serve(contract.likePhoto, async ({ db, input, ...asking }) => {
    await photos.setLiked(db, asking.viewer, input.event_photo_id, true)
    return showPhoto(db, input.event_photo_id, asking)
  })

  serve(contract.unlikePhoto, async ({ db, input, ...asking }) => {
    await photos.setLiked(db, asking.viewer, input.event_photo_id, false)
    return showPhoto(db, input.event_photo_id, asking)
  })

  serve(contract.listLikes, async ({ db, viewer, input, urls, page }) => {
    const photo = await photoFor(db, viewer, input.event_photo_id)
    const ids = await store.listLikers(db, photo.id, rangeOf(input))
    const persons = await personsById(db, ids)
    return page(ids, id => presentMinimalUser(persons.get(id) as Person, urls))
  })

  serve(contract.deletePhoto, async ({ db, viewer, input }) => {
    await photos.deletePhoto(db, viewer, input.event_photo_id)
    return done
  })

  serve(contract.listDeletedPhotos, async ({ db, viewer, input, urls, page }) => {
    const gallery = await galleryFor(db, viewer, input.event_id)
    const takenBy = isOrganizer(gallery.standing) ? undefined : viewer.id
    const rows = await listDeletedPhotos(db, viewer.id, { eventId: gallery.event_id, takenBy }, rangeOf(input))
    const persons = await personsById(
      db,
      rows.map(row => row.taken_by),
    )
    const beside = { mediaEpoch: gallery.media_epoch, urls }
    return page(rows, row => presentDeletedPhoto(row, { ...beside, takenBy: persons.get(row.taken_by) as Person }))
  })

  serve(contract.restorePhoto, async ({ db, input, ...asking }) => {
    await restorePhoto(db, asking.viewer, input.event_photo_id, photosPerGuest)
    return showPhoto(db, input.event_photo_id, asking)
  })

  serve(contract.hidePhoto, async ({ db, input, ...asking }) => {
    await hiding.setPhotoHidden(db, asking.viewer, input.event_photo_id, true)
    return showPhoto(db, input.event_photo_id, asking)
  })

  serve(contract.unhidePhoto, async ({ db, input, ...asking }) => {
    await hiding.setPhotoHidden(db, asking.viewer, input.event_photo_id, false)
    return showPhoto(db, input.event_photo_id, asking)
  })
}

import * as contract from '@afterglow/contract/gallery'
import * as uploads from '@afterglow/contract/uploads'
import { sentence } from '@afterglow/contract/words'
import { rangeOf } from '../platform/http/pages.ts'
import { invalid } from '../platform/http/refusals.ts'
import type { Serve } from '../platform/http/serve.ts'
import { allowanceFor, photosByLikesFor, photosByMomentFor, photosFor, timelineFor } from './access.ts'
import { allowPhotos } from './moderation/allowances.ts'
import { describePhoto } from './photos.ts'
import { presentAllowance, presentTimeline } from './present.ts'
import { showingPhotos, showPhoto } from './show-photo.ts'

const orders = {
  newest: [true, photosFor],
  oldest: [false, photosFor],
  taken_newest: [true, photosByMomentFor],
  taken_oldest: [false, photosByMomentFor],
  most_liked: [true, photosByLikesFor],
} as const

/** Existing photos; upload-routes.ts handles new ones. */
export const galleryRoutes = (serve: Serve, { photosPerGuest }: { photosPerGuest: number }) => {
  serve(contract.listPhotos, async ({ db, input, page, ...asking }) => {
    const { waiting = false, sort = 'newest' } = input
    const [newestFirst, listed] = orders[waiting && sort !== 'oldest' ? 'newest' : sort]
    const list = { eventId: input.event_id, takenBy: input.taken_by, waiting, newestFirst, detailed: asking.extra }
    const { gallery, page: found } = await listed(db, asking.viewer, list, rangeOf(input))
    return page(found.rows, showingPhotos(found, gallery, asking))
  })

  serve(uploads.readAllowance, async ({ db, viewer, input }) =>
    presentAllowance(await allowanceFor(db, viewer, input.event_id, input.user_id ?? viewer.id), photosPerGuest),
  )

  serve(uploads.allowPhotos, async ({ db, viewer, input }) => {
    const { event_id: eventId, user_id: userId, trusted } = input
    if (trusted !== undefined && userId === undefined) invalid('user_id', sentence.required)
    const most = trusted === undefined ? (input.photos_max ?? null) : input.photos_max
    await allowPhotos(db, viewer, { eventId, userId, most, trusted })
    return presentAllowance(await allowanceFor(db, viewer, eventId, userId ?? viewer.id), photosPerGuest)
  })

  serve(contract.readTimeline, async ({ db, viewer, input }) => {
    const { event_id: eventId, by = 'added', taken_by: takenBy } = input
    return presentTimeline(await timelineFor(db, viewer, { eventId, by, takenBy }))
  })

  serve(contract.readPhoto, ({ db, input, ...asking }) => showPhoto(db, input.event_photo_id, asking))

  serve(contract.captionPhoto, async ({ db, input, ...asking }) => {
    const { event_photo_id: id, event_photo_caption: caption, event_photo_alt_text: altText } = input
    await describePhoto(db, asking.viewer, id, { caption, altText })
    return showPhoto(db, id, asking)
  })
}

import * as contract from '@afterglow/contract/gallery'
import { presentMinimalUser } from '../../accounts/present-person.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { photoToTakePartIn } from '../access.ts'
import { showPhoto } from '../show-photo.ts'
import { setLiked } from './likes.ts'
import { listLikers } from './likes-store.ts'

export const likeRoutes = (serve: Serve) => {
  serve(contract.likePhoto, async ({ db, input, ...asking }) => {
    await setLiked(db, asking.viewer, input.event_photo_id, true)
    return showPhoto(db, input.event_photo_id, asking)
  })

  serve(contract.unlikePhoto, async ({ db, input, ...asking }) => {
    await setLiked(db, asking.viewer, input.event_photo_id, false)
    return showPhoto(db, input.event_photo_id, asking)
  })

  serve(contract.listLikes, async ({ db, viewer, input, urls, page }) => {
    const photo = await photoToTakePartIn(db, viewer, input.event_photo_id)
    return page(await listLikers(db, photo.id, rangeOf(input)), person => presentMinimalUser(person, urls))
  })
}

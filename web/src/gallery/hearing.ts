import type { ChannelEvents } from '@afterglow/contract/realtime'
import { become, forget, type Rules, reload } from '../app/change.ts'
import { eachRow, type Listed, withoutRow, withRowFirst } from '../app/pages.ts'
import { photoKey, photosKey } from './keys.ts'

type Photo = ChannelEvents['photo.created']

/** What the channel tells about photos. */
export const hearGallery: Rules = (heard, me) => {
  switch (heard.kind) {
    case 'photo.created': {
      const { payload } = heard
      return [
        become<Listed<Photo>>(photosKey(Number(payload.event_id)), shown =>
          withRowFirst(shown, payload, ({ id }) => id === payload.id),
        ),
      ]
    }
    case 'photo.updated':
    case 'photo.liked': {
      const { payload } = heard
      return [
        become<Photo>(photoKey(payload.id), () => payload),
        become<Listed<Photo>>(photosKey(Number(payload.event_id)), shown =>
          eachRow(shown, each => (each.id === payload.id ? payload : each)),
        ),
      ]
    }
    case 'photo.deleted': {
      const { id, event_id } = heard.payload
      return [
        forget(photoKey(id)),
        become<Listed<Photo>>(photosKey(Number(event_id)), shown => withoutRow(shown, each => each.id === id)),
      ]
    }
    case 'event.updated':
    case 'event.cancelled':
      return [reload(photosKey(heard.payload.id)), reload(photoKey())]
    case 'guest.updated':
      return heard.payload.guest.user.id === me ? [reload(photosKey(heard.payload.event_id)), reload(photoKey())] : []
    case 'guest.left':
      // Every link to the event's photos died with it, so that who left holds none.
      return [reload(photosKey(heard.payload.event_id)), reload(photoKey())]
    default:
      return []
  }
}

import type { ChannelPayloads } from '@afterglow/sdk/realtime'
import { become, forget, outdate, type Rules, reload } from '../app/cache/change.ts'
import { eachRow, type Listed, withoutRow } from '../app/cache/pages.ts'
import { eventKey, waitingListKey } from '../events/keys.ts'
import { onCommentEvent } from './comments/comments-reducer.ts'
import { commentsKey, likesKey, lovedKey, photoKey, photosKey, repliesKey, timelineKey, waitingKey } from './keys.ts'
import { withPhoto } from './order.ts'
import type { PhotoFilter } from './photo-filter.ts'

type Photo = ChannelPayloads['photo.created']

/** Channel events about photos and their comments. */
export const onGalleryEvent: Rules = (heard, me) => {
  switch (heard.kind) {
    case 'photo.created': {
      const { payload } = heard
      return [
        become<Listed<Photo>>(photosKey(Number(payload.event_id)), (shown, [, , showing]) =>
          withPhoto(shown, payload, showing as PhotoFilter | undefined),
        ),
        outdate(timelineKey(Number(payload.event_id))),
        ...(payload.extra?.waiting ? waitingChanged(Number(payload.event_id)) : []),
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
        become<Listed<Photo>>(waitingKey(Number(payload.event_id)), shown =>
          payload.extra?.waiting || payload.extra?.new_words
            ? shown
            : withoutRow(shown, each => each.id === payload.id),
        ),
        ...(payload.extra?.new_words ? waitingChanged(Number(payload.event_id)) : []),
        ...(heard.kind === 'photo.liked'
          ? [reload(likesKey(payload.id)), outdate(lovedKey(Number(payload.event_id)))]
          : []),
      ]
    }
    case 'photo.deleted': {
      const { id, event_id } = heard.payload
      return [
        forget(photoKey(id)),
        forget(likesKey(id)),
        forget(commentsKey(id)),
        ...[photosKey(Number(event_id)), waitingKey(Number(event_id))].map(key =>
          become<Listed<Photo>>(key, shown => withoutRow(shown, each => each.id === id)),
        ),
        // The next most liked photo moves up.
        reload(lovedKey(Number(event_id))),
        outdate(timelineKey(Number(event_id))),
      ]
    }
    case 'event.updated':
    case 'event.cancelled':
      return reloadPhotos(heard.payload.id)
    case 'guest.updated':
      return heard.payload.guest.user.id === me ? reloadPhotos(heard.payload.event_id) : []
    case 'event.deleted':
      return reloadPhotos(heard.payload.event_id)
    case 'guest.left':
      // A removed guest may hold links of others: all have ended.
      return heard.payload.removed || heard.payload.user_id === me ? reloadPhotos(heard.payload.event_id) : []
    case 'guests.counted':
      return heard.payload.removed ? reloadPhotos(heard.payload.event_id) : []
    default:
      return onCommentEvent(heard, me)
  }
}

/** Only the service knows how many wait. */
const waitingChanged = (eventId: number) => [
  reload(waitingKey(eventId)),
  reload(eventKey(eventId)),
  reload(waitingListKey),
]

const reloadPhotos = (eventId: number) => [
  reload(photosKey(eventId)),
  reload(photoKey()),
  reload(waitingKey(eventId)),
  outdate(timelineKey(eventId)),
  reload(commentsKey()),
  reload(repliesKey()),
]

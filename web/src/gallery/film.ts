import type { Photo } from './queries.ts'

/** The video itself and its large poster image; undefined for a photo, and for a video that is not converted yet. */
export const filmOf = ({ extra, event_photo_url, event_photo_preview_url }: Photo) => {
  if (!extra.video || (extra.video_state && extra.video_state.state !== 'ready')) return undefined
  return { url: event_photo_url, poster: extra.video_state?.poster_url ?? event_photo_preview_url }
}

/** Its picture: until a video is ready, its URL is the poster image. */
export const stillUrlOf = (photo: Photo) => filmOf(photo)?.poster ?? photo.extra.screen_url

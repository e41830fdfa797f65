import type { Photo } from './queries.ts'

/** The film itself and its still, large; undefined for a picture, and for a film that is not converted yet. */
export const filmOf = ({ extra, event_photo_url, event_photo_preview_url }: Photo) => {
  if (!extra.video || (extra.video_state && extra.video_state.state !== 'ready')) return undefined
  return { url: event_photo_url, poster: extra.video_state?.poster_url ?? event_photo_preview_url }
}

/** The picture of it: until a film is ready its address shows the still. */
export const stillUrlOf = (photo: Photo) => filmOf(photo)?.poster ?? photo.extra.screen_url

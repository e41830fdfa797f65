import { sentence } from '@afterglow/contract/words'
import { hold } from '../gallery/duplicates/one-photo.ts'
import { withTimeOf } from '../gallery/photos.ts'
import { addVideo } from '../gallery/videos/video-conversion.ts'
import type { Transaction } from '../platform/database/database.ts'
import { invalid } from '../platform/http/refusals.ts'
import { addHeldPictures } from '../platform/media/records.ts'
import type { StoredPicture } from '../platform/media/store-picture.ts'
import type { StoredVideo } from '../platform/video/store-upload.ts'
import { markUsed, reservedBytes } from './sessions-store.ts'

/* Chats store films here: they count and are converted like those of an album. */

export type Film = {
  picture: StoredPicture
  video: StoredVideo
  /** The resumable uploads of its files. */
  sessionIds: readonly string[]
}

/** Writes a film that a message will show, and ends its resumable uploads. Returns its media's ID. */
export const addFilm = async (
  tx: Transaction,
  { picture, video, sessionIds }: Film,
  { eventId, ownerId }: { eventId: number; ownerId: number },
): Promise<number> => {
  await hold(tx, eventId, { sha256: picture.original.sha256, videoSha256: video.original.sha256 })
  const beside = video.original.bytes - (await reservedBytes(tx, sessionIds))
  const [mediaId] = (await addHeldPictures(tx, [withTimeOf(video, picture)], { eventId, ownerId, beside })) as [number]
  await addVideo(tx, { mediaId, ownerId }, video)
  if (!(await markUsed(tx, sessionIds, null))) invalid('video_session_id', sentence.selected)
  return mediaId
}

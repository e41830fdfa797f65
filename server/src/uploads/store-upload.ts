import { demandSize, storeCompanions } from '../gallery/videos/motion.ts'
import type { FileLimits } from '../platform/http/bodies/multipart.ts'
import type { Turn } from '../platform/jobs/fair-queue.ts'
import type { ReceivedFile } from '../platform/media/received-file.ts'
import type { Storage } from '../platform/media/storage/storage.ts'
import type { Media } from '../platform/media/store-picture.ts'
import type { StoreVideo } from '../platform/video/store-upload.ts'
import { type Kind, kinds } from './sessions-store.ts'
import type { Upload } from './upload-photo.ts'
import type { NamedSessions } from './upload-sessions.ts'

export type Keeping = { media: Media; storage: Storage; keepVideo: StoreVideo; limits: FileLimits }

export const storeUpload = async (
  { media, storage, keepVideo, limits }: Keeping,
  { image, video, raw, live }: Came,
  {
    sessions,
    turn,
    ...words
  }: Pick<Upload, 'eventId' | 'caption' | 'altText'> & { sessions: NamedSessions; turn(): Turn },
): Promise<Upload> => {
  // The contract demands a picture, or a session of one.
  const still = image as ReceivedFile
  const field = sessions.image ? 'image_session_id' : 'image'
  await demandSize(still, field, limits)
  const beside = video ? {} : await storeCompanions(storage, { raw, live })
  return {
    ...words,
    picture: { ...(await media.keep(still, field, turn())), beside },
    video: video && (await keepVideo(video, sessions.video ? 'video_session_id' : 'video', turn())),
    sessions,
  }
}

type Came = Partial<Record<Kind, ReceivedFile>>

/** Takes the first file of each kind; a form holds one. */
export const firsts = (files: Record<string, ReceivedFile[]>): Came =>
  Object.fromEntries(kinds.flatMap(kind => (files[kind]?.[0] ? [[kind, files[kind][0]]] : [])))

export const sumsOf = ({ image, video, raw, live }: Came) => ({
  sha256: image?.sha256 ?? '',
  videoSha256: video?.sha256,
  beside: [raw, live].flatMap(file => file?.sha256 ?? []),
})

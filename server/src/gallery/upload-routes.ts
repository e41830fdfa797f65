import * as contract from '@afterglow/contract/gallery'
import { sentence } from '@afterglow/contract/words'
import { transact } from '../platform/database.ts'
import type { FileLimits } from '../platform/http/multipart.ts'
import { invalid } from '../platform/http/refusals.ts'
import type { Serve } from '../platform/http/serve.ts'
import type { ReceivedFile } from '../platform/media/incoming.ts'
import type { Media } from '../platform/media/records.ts'
import type { SessionFiles } from '../platform/media/session-files.ts'
import type { KeepVideo } from '../platform/video/keeping.ts'
import { galleryFor, galleryToUploadTo } from './access.ts'
import { photosOfSums } from './doubles-store.ts'
import * as photos from './photos.ts'
import { presentKnown } from './present.ts'
import { showPhoto } from './showing.ts'
import { filesOf, idsOf, type Named, photoMadeOf } from './upload-sessions.ts'

type Opening = {
  media: Media
  keepVideo: KeepVideo
  sessionFiles: SessionFiles
  limits: FileLimits & { photosPerGuest: number }
}

/** Photos and videos on their way in. */
export const uploadRoutes = (serve: Serve, { media, keepVideo, sessionFiles, limits }: Opening) => {
  const { photosPerGuest } = limits

  serve(
    contract.uploadPhoto,
    async ({ db, viewer, input, files, once, turn, ...asking }) => {
      const { event_id: eventId } = input
      const sessions = sessionsNamedIn(input, files)
      const made = await photoMadeOf(db, viewer, eventId, sessions)
      if (made !== undefined) return once(db => showPhoto(db, made, { viewer, ...asking }))
      const arrived = await filesOf(db, viewer, eventId, sessions, sessionFiles)
      try {
        const image = (files.image?.[0] ?? arrived.image) as ReceivedFile
        const film = files.video?.[0] ?? arrived.video
        try {
          const sums = { sha256: image.sha256, videoSha256: film?.sha256 }
          const file = { eventId, sums, sessions: idsOf(sessions) }
          await galleryToUploadTo(db, viewer, file, photosPerGuest)
        } catch (refused) {
          // Not before asking for the key: a twin of this request may have taken the last place just now.
          return await once(() => Promise.reject(refused))
        }
        const upload = {
          eventId,
          picture: await media.keep(image, sessions.image ? 'image_session_id' : 'image', turn()),
          video: film && (await keepVideo(film, sessions.video ? 'video_session_id' : 'video', turn())),
          sessions,
          caption: input.event_photo_caption ?? null,
          altText: input.event_photo_alt_text ?? null,
        }
        const photo = await once(db =>
          transact(db, async tx => {
            const id = await photos.uploadPhoto(tx, viewer, upload, photosPerGuest)
            return showPhoto(tx, id, { viewer, ...asking })
          }),
        )
        for (const id of idsOf(sessions)) await sessionFiles.remove(id)
        return photo
      } finally {
        for (const file of Object.values(arrived)) await file.remove()
      }
    },
    {
      keep: ({ id }) => ({ id }),
      replay: async ({ db, input, ...asking }, kept: { id: string }) => {
        await galleryFor(db, asking.viewer, input.event_id, 'mayNotUpload')
        return showPhoto(db, Number(kept.id), asking)
      },
    },
  )

  serve(contract.readUploadLimits, async () => ({
    image_bytes_max: limits.photoBytesMax,
    video_bytes_max: limits.videoBytesMax,
    attachment_bytes_max: limits.attachmentBytesMax,
  }))

  serve(contract.checkUploads, async ({ db, viewer, input }) => {
    const { event_id: eventId, sha256 } = input
    await galleryFor(db, viewer, eventId)
    return { known: (await photosOfSums(db, viewer.id, eventId, sha256)).map(presentKnown) }
  })
}

/** A file comes in the form or by a session, not by both. */
const sessionsNamedIn = (
  input: { image_session_id?: string | undefined; video_session_id?: string | undefined },
  files: Record<string, ReceivedFile[]>,
): Named => {
  const { image_session_id: image, video_session_id: video } = input
  if (image && files.image) invalid('image_session_id', sentence.selected)
  if (video && files.video) invalid('video_session_id', sentence.selected)
  return { ...(image && { image }), ...(video && { video }) }
}

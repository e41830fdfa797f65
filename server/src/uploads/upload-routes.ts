import type { Photo } from '@afterglow/contract/photo'
import * as contract from '@afterglow/contract/uploads'
import { sentence } from '@afterglow/contract/words'
import type { z } from 'zod'
import { galleryFor, galleryToUploadTo, photosOfSumsFor } from '../gallery/access.ts'
import { showPhoto } from '../gallery/show-photo.ts'
import { transact } from '../platform/database/database.ts'
import { invalid } from '../platform/http/refusals.ts'
import type { Serve } from '../platform/http/serve.ts'
import type { ReceivedFile } from '../platform/media/received-file.ts'
import type { SessionFiles } from '../platform/media/storage/session-files.ts'
import { type Kind, kinds, placesHeldBy } from './sessions-store.ts'
import { firsts, type Keeping, storeUpload, sumsOf } from './store-upload.ts'
import { uploadPhoto } from './upload-photo.ts'
import { contentOf, endRepeated, filesOf, idsOf, type NamedSessions, photoMadeOf } from './upload-sessions.ts'

type RouteOptions = Keeping & { sessionFiles: SessionFiles; limits: { photosPerGuest: number } }

export const uploadRoutes = (serve: Serve, opening: RouteOptions) => {
  const { sessionFiles, limits } = opening
  const { photosPerGuest } = limits

  serve(
    contract.uploadPhoto,
    async ({ db, viewer, input, files, once, turn, ...asking }) => {
      const { event_id: eventId } = input
      const sessions = sessionsNamedIn(input, files)
      const made = await photoMadeOf(db, viewer, eventId, sessions)
      if (made !== undefined)
        return once(async db => toldOf(await showPhoto(db, made, { viewer, ...asking }), input, false))
      const arrived = await filesOf(db, viewer, eventId, sessions, sessionFiles)
      try {
        const came = { ...firsts(files), ...arrived }
        // Avoids decoding or storing anything that will be refused; the act decides.
        const placesHeld = placesHeldBy(viewer.id, eventId, { but: idsOf(sessions) })
        await galleryToUploadTo(db, viewer, { eventId, sums: sumsOf(came), placesHeld }, photosPerGuest)
        const upload = await storeUpload(opening, came, { eventId, ...wordsOf(input), sessions, turn })
        const photo = await once(db =>
          transact(db, async tx => {
            const { id, wasThere } = await uploadPhoto(tx, viewer, upload, photosPerGuest)
            return toldOf(await showPhoto(tx, id, { viewer, ...asking }), input, wasThere)
          }),
        )
        // The photo is committed; a file that a failing disk keeps is left to the sweep.
        for (const id of idsOf(sessions)) await sessionFiles.remove(id).catch(() => {})
        return photo
      } finally {
        for (const file of Object.values(arrived)) await file.remove()
      }
    },
    {
      content: ({ db, viewer, ...asking }) => contentOf(db, viewer, asking, sessionFiles),
      keep: ({ id, extra }) => ({ id, ...(extra?.upload?.was_there && { wasThere: true }) }),
      replay: async ({ db, input, ...asking }, kept: { id: string; wasThere?: true }) => {
        await galleryFor(db, asking.viewer, input.event_id, 'mayNotUpload', 'gallery')
        const photo = await showPhoto(db, Number(kept.id), asking)
        await endRepeated(db, asking.viewer, { input, photoId: Number(kept.id) }, sessionFiles)
        return toldOf(photo, input, kept.wasThere === true)
      },
    },
  )

  serve(contract.readUploadLimits, async () => ({
    image_bytes_max: limits.photoBytesMax,
    raw_bytes_max: limits.rawBytesMax,
    video_bytes_max: limits.videoBytesMax,
    attachment_bytes_max: limits.attachmentBytesMax,
  }))

  serve(contract.checkUploads, async ({ db, viewer, input }) => {
    const known = await photosOfSumsFor(db, viewer, input.event_id, input.sha256)
    return { known: known.map(({ sha256, id, mine }) => ({ sha256, event_photo_id: id, mine })) }
  })
}

type PhotoReply = z.output<typeof Photo>
const wordsOf = (input: Words) => ({
  caption: input.event_photo_caption ?? null,
  altText: input.event_photo_alt_text ?? null,
})

type Words = { event_photo_caption?: string | undefined; event_photo_alt_text?: string | undefined }

/** True if the text sent along was used, or there was text before; null if none was sent. */
const toldOf = (photo: PhotoReply, asked: Words, wasThere: boolean): PhotoReply => {
  if (!photo.extra) return photo
  const { caption, alt_text } = photo.extra.new_words ?? photo.extra
  const stands = (given: string | undefined, now: string | null) => (given === undefined ? null : given === now)
  const upload = {
    was_there: wasThere,
    caption_taken: stands(asked.event_photo_caption, caption),
    alt_text_taken: stands(asked.event_photo_alt_text, alt_text),
  }
  return { ...photo, extra: { ...photo.extra, upload } }
}

/** A file comes in the form or by a session, not both. */
const sessionsNamedIn = (
  input: Partial<Record<`${Kind}_session_id`, string | undefined>>,
  files: Record<string, ReceivedFile[]>,
): NamedSessions => {
  const named: NamedSessions = {}
  for (const kind of kinds) {
    const id = input[`${kind}_session_id`]
    if (id && files[kind]) invalid(`${kind}_session_id`, sentence.selected)
    if (id) named[kind] = id
  }
  return named
}

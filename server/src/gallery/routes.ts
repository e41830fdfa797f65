import * as contract from '@afterglow/contract/gallery'
import { sentence } from '@afterglow/contract/words'
import { type Person, personsById, presentMinimalUser } from '../accounts/persons.ts'
import { isOrganizer, type Standing } from '../events/standing.ts'
import { transact } from '../platform/database.ts'
import { rangeOf } from '../platform/http/pages.ts'
import { invalid, refuse } from '../platform/http/refusals.ts'
import type { Serve } from '../platform/http/serve.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { ReceivedFile } from '../platform/media/incoming.ts'
import type { Media } from '../platform/media/records.ts'
import type { SessionFiles } from '../platform/media/session-files.ts'
import type { KeepVideo } from '../platform/video/keeping.ts'
import { commentFor, galleryFor, galleryToUploadTo, photoFor, seesHidden } from './access.ts'
import * as comments from './comments.ts'
import * as commentsStore from './comments-store.ts'
import { listDeletedPhotos } from './deleted-store.ts'
import { photosOfSums } from './doubles-store.ts'
import * as hiding from './hiding.ts'
import { listByMoment } from './moments-store.ts'
import * as photos from './photos.ts'
import { presentDeletedPhoto, presentKnown, presentReaction } from './present.ts'
import { restorePhoto } from './restoring.ts'
import { showComment, showingComments, showingPhotos, showPhoto } from './showing.ts'
import * as store from './store.ts'
import { filesOf, idsOf, type Named, photoMadeOf } from './upload-sessions.ts'

const done = { done: true } as const
const defaultReaction = '❤️'
const orders = {
  newest: [true, false],
  oldest: [false, false],
  taken_newest: [true, true],
  taken_oldest: [false, true],
} as const

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

type Opening = { media: Media; keepVideo: KeepVideo; sessionFiles: SessionFiles; photosPerGuest: number }

const readerOf = ({ id }: Viewer, { standing }: { standing: Standing }) => ({ id, seesHidden: seesHidden(standing) })

export const galleryRoutes = (serve: Serve, { media, keepVideo, sessionFiles, photosPerGuest }: Opening) => {
  serve(
    contract.uploadPhoto,
    async ({ db, viewer, input, files, once, ...asking }) => {
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
          picture: await media.keep(image, sessions.image ? 'image_session_id' : 'image'),
          video: film && (await keepVideo(film, sessions.video ? 'video_session_id' : 'video')),
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
      replay: async ({ db, viewer, input }, kept) => {
        await galleryFor(db, viewer, input.event_id, 'mayNotUpload')
        return kept
      },
    },
  )

  serve(contract.checkUploads, async ({ db, viewer, input }) => {
    const { event_id: eventId, sha256 } = input
    await galleryFor(db, viewer, eventId)
    return { known: (await photosOfSums(db, viewer.id, eventId, sha256)).map(presentKnown) }
  })

  serve(contract.listPhotos, async ({ db, input, page, ...asking }) => {
    const gallery = await galleryFor(db, asking.viewer, input.event_id)
    const [newestFirst, byMoment] = orders[input.sort ?? 'newest']
    const list = {
      eventId: input.event_id,
      takenBy: input.taken_by,
      newestFirst,
      seesHidden: seesHidden(gallery.standing),
    }
    const rows = await (byMoment ? listByMoment : store.listPhotos)(db, asking.viewer.id, list, rangeOf(input))
    return page(rows, await showingPhotos(db, rows, gallery, asking))
  })

  serve(contract.readPhoto, ({ db, input, ...asking }) => showPhoto(db, input.event_photo_id, asking))

  serve(contract.captionPhoto, async ({ db, input, ...asking }) => {
    const { event_photo_id: id, event_photo_caption: caption, event_photo_alt_text: altText } = input
    await photos.describePhoto(db, asking.viewer, id, { caption, altText })
    return showPhoto(db, id, asking)
  })

  serve(contract.likePhoto, async ({ db, input, ...asking }) => {
    await photos.setLiked(db, asking.viewer, input.event_photo_id, true)
    return showPhoto(db, input.event_photo_id, asking)
  })

  serve(contract.unlikePhoto, async ({ db, input, ...asking }) => {
    await photos.setLiked(db, asking.viewer, input.event_photo_id, false)
    return showPhoto(db, input.event_photo_id, asking)
  })

  serve(contract.listLikes, async ({ db, viewer, input, urls, page }) => {
    const photo = await photoFor(db, viewer, input.event_photo_id)
    const ids = await store.listLikers(db, photo.id, rangeOf(input))
    const persons = await personsById(db, ids)
    return page(ids, id => presentMinimalUser(persons.get(id) as Person, urls))
  })

  serve(contract.deletePhoto, async ({ db, viewer, input }) => {
    await photos.deletePhoto(db, viewer, input.event_photo_id)
    return done
  })

  serve(contract.listDeletedPhotos, async ({ db, viewer, input, urls, page }) => {
    const gallery = await galleryFor(db, viewer, input.event_id)
    const takenBy = isOrganizer(gallery.standing) ? undefined : viewer.id
    const rows = await listDeletedPhotos(db, viewer.id, { eventId: gallery.event_id, takenBy }, rangeOf(input))
    const persons = await personsById(
      db,
      rows.map(row => row.taken_by),
    )
    const beside = { mediaEpoch: gallery.media_epoch, urls }
    return page(rows, row => presentDeletedPhoto(row, { ...beside, takenBy: persons.get(row.taken_by) as Person }))
  })

  serve(contract.restorePhoto, async ({ db, input, ...asking }) => {
    await restorePhoto(db, asking.viewer, input.event_photo_id, photosPerGuest)
    return showPhoto(db, input.event_photo_id, asking)
  })

  serve(contract.hidePhoto, async ({ db, input, ...asking }) => {
    await hiding.setPhotoHidden(db, asking.viewer, input.event_photo_id, true)
    return showPhoto(db, input.event_photo_id, asking)
  })

  serve(contract.unhidePhoto, async ({ db, input, ...asking }) => {
    await hiding.setPhotoHidden(db, asking.viewer, input.event_photo_id, false)
    return showPhoto(db, input.event_photo_id, asking)
  })

  serve(contract.hideComment, async ({ db, input, ...asking }) => {
    await hiding.setCommentHidden(db, asking.viewer, input.event_photo_comment_id, true)
    return showComment(db, input.event_photo_comment_id, 'mayNotReadComments', asking)
  })

  serve(contract.unhideComment, async ({ db, input, ...asking }) => {
    await hiding.setCommentHidden(db, asking.viewer, input.event_photo_comment_id, false)
    return showComment(db, input.event_photo_comment_id, 'mayNotReadComments', asking)
  })

  serve(contract.listComments, async ({ db, input, page, ...asking }) => {
    const photo = await photoFor(db, asking.viewer, input.event_photo_id, 'mayNotReadComments')
    const rows = await commentsStore.listComments(db, photo.id, readerOf(asking.viewer, photo), rangeOf(input))
    return page(rows, await showingComments(db, rows, photo, asking))
  })

  serve(contract.listReplies, async ({ db, input, page, ...asking }) => {
    const unknown = () => invalid('event_photo_comment_id', sentence.selected)
    const comment = await commentFor(db, asking.viewer, input.event_photo_comment_id, 'mayNotReadComments', unknown)
    const rows = await commentsStore.listReplies(db, comment.id, readerOf(asking.viewer, comment), rangeOf(input))
    const photo = { taken_by: comment.photo_taken_by, standing: comment.standing }
    return page(rows, await showingComments(db, rows, photo, asking))
  })

  serve(
    contract.saveComment,
    async ({ db, input, once, created, ...asking }) => {
      const { event_photo_id: named, event_photo_comment_id: edited, event_photo_comment_reply_id: repliedTo } = input
      const { event_photo_comment: text } = input
      // The contract demands the photo of everything but an edit.
      const photoId = named as number
      return once(async db => {
        const { viewer } = asking
        if (edited !== undefined) await comments.editComment(db, viewer, { photoId: named, commentId: edited, text })
        else created()
        const id =
          edited ??
          (repliedTo !== undefined
            ? await comments.replyToComment(db, viewer, { photoId, commentId: repliedTo, text })
            : await comments.addComment(db, viewer, { photoId, text }))
        return showComment(db, id, 'mayNotComment', asking)
      })
    },
    {
      replay: async ({ db, viewer }, kept) => {
        await commentFor(db, viewer, kept.id, 'mayNotComment')
        return kept
      },
    },
  )

  serve(contract.deleteComment, async ({ db, viewer, input }) => {
    await comments.deleteComment(db, viewer, input.event_photo_comment_id)
    return done
  })

  serve(contract.reactToComment, async ({ db, input, ...asking }) => {
    const { event_photo_comment_id: id, comment_reaction: reaction = defaultReaction } = input
    await comments.reactToComment(db, asking.viewer, id, reaction)
    return showComment(db, id, 'mayNotReact', asking)
  })

  serve(contract.unreactToComment, async ({ db, input, ...asking }) => {
    await comments.takeReactionBack(db, asking.viewer, input.event_photo_comment_id)
    return showComment(db, input.event_photo_comment_id, 'mayNotReact', asking)
  })

  serve(contract.listCommentReactions, async ({ db, viewer, input, urls, page }) => {
    const unknown = () => refuse('noSuchCommentReaction')
    const comment = await commentFor(db, viewer, input.comment_reaction_id, 'mayNotReact', unknown)
    const rows = await commentsStore.listReactions(db, comment.id, rangeOf(input))
    const persons = await personsById(
      db,
      rows.map(row => row.user_id),
    )
    return page(rows, row => presentReaction(row, { person: persons.get(row.user_id) as Person, urls }))
  })
}

import { openVideoKeeping } from '../platform/video/store-upload.ts'
import type { Needs, Slice } from '../slice.ts'
import { commentFor, photoFor } from './access.ts'
import { eraseDeletedWords, eraseEventWords, forgetFilms, takeGalleryBack } from './account-deletion.ts'
import { albumRoutes } from './album-routes.ts'
import { galleryShowing } from './channel-payloads.ts'
import { commentRoutes } from './comment-routes.ts'
import { galleryExport } from './export.ts'
import { galleryNoticing, openPicturesOf } from './notification-templates.ts'
import { presentSeal } from './present.ts'
import { galleryRecounts } from './recounts-store.ts'
import { revealDue, saveReveal } from './reveal.ts'
import { sealsOf } from './reveal-store.ts'
import { galleryRoutes } from './routes.ts'
import { uploadSessionRoutes } from './session-routes.ts'
import { tellPhotos, tellRecaps } from './tell-photos.ts'
import { uploadRoutes } from './upload-routes.ts'
import { endUploads, sweepSessions } from './upload-sessions.ts'
import { convertingTasks } from './video-conversion.ts'
import { videoFiles } from './videos-store.ts'

export const gallery: Slice = {
  name: 'gallery',
  tables: {
    album_selections: { since: 'created_at', lives: '1 day' },
    comment_reaction_counts: { kept: 'a few a comment' },
    comment_reactions: { kept: 'what people wrote' },
    comments: { kept: 'what people wrote' },
    galleries: { kept: 'one an event' },
    photo_likes: { kept: 'what people chose' },
    photo_quarters: { kept: 'a few an event' },
    photos: { kept: 'what people uploaded' },
    untold_photos: { kept: 'goes when its photo is told, within an hour or two' },
    upload_sessions: { since: 'touched_at', lives: '1 day', prunedBy: 'its slice' },
    videos: { kept: 'one a film' },
  },
  files: [videoFiles],
  schedule: [
    { task: 'tellPhotos', every: '1 minute' },
    { task: 'tellRecaps', every: '1 minute' },
    { task: 'revealPhotos', every: '1 minute' },
  ],
  eventPart: {
    async read(db, events) {
      const seals = await sealsOf(
        db,
        events.map(({ id }) => id),
      )
      return events.map(({ id }) => presentSeal(seals.get(id)))
    },
    save: (tx, eventId, input) =>
      saveReveal(tx, eventId, {
        shown: input.event_photos_shown,
        at: input.event_reveals_at,
        organizersSee: input.event_organizers_see_photos,
      }),
  },
  exports: galleryExport,
  erasesEvent: eraseEventWords,
  deletion: {
    content: takeGalleryBack,
    async traces(db, userId) {
      await eraseDeletedWords(db, userId)
      await forgetFilms(db, userId)
    },
  },
  recounts: galleryRecounts,
  channel: () => galleryShowing,
  notifications: galleryNoticing,
  reportable: {
    async photo(db, viewer, id) {
      const { event_id: eventId, taken_by: userId } = await photoFor(db, viewer, id)
      return { eventId, userId }
    },
    async comment(db, viewer, id) {
      const comment = await commentFor(db, viewer, id, 'mayNotReadComments')
      return { eventId: comment.event_id, userId: comment.user_id, photoId: comment.photo_id }
    },
  },
  gives: ({ signer }) => ({ picturesOf: openPicturesOf(signer) }),
  async open(
    parts: Needs<
      | 'admit'
      | 'background'
      | 'db'
      | 'demandFreeDisk'
      | 'fullSizes'
      | 'limits'
      | 'log'
      | 'media'
      | 'numbers'
      | 'originOf'
      | 'serve'
      | 'server'
      | 'sessionFiles'
      | 'signer'
      | 'storage'
      | 'videos'
    >,
  ) {
    const { server, serve, background, storage, videos, sessionFiles, numbers, log } = parts
    galleryRoutes(serve, numbers)
    commentRoutes(serve)
    const keepVideo = openVideoKeeping(videos, storage, numbers)
    uploadRoutes(serve, { ...parts, keepVideo, limits: numbers })
    albumRoutes(server, parts)
    await server.register(uploadSessionRoutes({ ...parts, limits: numbers }))
    return {
      tasks: {
        tellPhotos: tellPhotos(background),
        tellRecaps: tellRecaps(background),
        revealPhotos: revealDue(background),
        endUploads: endUploads(background, sessionFiles),
      },
      longTasks: videos && convertingTasks({ db: background, videos, has: storage.has, log }),
      prunes: { upload_sessions: () => sweepSessions(background, sessionFiles) },
    }
  },
}

import type { Needs, Slice } from '../slice.ts'
import { photoFor } from './access.ts'
import { eraseDeletedWords, eraseEventWords, forgetFilms, takeGalleryBack } from './account-deletion.ts'
import { galleryShowing } from './channel-payloads.ts'
import { commentFor } from './comments/access.ts'
import { commentReactionRoutes } from './comments/comment-reaction-routes.ts'
import { commentRoutes } from './comments/comment-routes.ts'
import { galleryExport } from './export.ts'
import { likeRoutes } from './likes/like-routes.ts'
import { selectWaiting } from './moderation/decisions-store.ts'
import { moderationRoutes } from './moderation/moderation-routes.ts'
import { moveReveal, revealDue, saveReveal } from './moderation/reveal.ts'
import { dueReveal, saveAsking, sealsOf } from './moderation/reveal-store.ts'
import { galleryNoticing, openPicturesOf } from './notification-templates.ts'
import { announcePhotos, announceRecaps, announceWaiting } from './photo-announcements/announce-photos.ts'
import { presentSeal } from './present.ts'
import { galleryRecounts } from './recounts-store.ts'
import { galleryRoutes } from './routes.ts'
import { photosSeenAmong } from './store.ts'
import { convertingTaskNames, convertingTasks } from './videos/video-conversion.ts'
import { videoFiles } from './videos/videos-store.ts'

export const gallery: Slice = {
  name: 'gallery',
  tables: {
    comment_reaction_counts: { kept: 'a few a comment' },
    comment_reactions: { kept: 'what people wrote' },
    comments: { kept: 'what people wrote' },
    galleries: { kept: 'one an event' },
    photo_decisions: { since: 'decided_at', lives: '1 day' },
    photo_likes: { kept: 'what people chose' },
    photo_quarters: { kept: 'a few an event' },
    photos: { kept: 'what people uploaded' },
    untold_photos: { kept: 'goes when its photo is told, within an hour or two' },
    videos: { kept: 'one a film' },
  },
  files: [videoFiles],
  schedule: [
    { task: 'tellPhotos', every: '1 minute' },
    { task: 'tellRecaps', every: '1 minute' },
    { task: 'tellWaiting', every: '1 minute' },
    { task: 'revealPhotos', when: dueReveal },
  ],
  eventPart: {
    async read(db, events) {
      const seals = await sealsOf(
        db,
        events.map(({ id }) => id),
      )
      return events.map(({ id }) => presentSeal(seals.get(id)))
    },
    move: moveReveal,
    async save(tx, saved, input) {
      const { event_asks_for_photos: asksForPhotos } = input
      if (asksForPhotos !== undefined) await saveAsking(tx, saved.id, asksForPhotos)
      await saveReveal(tx, saved, {
        shown: input.event_photos_shown,
        at: input.event_reveals_at,
        organizersSee: input.event_organizers_see_photos,
      })
    },
  },
  opens: {
    like: ['removal', 'sending away'],
    'reaction to a comment': ['removal', 'sending away'],
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
  waiting: { photos: { may: 'approve', count: selectWaiting } },
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
  gives: ({ signer }) => ({ picturesOf: openPicturesOf(signer), photosSeenAmong }),
  open({
    serve,
    background,
    storage,
    videos,
    numbers,
    log,
  }: Needs<'background' | 'log' | 'numbers' | 'serve' | 'storage' | 'videos'>) {
    galleryRoutes(serve, numbers)
    likeRoutes(serve)
    moderationRoutes(serve, numbers)
    commentRoutes(serve)
    commentReactionRoutes(serve)
    return {
      longTaskNames: convertingTaskNames,
      tasks: {
        tellPhotos: announcePhotos(background),
        tellRecaps: announceRecaps(background),
        tellWaiting: announceWaiting(background),
        revealPhotos: revealDue(background),
      },
      longTasks: videos && convertingTasks({ db: background, videos, has: storage.has, log }),
    }
  },
}

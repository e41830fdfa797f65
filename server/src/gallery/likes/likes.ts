import { announce } from '../../log/announce.ts'
import { takeBack } from '../../notifications/mark-read.ts'
import { type Db, transact } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { photoToAnswer } from '../access.ts'
import { tags } from '../notification-tags.ts'
import * as store from './likes-store.ts'

/** Likes a photo or removes the like; repeating it has no effect. */
export const setLiked = (db: Db, viewer: Viewer, id: number, liked: boolean) =>
  transact(db, async tx => {
    const { event_id: eventId, taken_by: userId } = await photoToAnswer(tx, viewer, id)
    const changed = (await store.setLiked(tx, viewer.id, id, liked)) ?? refuse('noSuchPhoto')
    if (!changed) return
    const like = { kind: 'photo.liked', audience: 'event', eventId, actorId: viewer.id, subjectId: id } as const
    await announce(tx, { ...like, ...(liked && { notify: true }) })
    if (!liked) await takeBack(tx, { userId, tag: tags.likes(id), actorId: viewer.id })
  })

import { withdrawTagged } from '../../notifications/mark-read.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { renewMedia } from '../../platform/media/records.ts'
import { commentIdsOf } from '../comments/comments-store.ts'
import { forgetDoubles } from '../duplicates/duplicates-store.ts'
import { tagsOfComment, tagsOfPhoto } from '../notification-tags.ts'

/** Content that everybody saw until now vanishes with its URLs and its notifications. */
export const vanish = async (tx: Transaction, eventId: number, photos: readonly { id: number; media_id: number }[]) => {
  if (photos.length === 0) return
  await renewMedia(
    tx,
    photos.map(photo => photo.media_id),
  )
  const tags: string[] = []
  for (const { id } of photos) tags.push(...tagsOfPhoto(id), ...(await commentIdsOf(tx, id)).flatMap(tagsOfComment))
  await withdrawTagged(tx, eventId, tags, 'hidden')
  await forgetDoubles(
    tx,
    photos.map(({ id }) => id),
  )
}

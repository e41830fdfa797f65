import { sql } from 'kysely'
import type { NoticeTemplates, PicturesOf } from '../notifications/notices.ts'
import type { Signer } from '../platform/media/signed-url.ts'
import { commentNoticing } from './comments/notification-templates.ts'
import { likeNoticing } from './likes/notification-templates.ts'
import { photosNoticing } from './photo-announcements/notification-templates.ts'

export const galleryNoticing: NoticeTemplates = { ...photosNoticing, ...likeNoticing, ...commentNoticing }

/** Signed when they are sent: the app that displays a push has no session to fetch them with. */
export const openPicturesOf =
  ({ sign }: Pick<Signer, 'sign'>): PicturesOf =>
  async (db, photoIds) => {
    const { rows } = await sql<{ id: number; object: number; epoch: number; ending: string }>`
      select p.id, p.media_id as object, e.media_epoch + p.picture_epoch as epoch, split_part(p.endings, ' ', 2) as ending
      from photos p join events e on e.id = p.event_id and e.deleted_at is null
      where p.id = any(${photoIds}::bigint[]) and p.deleted_at is null and p.hidden_at is null`.execute(db)
    return new Map(rows.map(({ id, ...of }) => [id, `/${sign({ ...of, variant: 'preview' })}`]))
  }

import { reasons } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import type { ChangeRow } from '../../log/announce.ts'
import type { NoticeTemplates } from '../../notifications/notices.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { allRows } from '../../platform/database/rows.ts'
import { aboutPhoto, eventAndActor, idsOf, ifPresent, noticeColumns, type OfPhoto } from '../notices-sql.ts'
import { tags } from '../notification-tags.ts'

export const likeNoticing: NoticeTemplates = {
  'photo.liked': async (tx, changes) => {
    const likes = await readLikes(tx, changes)
    return new Map(
      likes.map(told => [
        told.id,
        [
          {
            ...aboutPhoto(told),
            kind: 'photo_like',
            to: ifPresent(told.taken_by, told),
            values: { actor: told.actor, event: told.event },
            subjectId: told.photo_id,
            tag: tags.likes(told.photo_id),
            reason: reasons.ownPhoto,
          },
        ],
      ]),
    )
  },
}

/** Everyone in the event sees their own photos. */
const takerPresent = sql`array(
  select g.user_id::float8 from members g where g.event_id = e.id and g.user_id = p.taken_by) as present`
/** Existing likes of photos, which are locked until the transaction ends. */
const readLikes = (tx: Transaction, changes: readonly ChangeRow[]) => allRows<OfPhoto>(tx)`
    select ${noticeColumns}, ${takerPresent}
    from changes c join photos p on p.id = c.subject_id and p.deleted_at is null and p.hidden_at is null ${eventAndActor}
    where c.id = any(${idsOf(changes)}::bigint[])
      and exists (select from photo_likes l where l.photo_id = p.id and l.user_id = c.actor_id)
    order by p.id, c.id for share of p`

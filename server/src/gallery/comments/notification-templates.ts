import { reasons } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import { type Mention, mentionedPeople, mentionsIn, stillIn } from '../../events/announcements/mentions.ts'
import type { ChangeRow } from '../../log/announce.ts'
import { excerpt } from '../../notifications/excerpt.ts'
import type { Notice, NoticeChanges, NoticeTemplates } from '../../notifications/notices.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { allRows } from '../../platform/database/rows.ts'
import {
  aboutPhoto,
  eventAndActor,
  idsOf,
  ifPresent,
  noticeColumns,
  type OfPhoto,
  photosPeople,
} from '../notices-sql.ts'
import { tags } from '../notification-tags.ts'

type OfComment = OfPhoto & {
  comment_id: number
  author_id: number
  text: string
  parent_id: number | null
  parent_author_id: number | null
  /** The announced reaction still exists. */
  reacts: boolean
}

const among = (people: string) => sql`array(
  select g.user_id::float8 from ${photosPeople} and g.user_id in (${sql.raw(people)})) as present`
/** Comments, locked until the transaction ends. */
const readComments = (tx: Transaction, changes: readonly ChangeRow[]) => allRows<OfComment>(tx)`
    select ${noticeColumns}, ${among('p.taken_by, m.user_id, above.user_id')},
      m.id as comment_id, m.user_id as author_id, m.text, m.parent_id, above.user_id as parent_author_id,
      exists (select from comment_reactions r
        where r.comment_id = m.id and r.user_id = c.actor_id and r.reaction = c.detail ->> 'reaction') as reacts
    from changes c join comments m on m.id = c.subject_id and m.deleted_at is null and m.hidden_at is null
      join photos p on p.id = m.photo_id and p.deleted_at is null and p.hidden_at is null ${eventAndActor}
      left join comments above on above.id = m.parent_id
    where c.id = any(${idsOf(changes)}::bigint[]) and above.hidden_at is null
    order by p.id, m.id, c.id for share of p, m`

const aboutComment = (told: OfComment) => ({
  ...aboutPhoto(told),
  values: { actor: told.actor, event: told.event, text: excerpt(told.text) },
  subjectId: told.comment_id,
})

const mention = (told: OfComment, to: ReadonlySet<number> | undefined): Notice => ({
  ...aboutComment(told),
  kind: 'comment_mention',
  to: [...(to ?? [])],
  tag: tags.mentions(told.photo_id),
  reason: reasons.mentioned,
})

const ofComments =
  (
    write: (tx: Transaction, told: readonly OfComment[], changes: readonly ChangeRow[]) => Promise<Notice[][]>,
  ): NoticeChanges =>
  async (tx, changes) => {
    const told = await readComments(tx, changes)
    const notices = await write(tx, told, changes)
    return new Map(told.map(({ id }, at) => [id, notices[at] ?? []]))
  }

export const commentNoticing: NoticeTemplates = {
  'comment.created': ofComments(async (tx, all) => {
    const mentioned = await mentionedPeople(
      tx,
      all.map(told => ({ eventId: told.event_id, mentions: mentionsIn(told.text) })),
      'browse',
    )
    return all.map((told, at) => [
      mention(told, mentioned[at]),
      {
        ...aboutComment(told),
        kind: 'comment_reply',
        to: ifPresent(told.parent_author_id, told),
        tag: tags.replies(told.parent_id ?? 0),
        reason: reasons.replyToComment,
      },
      {
        ...aboutComment(told),
        kind: 'photo_comment',
        to: ifPresent(told.taken_by, told),
        tag: tags.comments(told.photo_id),
        reason: reasons.ownPhoto,
      },
    ])
  }),

  /** For an edit, only people newly mentioned. */
  'comment.updated': ofComments(async (tx, all, changes) => {
    const added = new Map(changes.map(({ id, detail }) => [id, (detail?.mentions ?? []) as Mention[]]))
    const mentioned = await mentionedPeople(
      tx,
      all.map(told => ({ eventId: told.event_id, mentions: stillIn(told.text, added.get(told.id) ?? []) })),
      'browse',
    )
    return all.map((told, at) => [mention(told, mentioned[at])])
  }),

  'comment.reacted': ofComments(async (_, all, changes) => {
    const reactions = new Map(changes.map(({ id, detail }) => [id, detail?.reaction]))
    return all.map(told => [
      {
        ...aboutComment(told),
        values: { ...aboutComment(told).values, emoji: reactions.get(told.id) },
        kind: 'comment_reaction',
        to: told.reacts ? ifPresent(told.author_id, told) : [],
        tag: tags.reactions(told.comment_id),
        reason: reasons.ownComment,
      },
    ])
  }),
}

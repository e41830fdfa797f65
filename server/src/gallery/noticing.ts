import { reasons } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import { type Mention, mentionedPeople, mentionsIn, stillIn } from '../events/mentions.ts'
import type { ChangeRow } from '../notifications/announcing.ts'
import { excerpt } from '../notifications/excerpt.ts'
import type { Notice, NoticeChanges, Noticing } from '../notifications/notices.ts'
import type { Transaction } from '../platform/database.ts'

/* What people say and like in galleries, told to those whose photos and comments these are. */

export const tags = {
  likes: (photoId: number) => `photo:${photoId}:likes`,
  comments: (photoId: number) => `photo:${photoId}:comments`,
  mentions: (photoId: number) => `photo:${photoId}:mentions`,
  replies: (commentId: number) => `comment:${commentId}:replies`,
  reactions: (commentId: number) => `comment:${commentId}:reactions`,
}

/** Under which tags something is told of a photo, or of what people do with a comment. */
export const tagsOfPhoto = (id: number) => [tags.likes(id), tags.comments(id), tags.mentions(id)]
export const tagsOfComment = (id: number) => [tags.replies(id), tags.reactions(id)]
/** What tells that a comment was made. */
export const tellsOfComment = ['photo_comment', 'comment_mention', 'comment_reply'] as const
/** What has a comment's words in it. */
export const quotesComment = [...tellsOfComment, 'comment_reaction'] as const

/** A change in a gallery with what its text needs. */
type OfPhoto = {
  id: number
  event_id: number
  event: string
  actor: string
  photo_id: number
  taken_by: number
  /** Who of those whose photo or comment it is about is in the event. */
  present: number[]
}
type OfComment = OfPhoto & {
  comment_id: number
  author_id: number
  text: string
  parent_id: number | null
  parent_author_id: number | null
  /** Whether the reaction that the change tells of is still there. */
  reacts: boolean
}

const common = sql`c.id, e.id as event_id, e.name as event, concat_ws(' ', a.first_name, nullif(a.last_name, '')) as actor,
  p.id as photo_id, p.taken_by`
const eventAndActor = sql`
  join events e on e.id = p.event_id and e.deleted_at is null join users a on a.id = c.actor_id`
const among = (people: string) => sql`array(
  select g.user_id::float8 from guests g
  where g.event_id = e.id and g.user_id in (${sql.raw(people)}) and g.ended_at is null) as present`
const idsOf = (changes: readonly ChangeRow[]) => changes.map(({ id }) => id)

/** Likes that are still there, of photos that stay until the transaction ends. */
const readLikes = async (tx: Transaction, changes: readonly ChangeRow[]) => {
  const { rows } = await sql<OfPhoto>`
    select ${common}, ${among('p.taken_by')}
    from changes c join photos p on p.id = c.subject_id and p.deleted_at is null and p.hidden_at is null ${eventAndActor}
    where c.id = any(${idsOf(changes)}::bigint[])
      and exists (select from photo_likes l where l.photo_id = p.id and l.user_id = c.actor_id)
    order by p.id, c.id for share of p`.execute(tx)
  return rows
}

/** Comments that stay until the transaction ends. */
const readComments = async (tx: Transaction, changes: readonly ChangeRow[]) => {
  const { rows } = await sql<OfComment>`
    select ${common}, ${among('p.taken_by, m.user_id, above.user_id')},
      m.id as comment_id, m.user_id as author_id, m.text, m.parent_id, above.user_id as parent_author_id,
      exists (select from comment_reactions r
        where r.comment_id = m.id and r.user_id = c.actor_id and r.reaction = c.detail ->> 'reaction') as reacts
    from changes c join comments m on m.id = c.subject_id and m.deleted_at is null and m.hidden_at is null
      join photos p on p.id = m.photo_id and p.deleted_at is null and p.hidden_at is null ${eventAndActor}
      left join comments above on above.id = m.parent_id
    where c.id = any(${idsOf(changes)}::bigint[]) and above.hidden_at is null
    order by p.id, m.id, c.id for share of p, m`.execute(tx)
  return rows
}

const about = ({ event_id, photo_id }: OfPhoto) => ({
  link: `/events/${event_id}/photos/${photo_id}`,
  eventId: event_id,
})
const aboutComment = (told: OfComment) => ({ ...about(told), body: excerpt(told.text), subjectId: told.comment_id })
const only = (userId: number | null, { present }: OfPhoto) => present.filter(id => id === userId)

const mention = (told: OfComment, to: ReadonlySet<number> | undefined): Notice => ({
  ...aboutComment(told),
  kind: 'comment_mention',
  to: [...(to ?? [])],
  title: `${told.actor} mentioned you in a comment`,
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

export const galleryNoticing: Noticing = {
  'photo.liked': async (tx, changes) => {
    const likes = await readLikes(tx, changes)
    return new Map(
      likes.map(told => [
        told.id,
        [
          {
            ...about(told),
            kind: 'photo_like',
            to: only(told.taken_by, told),
            title: told.event,
            body: `${told.actor} likes your photo.`,
            subjectId: told.photo_id,
            tag: tags.likes(told.photo_id),
            reason: reasons.ownPhoto,
          },
        ],
      ]),
    )
  },

  'comment.created': ofComments(async (tx, all) => {
    const mentioned = await mentionedPeople(
      tx,
      all.map(told => ({ eventId: told.event_id, mentions: mentionsIn(told.text) })),
    )
    return all.map((told, at) => [
      mention(told, mentioned[at]),
      {
        ...aboutComment(told),
        kind: 'comment_reply',
        to: only(told.parent_author_id, told),
        title: `${told.actor} replied to your comment`,
        tag: tags.replies(told.parent_id ?? 0),
        reason: reasons.replyToComment,
      },
      {
        ...aboutComment(told),
        kind: 'photo_comment',
        to: only(told.taken_by, told),
        title: `${told.actor} commented on your photo`,
        tag: tags.comments(told.photo_id),
        reason: reasons.ownPhoto,
      },
    ])
  }),

  /** Of an edit only whom it mentions anew. */
  'comment.updated': ofComments(async (tx, all, changes) => {
    const added = new Map(changes.map(({ id, detail }) => [id, (detail?.mentions ?? []) as Mention[]]))
    const mentioned = await mentionedPeople(
      tx,
      all.map(told => ({ eventId: told.event_id, mentions: stillIn(told.text, added.get(told.id) ?? []) })),
    )
    return all.map((told, at) => [mention(told, mentioned[at])])
  }),

  'comment.reacted': ofComments(async (_, all, changes) => {
    const reactions = new Map(changes.map(({ id, detail }) => [id, detail?.reaction]))
    return all.map(told => [
      {
        ...aboutComment(told),
        kind: 'comment_reaction',
        to: told.reacts ? only(told.author_id, told) : [],
        title: `${told.actor} reacted ${reactions.get(told.id)} to your comment`,
        tag: tags.reactions(told.comment_id),
        reason: reasons.ownComment,
      },
    ])
  }),
}

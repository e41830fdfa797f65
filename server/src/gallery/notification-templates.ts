import { audienceMay } from '@afterglow/contract/capabilities'
import { reasons } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import { type Mention, mentionedPeople, mentionsIn, stillIn } from '../events/announcements/mentions.ts'
import { roleMay } from '../events/standing-sql.ts'
import type { ChangeRow } from '../log/announce.ts'
import { excerpt, nameToRing } from '../notifications/excerpt.ts'
import type { Notice, NoticeChanges, Noticing, PicturesOf } from '../notifications/notices.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { Signer } from '../platform/media/signed-url.ts'
import type { PhotosAdded } from './telling/tell-photos.ts'

/* Notifications about comments and likes, for those whose photos and comments they concern. */

export const tags = {
  added: (eventId: number) => `photos:${eventId}`,
  likes: (photoId: number) => `photo:${photoId}:likes`,
  comments: (photoId: number) => `photo:${photoId}:comments`,
  mentions: (photoId: number) => `photo:${photoId}:mentions`,
  replies: (commentId: number) => `comment:${commentId}:replies`,
  reactions: (commentId: number) => `comment:${commentId}:reactions`,
}

/** The tags of notifications about a photo, or about acts on a comment. */
export const tagsOfPhoto = (id: number) => [tags.likes(id), tags.comments(id), tags.mentions(id)]
export const tagsOfComment = (id: number) => [tags.replies(id), tags.reactions(id)]
/** Notifications that a comment was added. */
export const tellsOfComment = ['photo_comment', 'comment_mention', 'comment_reply'] as const
/** Notifications containing a comment's text. */
export const quotesComment = [...tellsOfComment, 'comment_reaction'] as const

/** A change in a gallery with everything its text needs. */
type OfPhoto = {
  id: number
  event_id: number
  event: string
  actor: string
  photo_id: number
  taken_by: number
  /** Those of the owners of the photo or comment who are in the event. */
  present: number[]
}
type OfComment = OfPhoto & {
  comment_id: number
  author_id: number
  text: string
  parent_id: number | null
  parent_author_id: number | null
  /** Whether the reaction that the change announces still exists. */
  reacts: boolean
}

const common = sql`c.id, e.id as event_id, e.name as event, concat_ws(' ', a.first_name, nullif(a.last_name, '')) as actor,
  p.id as photo_id, p.taken_by`
const eventAndActor = sql`
  join events e on e.id = p.event_id and e.deleted_at is null join users a on a.id = c.actor_id`
/** Of the people of the event `e`, those who see its album. */
const albumsPeople = sql`members g where g.event_id = e.id and ${roleMay(sql`g.role`, 'album')}`
const among = (people: string) => sql`array(
  select g.user_id::float8 from ${albumsPeople} and g.user_id in (${sql.raw(people)})) as present`
/** Their own photo is seen by whoever is in the event. */
const takerPresent = sql`array(
  select g.user_id::float8 from members g where g.event_id = e.id and g.user_id = p.taken_by) as present`
const idsOf = (changes: readonly ChangeRow[]) => changes.map(({ id }) => id)

/** Existing likes of photos, which are locked until the transaction ends. */
const readLikes = async (tx: Transaction, changes: readonly ChangeRow[]) => {
  const { rows } = await sql<OfPhoto>`
    select ${common}, ${takerPresent}
    from changes c join photos p on p.id = c.subject_id and p.deleted_at is null and p.hidden_at is null ${eventAndActor}
    where c.id = any(${idsOf(changes)}::bigint[])
      and exists (select from photo_likes l where l.photo_id = p.id and l.user_id = c.actor_id)
    order by p.id, c.id for share of p`.execute(tx)
  return rows
}

/** Comments, locked until the transaction ends. */
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

type Added = { id: number; taken_by: number; taker: string; at: number }
type Gathering = {
  change_id: number
  event_id: number
  event: string
  photos: Added[]
  /** Everybody in the event, and since when organizers want to hear of photos immediately. */
  members: { id: number; since: number | null }[]
  /** Which of them and of those who added photos have blocked the other. */
  apart: [number, number][]
}

/** Photos that were added and still exist, with everybody who may be notified. */
const readAdded = async (tx: Transaction, changes: readonly ChangeRow[]) => {
  await sql`select from photos where id = any(${changes.flatMap(({ detail }) => (detail as PhotosAdded).photos)}::bigint[])
    order by id for share`.execute(tx)
  const { rows } = await sql<Gathering>`
    select c.id as change_id, e.id as event_id, e.name as event,
      (select coalesce(json_agg(json_build_object('id', p.id, 'taken_by', p.taken_by,
          'at', extract(epoch from p.created_at), 'taker', concat_ws(' ', u.first_name, nullif(u.last_name, ''))) order by p.id), '[]')
        from photos p join users u on u.id = p.taken_by
        where p.id in (select jsonb_array_elements_text(c.detail -> 'photos')::bigint)
          and p.deleted_at is null and p.hidden_at is null) as photos,
      (select coalesce(json_agg(json_build_object('id', g.user_id,
          'since', case when ${roleMay(sql`g.role`, audienceMay.organizers)} then extract(epoch from s.photos_at_once_since) end)), '[]')
        from members g left join event_notification_settings s on s.event_id = g.event_id and s.user_id = g.user_id
        where g.event_id = e.id and ${roleMay(sql`g.role`, 'album')}) as members,
      (select coalesce(json_agg(json_build_array(b.user_id, b.other_id)), '[]') from blocked_pairs b
        where b.other_id in (select p.taken_by from photos p
            where p.id in (select jsonb_array_elements_text(c.detail -> 'photos')::bigint))
          and b.user_id in (select g.user_id from members g where g.event_id = e.id)) as apart
    from changes c join events e on e.id = c.event_id and e.deleted_at is null
    where c.id = any(${idsOf(changes)}::bigint[]) order by c.id`.execute(tx)
  return rows
}

/** How many pictures accompany a push, newest first. */
const pushedMax = 3
const pushed = (photos: readonly Added[]) =>
  photos
    .slice(-pushedMax)
    .toReversed()
    .map(({ id }) => id)

/** One notice for all recipients of the same photos: nobody is notified of their own, nor across a block. */
const noticesOfAdded = ({ event_id, event, photos, members, apart }: Gathering, { atOnce }: PhotosAdded): Notice[] => {
  const takers = new Set(photos.map(({ taken_by }) => taken_by))
  const blocked = Map.groupBy(apart, ([id]) => id)
  const groups = new Map<string, { to: number[]; shown: readonly Added[] }>()
  for (const { id, since } of members) {
    const without = [...(takers.has(id) ? [id] : []), ...(blocked.get(id) ?? []).map(([, other]) => other)].sort()
    const key = `${since} ${without}`
    const group = groups.get(key) ?? {
      to: [],
      shown: photos.filter(
        ({ taken_by, at }) => !without.includes(taken_by) && atOnce === (since !== null && at >= since),
      ),
    }
    group.to.push(id)
    groups.set(key, group)
  }
  return [...groups.values()].flatMap(({ to, shown }): Notice[] => {
    const newest = shown.at(-1)
    if (!newest) return []
    const others = new Set(shown.map(({ taken_by }) => taken_by)).size - 1
    return [
      {
        kind: 'photos_added',
        to,
        count: shown.length,
        actorId: newest.taken_by,
        values: {
          actor: nameToRing(newest.taker),
          event: nameToRing(event),
          photos: shown.length,
          others,
          shown: pushed(shown),
        },
        link: `/events/${event_id}/photos`,
        eventId: event_id,
        subjectId: newest.id,
        tag: tags.added(event_id),
        reason: reasons.inEvent,
      },
    ]
  })
}

type Summed = {
  change_id: number
  event_id: number
  event: string
  members: number[]
  photos: number
  people: number
  loved: number | null
  likes: number
}

const readSums = async (tx: Transaction, changes: readonly ChangeRow[]) => {
  const { rows } = await sql<Summed>`
    select c.id as change_id, e.id as event_id, e.name as event,
      array(select g.user_id::float8 from ${albumsPeople}) as members,
      sums.photos, sums.people, loved.id as loved, coalesce(loved.likes_count, 0) as likes
    from changes c join events e on e.id = c.event_id and e.deleted_at is null and e.status = 1
      cross join lateral (select count(*) as photos, count(distinct p.taken_by) as people from photos p
        where p.event_id = e.id and p.deleted_at is null and p.hidden_at is null) sums
      left join lateral (select p.id, p.likes_count from photos p
        where p.event_id = e.id and p.deleted_at is null and p.hidden_at is null
        order by p.likes_count desc, p.id desc limit 1) loved on true
    where c.id = any(${idsOf(changes)}::bigint[]) and sums.photos > 0`.execute(tx)
  return rows
}

const about = ({ event_id, photo_id }: OfPhoto) => ({
  link: `/events/${event_id}/photos/${photo_id}`,
  eventId: event_id,
})
const aboutComment = (told: OfComment) => ({
  ...about(told),
  values: { actor: told.actor, event: told.event, text: excerpt(told.text) },
  subjectId: told.comment_id,
})
const only = (userId: number | null, { present }: OfPhoto) => present.filter(id => id === userId)

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

export const galleryNoticing: Noticing = {
  'photos.added': async (tx, changes) => {
    const details = new Map(changes.map(({ id, detail }) => [id, detail as PhotosAdded]))
    const added = await readAdded(tx, changes)
    return new Map(
      added.map(one => [
        one.change_id,
        noticesOfAdded(one, details.get(one.change_id) ?? { photos: [], atOnce: false }),
      ]),
    )
  },

  'recap.due': async (tx, changes) =>
    new Map(
      (await readSums(tx, changes)).map(({ change_id, event_id, event, members, loved, photos, people, likes }) => [
        change_id,
        [
          {
            kind: 'recap',
            to: members,
            actorId: null,
            values: { event: nameToRing(event), photos, people, likes },
            link: `/events/${event_id}/photos`,
            eventId: event_id,
            subjectId: loved,
            tag: `recap:${event_id}`,
            reason: reasons.inEvent,
          },
        ],
      ]),
    ),

  'photos.revealed': async (tx, changes) =>
    new Map(
      (await readSums(tx, changes)).map(({ change_id, event_id, event, members, photos, people }) => [
        change_id,
        [
          {
            kind: 'photos_revealed',
            to: members,
            actorId: null,
            values: { event: nameToRing(event), photos, people },
            link: `/events/${event_id}/photos`,
            eventId: event_id,
            subjectId: event_id,
            tag: `revealed:${event_id}`,
            reason: reasons.inEvent,
          },
        ],
      ]),
    ),

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
            values: { actor: told.actor, event: told.event },
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
      'browse',
    )
    return all.map((told, at) => [
      mention(told, mentioned[at]),
      {
        ...aboutComment(told),
        kind: 'comment_reply',
        to: only(told.parent_author_id, told),
        tag: tags.replies(told.parent_id ?? 0),
        reason: reasons.replyToComment,
      },
      {
        ...aboutComment(told),
        kind: 'photo_comment',
        to: only(told.taken_by, told),
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
        to: told.reacts ? only(told.author_id, told) : [],
        tag: tags.reactions(told.comment_id),
        reason: reasons.ownComment,
      },
    ])
  }),
}

/** Signed when they are sent, because whatever displays a push has no session to fetch them with. */
export const openPicturesOf =
  ({ sign }: Pick<Signer, 'sign'>): PicturesOf =>
  async (db, photoIds) => {
    const { rows } = await sql<{ id: number; object: number; epoch: number; ending: string }>`
      select p.id, p.media_id as object, e.media_epoch + p.picture_epoch as epoch, split_part(p.endings, ' ', 2) as ending
      from photos p join events e on e.id = p.event_id and e.deleted_at is null
      where p.id = any(${photoIds}::bigint[]) and p.deleted_at is null and p.hidden_at is null`.execute(db)
    return new Map(rows.map(({ id, ...of }) => [id, `/${sign({ ...of, variant: 'preview' })}`]))
  }

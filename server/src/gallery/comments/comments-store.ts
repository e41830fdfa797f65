import type { Standing } from '@afterglow/contract/capabilities'
import { type RawBuilder, sql } from 'kysely'
import type { PersonBeside } from '../../accounts/persons.ts'
import { personBeside } from '../../accounts/persons-sql.ts'
import { ifMayInEvent, roleMay, shownTo, standingIn } from '../../events/standing-sql.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { allRows, allValues, firstRow, firstValue, run } from '../../platform/database/rows.ts'
import { leaveGap, pageStart, pageStartFromTop, rowsToFetch } from '../../platform/database/sequence-pages.ts'
import { photo } from '../photo-sql.ts'
import type { Range } from '../store.ts'

/*
 * Every change that adds or removes a comment locks the photo's row first, so that the counts of the photo and of the
 * parent comment equal their rows.
 */

export type CommentRow = PersonBeside & {
  id: number
  photo_id: number
  /** Null unless it is a reply. */
  parent_id: number | null
  user_id: number
  text: string
  replies_count: number
  edited_at: Date | null
  created_at: Date
  updated_at: Date
  hidden_at: Date | null
}

/** A comment with the uploader of the photo, and the viewer's standing in the event. */
export type FoundComment = CommentOfMember & Above & { event_id: number }

/** The photo and the parent comment. */
type Above = {
  photo_taken_by: number
  photo_hidden_at: Date | null
  photo_sealed_from: string | null
  photo_waits: boolean
  parent_user_id: number | null
  parent_hidden_at: Date | null
}
export type PlacedComment = CommentRow & Above

const columns = sql`
  ${personBeside}, c.id, c.photo_id, c.parent_id, c.user_id, c.text, c.replies_count, c.edited_at, c.created_at, c.updated_at,
  c.hidden_at`
const placed = sql`
  ${columns}, p.taken_by as photo_taken_by, p.hidden_at as photo_hidden_at,
  p.sealed_from as photo_sealed_from, p.waits as photo_waits, above.user_id as parent_user_id, above.hidden_at as parent_hidden_at
  from comments c join users u on u.id = c.user_id join photos p on p.id = c.photo_id join events e on e.id = p.event_id
  left join comments above on above.id = c.parent_id`

const isBlocked = (viewerId: number, author: RawBuilder<unknown>) =>
  sql`exists (select from blocks b where b.blocker_id = ${viewerId} and b.blocked_id = ${author})`

const commentWhere = (db: Db, viewerId: number, id: number, state: RawBuilder<unknown>) => firstRow<FoundComment>(db)`
    select p.event_id, ${standingIn(viewerId)} as standing, ${isBlocked(viewerId, sql`c.user_id`)} as blocked, ${placed}
    where c.id = ${id} and ${state} and p.deleted_at is null and e.deleted_at is null`
export const findComment = (db: Db, viewerId: number, id: number): Promise<FoundComment | undefined> =>
  commentWhere(db, viewerId, id, sql`c.deleted_at is null`)
export const findDeletedComment = (db: Db, viewerId: number, id: number): Promise<FoundComment | undefined> =>
  commentWhere(db, viewerId, id, sql`c.deleted_at is not null`)

/** Comments on photos that are not deleted. */
export const commentsById = (db: Db, ids: readonly number[]) => allRows<PlacedComment>(db)`
    select ${placed}
    where c.id = any(${ids}::bigint[]) and c.deleted_at is null and p.deleted_at is null and e.deleted_at is null`

/** A person's comments that are not deleted. */
export const commentsBy = (db: Db, userId: number) => allRows<PlacedComment & { event_id: number }>(db)`
    select p.event_id, ${placed} where c.user_id = ${userId} and c.deleted_at is null order by c.id`

/** The comments of a photo with their replies, which have no index by photo, or the replies to one of its comments. */
export const commentIdsOf = async (db: Db, photoId: number, repliesTo?: number) => {
  const living = (which: RawBuilder<unknown>) => sql`select id from comments where ${which} and deleted_at is null`
  const wanted =
    repliesTo !== undefined
      ? living(sql`parent_id = ${repliesTo}`)
      : sql`
        with own as (${living(sql`photo_id = ${photoId} and parent_id is null`)})
        select id from own
        union all select r.id from own join comments r on r.parent_id = own.id and r.deleted_at is null`
  return allValues<number>(db)`${wanted}`
}

/** With the viewer's standing in the event, and whose photo it is about. */
export type CommentOfMember = CommentRow & {
  photo_taken_by: number
  standing: Standing
  /** The viewer has blocked its author. */
  blocked: boolean
}

/** A comment, in a query that contains the viewer's standing in the event. */
const writtenFor = (viewerId: number, comment: RawBuilder<unknown>, standing: 'proof.standing' | 'viewing.role') =>
  shownTo(
    { id: viewerId, standing: sql.ref(standing) },
    {
      row: comment,
      author: sql`${comment}.user_id`,
      belowOf: sql.ref(standing === 'viewing.role' ? 'p.taken_by' : 'proof.photo_taken_by'),
    },
  )

/*
 * A page, preceded by the one row that proves the right to it. The limit keeps the two apart: without it, the planner
 * read the page for each of the viewer's events.
 */
export const proven = (viewerId: number, proof: RawBuilder<unknown>, page: RawBuilder<unknown>) => sql`
  select page.*, proof.photo_taken_by, proof.standing, ${isBlocked(viewerId, sql`page.user_id`)} as blocked
  from (${proof} limit 1) proof cross join lateral (${page}) page`

const photoSeenBy = (viewerId: number, from: RawBuilder<unknown>) => sql`
  select p.taken_by as photo_taken_by, viewing.role as standing
  ${from} join events e on e.id = p.event_id and e.deleted_at is null ${ifMayInEvent(viewerId, 'gallery')}
  where p.deleted_at is null and (${roleMay(sql`viewing.role`, 'browse')} or p.taken_by = ${viewerId}) and ${shownTo({ id: viewerId, standing: sql`viewing.role` }, photo)}`

export const commentSeenBy = (viewerId: number, id: number) => sql`
  ${photoSeenBy(
    viewerId,
    sql`from comments t left join comments above on above.id = t.parent_id join photos p on p.id = t.photo_id`,
  )} and t.id = ${id} and t.deleted_at is null and ${writtenFor(viewerId, sql`t`, 'viewing.role')}
    and (above.id is null or ${writtenFor(viewerId, sql`above`, 'viewing.role')})`

/** Top-level comments, newest first, for those who see the photo; nothing for anyone else. */
export const listComments = async (db: Db, viewerId: number, photoId: number, { offset, limit }: Range) => {
  const seen = writtenFor(viewerId, sql`c`, 'proof.standing')
  const living = sql`comments c where c.photo_id = ${photoId} and c.parent_id is null and c.deleted_at is null and ${seen}`
  const start = pageStartFromTop({
    list: 'comments',
    parentId: photoId,
    rows: living,
    offset,
    last: sql`(select last_comment_sequence from photos where id = ${photoId})`,
    unseen: unseenIn(sql`c.photo_id = ${photoId} and c.parent_id is null`, seen),
  })
  const page = sql`
    select ${columns}, c.sequence from comments c join users u on u.id = c.user_id
    where c.photo_id = ${photoId} and c.parent_id is null and c.deleted_at is null and ${seen} and c.sequence <= ${start}
    order by c.sequence desc limit ${rowsToFetch(limit)}`
  const proof = sql`${photoSeenBy(viewerId, sql`from photos p`)} and p.id = ${photoId}`
  const { rows } = await sql<CommentOfMember>`${proven(viewerId, proof, page)} order by page.sequence desc`.execute(db)
  return rows.slice(0, limit)
}

const unseenIn = (list: RawBuilder<unknown>, seen: RawBuilder<unknown>) =>
  sql`select c.sequence from comments c where ${list} and c.hidden_at is not null and c.deleted_at is null and not ${seen}`

/** Oldest first, for those who see the parent comment; nothing for anyone else. */
export const listReplies = async (db: Db, viewerId: number, commentId: number, { offset, limit }: Range) => {
  const seen = writtenFor(viewerId, sql`c`, 'proof.standing')
  const living = sql`comments c where c.parent_id = ${commentId} and c.deleted_at is null and ${seen}`
  const unseen = unseenIn(sql`c.parent_id = ${commentId}`, seen)
  const start = pageStart({ list: 'replies', parentId: commentId, rows: living, offset, unseen })
  const page = sql`
    select ${columns}, c.sequence from comments c join users u on u.id = c.user_id
    where c.parent_id = ${commentId} and c.deleted_at is null and ${seen} and c.sequence >= ${start}
    order by c.sequence limit ${rowsToFetch(limit)}`
  const { rows } = await sql<CommentOfMember>`
    ${proven(viewerId, commentSeenBy(viewerId, commentId), page)} order by page.sequence`.execute(db)
  return rows.slice(0, limit)
}

/** Adds a comment; its ID, or undefined if the photo is deleted. */
export const insertComment = (tx: Transaction, comment: { photoId: number; userId: number; text: string }) =>
  firstValue<number>(tx)`
    with photo as (
      update photos set comments_count = comments_count + 1, last_comment_sequence = last_comment_sequence + 1
      where id = ${comment.photoId} and deleted_at is null
      returning last_comment_sequence as sequence, clock_timestamp() as at
    )
    insert into comments (photo_id, sequence, user_id, text, created_at, updated_at)
    select ${comment.photoId}, sequence, ${comment.userId}, ${comment.text}, at, at from photo returning id`

type NewReply = { photoId: number; parentId: number; userId: number; text: string }

/** Adds a reply; its ID, or undefined if the photo or the parent comment is deleted. */
export const insertReply = async (tx: Transaction, reply: NewReply) => {
  await addToCommentsCount(
    tx,
    reply.photoId,
    sql`(select count(*) from comments
    where id = ${reply.parentId} and hidden_at is null)::int`,
  )
  return firstValue<number>(tx)`
    with parent as (
      update comments set replies_count = replies_count + 1, last_reply_sequence = last_reply_sequence + 1
      where id = ${reply.parentId} and deleted_at is null
        and exists (select from photos where id = ${reply.photoId} and deleted_at is null)
      returning last_reply_sequence as sequence, clock_timestamp() as at
    )
    insert into comments (photo_id, parent_id, sequence, user_id, text, created_at, updated_at)
    select ${reply.photoId}, ${reply.parentId}, sequence, ${reply.userId}, ${reply.text}, at, at from parent
    returning id`
}

const addToCommentsCount = (tx: Transaction, photoId: number, more: number | RawBuilder<number>) =>
  run(tx)`update photos set comments_count = comments_count + ${more} where id = ${photoId}`

/** False if it is deleted. */
export const updateText = async (tx: Transaction, id: number, text: string) => {
  const { numUpdatedRows } = await tx
    .updateTable('comments')
    .set({ text, edited_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a comment with its replies and returns their IDs; undefined if it was deleted before. */
export const markDeleted = async (
  tx: Transaction,
  { id, photo_id, parent_id }: Pick<CommentRow, 'id' | 'photo_id' | 'parent_id'>,
) => {
  await sql`select from photos where id = ${photo_id} for no key update`.execute(tx)
  const { rows } = await sql<{ id: number; sequence: number; hidden: boolean; beneath_hidden: boolean }>`
    update comments c set deleted_at = now() where (id = ${id} or parent_id = ${id}) and deleted_at is null
    returning id, sequence, hidden_at is not null as hidden,
      exists (select from comments above where above.id = c.parent_id and above.hidden_at is not null) as beneath_hidden
  `.execute(tx)
  const itself = rows.find(row => row.id === id)
  if (!itself) return undefined
  // A hidden comment no longer counted.
  await addToCommentsCount(tx, photo_id, -rows.filter(row => !row.hidden && !row.beneath_hidden).length)
  if (parent_id !== null && !itself.hidden)
    await sql`update comments set replies_count = replies_count - 1 where id = ${parent_id}`.execute(tx)
  const list = parent_id === null ? { list: 'comments', parentId: photo_id } : { list: 'replies', parentId: parent_id }
  await leaveGap(tx, list, itself.sequence)
  return rows.map(row => row.id)
}

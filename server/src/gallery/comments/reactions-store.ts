import { sql } from 'kysely'
import type { PersonBeside } from '../../accounts/persons.ts'
import { personBeside } from '../../accounts/persons-sql.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { run } from '../../platform/database/rows.ts'
import { leaveGap, pageStartFromTop, rowsToFetch } from '../../platform/database/sequence-pages.ts'
import type { Range } from '../store.ts'
import { commentSeenBy, proven } from './comments-store.ts'

/** False if the comment is deleted. Its reaction counts change under this lock together with the reactions. */
const holdComment = async (tx: Transaction, id: number) => {
  const { rows } = await sql`select from comments where id = ${id} and deleted_at is null for no key update`.execute(tx)
  return rows.length === 1
}

const countReaction = (tx: Transaction, commentId: number, reaction: string, more: 1 | -1) => run(tx)`
    insert into comment_reaction_counts as counted (comment_id, reaction, count) values (${commentId}, ${reaction}, ${more})
    on conflict (comment_id, reaction) do update set count = counted.count + ${more}`

/**
 * One reaction per person: a new one replaces it. Returns whether that changed anything; undefined if the comment is
 * deleted.
 */
export const setReaction = async (tx: Transaction, commentId: number, userId: number, reaction: string) => {
  if (!(await holdComment(tx, commentId))) return undefined
  const before = await tx
    .selectFrom('comment_reactions')
    .select(['id', 'reaction'])
    .where('comment_id', '=', commentId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (before?.reaction === reaction) return false
  await countReaction(tx, commentId, reaction, 1)
  if (before) {
    await countReaction(tx, commentId, before.reaction, -1)
    const changed = { reaction, updated_at: sql<Date>`clock_timestamp()` }
    await tx.updateTable('comment_reactions').set(changed).where('id', '=', before.id).execute()
    return true
  }
  await sql`
    with comment as (
      update comments set last_reaction_sequence = last_reaction_sequence + 1 where id = ${commentId}
      returning last_reaction_sequence as sequence
    )
    insert into comment_reactions (comment_id, sequence, user_id, reaction)
    select ${commentId}, sequence, ${userId}, ${reaction} from comment`.execute(tx)
  return true
}

const reactions = 'comment reactions'

/** False if there was none. */
export const deleteReaction = async (tx: Transaction, commentId: number, userId: number) => {
  await holdComment(tx, commentId)
  const { rows } = await sql<{ sequence: number; reaction: string }>`
    delete from comment_reactions where comment_id = ${commentId} and user_id = ${userId}
    returning sequence, reaction`.execute(tx)
  for (const { sequence, reaction } of rows) {
    await leaveGap(tx, { list: reactions, parentId: commentId }, sequence)
    await countReaction(tx, commentId, reaction, -1)
  }
  return rows.length === 1
}

export type ReactionRow = PersonBeside & { id: number; user_id: number; created_at: Date; updated_at: Date }

/** People who reacted, newest first, for viewers who see the comment; nothing for anyone else. */
export const listReactions = async (db: Db, viewerId: number, commentId: number, { offset, limit }: Range) => {
  const all = sql`comment_reactions where comment_id = ${commentId}`
  const last = sql`(select last_reaction_sequence from comments where id = ${commentId})`
  const start = pageStartFromTop({ list: reactions, parentId: commentId, rows: all, offset, last })
  const page = sql`
    select ${personBeside}, r.id, r.user_id, r.created_at, r.updated_at, r.sequence
    from comment_reactions r join users u on u.id = r.user_id
    where r.comment_id = ${commentId} and r.sequence <= ${start}
    order by r.sequence desc limit ${rowsToFetch(limit)}`
  const { rows } = await sql<ReactionRow>`
    ${proven(viewerId, commentSeenBy(viewerId, commentId), page)} order by page.sequence desc`.execute(db)
  return rows.slice(0, limit)
}

/** For one comment: how often each emoji was used, most frequent first, and whether the viewer's is among them. */
export type Reactions = { reaction: string; count: number; mine: boolean }[]

export const reactionsByComment = async (db: Db, viewerId: number, commentIds: readonly number[]) => {
  const { rows } = await sql<{ comment_id: number; reactions: Reactions }>`
    select comment_id, json_agg(json_build_object('reaction', reaction, 'count', count, 'mine', mine)
      order by count desc, first_id) as reactions
    from (
      select n.comment_id, n.reaction, n.count,
        exists (select from comment_reactions r
          where r.comment_id = n.comment_id and r.user_id = ${viewerId} and r.reaction = n.reaction) as mine,
        (select min(r.id) from comment_reactions r
          where r.comment_id = n.comment_id and r.reaction = n.reaction) as first_id
      from comment_reaction_counts n where n.comment_id = any(${commentIds}::bigint[]) and n.count > 0
    ) counted group by comment_id`.execute(db)
  return new Map(rows.map(row => [row.comment_id, row.reactions]))
}

/** How these people have reacted to these comments: their reaction by comment and person. */
export const reactionsAmong = async (db: Db, commentIds: readonly number[], userIds: readonly number[]) => {
  const { rows } = await sql<{ comment_id: number; user_id: number; reaction: string }>`
    select comment_id, user_id, reaction from comment_reactions
    where comment_id = any(${commentIds}::bigint[]) and user_id = any(${userIds}::bigint[])`.execute(db)
  const ofComment = Map.groupBy(rows, row => row.comment_id)
  return new Map([...ofComment].map(([id, all]) => [id, new Map(all.map(row => [row.user_id, row.reaction]))]))
}

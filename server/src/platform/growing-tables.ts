import { sql } from 'kysely'
import type { Db } from './database.ts'

/** What becomes of the rows of a table that grows by itself. */
export type Growing = {
  /** The column that tells a row's age, or when it ends. */
  since: string
  /** How long after that it goes, as PostgreSQL writes intervals. */
  lives: string
  /** The column whose order is that of age, and whose index finds the oldest; `since` itself unless told otherwise. */
  inOrderOf?: string
  /** Why deleting rows is not enough, so that a slice prunes it: files go along, or how far back it reaches is noted. */
  prunedBy?: 'its slice'
}

/**
 * What becomes of the rows of every table; a table that is not named here fails a test. `kept` says why its rows are as
 * many as what people have, and no more.
 */
export const fates: Record<string, Growing | { kept: string }> = {
  account_exports: { since: 'expires_at', lives: '0', prunedBy: 'its slice' },
  attachments: { kept: 'what people wrote' },
  audit_entries: { kept: 'is only ever added to, and tells what organizers did for as long as the event is there' },
  blocks: { kept: 'what people chose' },
  change_log: { kept: 'one row' },
  changes: { since: 'created_at', lives: '7 days', inOrderOf: 'id', prunedBy: 'its slice' },
  chat_mutes: { kept: 'what people chose' },
  comment_reactions: { kept: 'what people wrote' },
  comments: { kept: 'what people wrote' },
  damaged_files: { kept: 'goes when the file is right again' },
  deliveries: { kept: 'goes with its notification' },
  devices: { since: 'token_expires_at', lives: '0' },
  event_links: { kept: 'what organizers made' },
  events: { kept: 'what people made' },
  file_sums: { kept: 'goes with its file' },
  friend_requests: { kept: 'one for two people' },
  friendships: { kept: 'what people chose' },
  galleries: { kept: 'one an event' },
  group_chats: { kept: 'one an event' },
  guest_lines: { kept: 'one a guest' },
  guests: { kept: 'one for a person and an event' },
  idempotency_keys: { since: 'created_at', lives: '24 hours' },
  invitations: { kept: 'one for a person and an event' },
  join_requests: { kept: 'one for a person and an event' },
  known_words: { kept: 'goes with the last name that has it' },
  login_options: { kept: 'a few a person' },
  mailed_codes: { since: 'expires_at', lives: '0' },
  mails_asked: { since: 'created_at', lives: '1 day' },
  media: { kept: 'what people uploaded; its files go when nothing shows them' },
  message_reactions: { kept: 'what people wrote' },
  messages: { kept: 'what people wrote' },
  migrations: { kept: 'one a migration' },
  notifications: { since: 'updated_at', lives: '90 days' },
  photo_likes: { kept: 'what people chose' },
  photo_quarters: { kept: 'a few an event' },
  photos: { kept: 'what people uploaded' },
  provider_flows: { since: 'expires_at', lives: '0' },
  provider_proofs: { since: 'expires_at', lives: '0' },
  push_addresses: { kept: 'one a device, and goes with it' },
  removed_files: { since: 'removed_at', lives: '2 days' },
  reports: { kept: 'what people told operators' },
  seen_marks: { kept: 'one for a person and a chat' },
  sequence_gaps: { kept: 'a few a list' },
  storage_reports: { kept: 'the last ones of each kind' },
  stored_bytes: { kept: 'one a person' },
  unnotified_changes: { kept: 'goes with its change' },
  upload_parts: { kept: 'goes with its session' },
  upload_sessions: { since: 'touched_at', lives: '1 day', prunedBy: 'its slice' },
  user_words: { kept: 'goes with the name' },
  users: { kept: 'the people' },
  videos: { kept: 'one a photo' },
}

export const growing = Object.entries(fates).flatMap(([table, fate]) => ('since' in fate ? [{ table, ...fate }] : []))

/** How long ago the oldest row of each was due to go, or began to live, in seconds; and how late that is at most. */
export const oldestRows = async (db: Db) => {
  const ages = growing.map(
    ({ table, since, lives, inOrderOf = since }) => sql`
      select ${table}::text as table, coalesce(extract(epoch from now() - o.since), 0)::float8 as seconds,
        extract(epoch from ${lives}::interval)::float8 as lives
      from (select 1) one left join lateral (
        select ${sql.ref(since)} as since from ${sql.table(table)} order by ${sql.ref(inOrderOf)} limit 1) o on true`,
  )
  const { rows } = await sql<{ table: string; seconds: number; lives: number }>`
    ${sql.join(ages, sql` union all `)}`.execute(db)
  return rows.map(row => ({ ...row, seconds: Math.max(row.seconds, 0) }))
}

const rowsAtOnce = 10_000

/** Deletes a batch of what has had its time; returns whether it was a whole one. */
export const deleteExpired = async (db: Db, { table, since, lives }: Growing & { table: string }): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ctid in (
      select ctid from ${sql.table(table)} where ${sql.ref(since)} < now() - ${lives}::interval limit ${rowsAtOnce})`.execute(
    db,
  )
  return numAffectedRows >= rowsAtOnce
}

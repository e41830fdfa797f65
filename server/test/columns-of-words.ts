import { sql } from 'kysely'
import { tablesOf } from '../src/slice.ts'
import { slices } from '../src/slices.ts'
import type { TestApp } from './app.ts'

/** Every column of every declared table that could hold user text. */
export const columnsOfWords = async ({ db }: Pick<TestApp, 'db'>): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = any(${Object.keys(tablesOf(slices))}::text[])
      and (data_type in ('text', 'character varying', 'json', 'jsonb', 'xml') or udt_name in ('_text', '_json', '_jsonb'))
    order by 1`.execute(db)
  return rows.map(row => row.name)
}

/** The columns that contain this word, with their values, or with single values of a list. */
export const columnsWith = async ({ db }: Pick<TestApp, 'db'>, word: string) => {
  const found = new Map<string, Set<string>>()
  for (const column of await columnsOfWords({ db })) {
    const [table = '', name = ''] = column.split('.')
    const { rows } = await sql<{ value: string }>`
      select distinct value from (
        select jsonb_path_query(to_jsonb(${sql.ref(name)}), '$.**') #>> '{}' as value from ${sql.table(table)}) each
      where value ilike ${`%${word}%`}`.execute(db)
    if (rows.length > 0) found.set(column, new Set(rows.map(row => row.value)))
  }
  return found
}

const ofOurs = (why: string, ...columns: string[]) => columns.map(column => [column, why] as const)

/** Columns without user text, with the reason. A new column gets a planted word, or an excuse here. */
export const wordless = new Map([
  ...ofOurs(
    'one of a few words of ours',
    ...['account_exports.state', 'audit_entries.act', 'changes.audience', 'changes.kind', 'deliveries.state'],
    ...['deliveries.way', 'event_notification_settings.level', 'events.barred', 'guests.role', 'invitations.status'],
    ...['join_requests.status', 'mailed_codes.purpose', 'notifications.kind', 'photos.endings', 'reports.status'],
    ...['reports.type', 'told_moments.kind', 'upload_sessions.kind', 'users.language', 'devices.language'],
    ...['videos.fault', 'videos.original_type', 'videos.state', 'media.original_type', 'webhook_deliveries.kind'],
    ...[
      'webhook_deliveries.status',
      'webhooks.kinds',
      'webhooks.status',
      'storage_reports.kind',
      'damaged_files.fault',
    ],
    ...['sequence_gaps.list', 'idempotency_keys.operation', 'jobs.task', 'jobs.lane', 'job_lanes.name'],
    ...[
      'answers.answer',
      'answers_away.answer',
      'marks_away.mark',
      'job_schedule.task',
      'migrations.name',
      'events.avatar_ending',
      'events.theme',
      'users.avatar_ending',
    ],
    'event_links.role',
    'events.photo_approval',
    'event_plans.album_for',
    'messages.card',
    'galleries.sealed_from',
    'photos.sealed_from',
    'walls.layout',
    'walls.photos',
  ),
  ...ofOurs(
    'a name of a process of ours',
    'jobs.held_by',
    'job_lanes.held_by',
    'change_log.history',
    'change_log.written_at',
    'processes.name',
    'processes.host',
    'processes.version',
    'processes.newest_migration',
  ),
  ...ofOurs('an error of ours', 'jobs.last_error'),
  ...ofOurs(
    'whose rings they were and what a calendar showed, as numbers and hashes',
    'ring_budgets.rung_by',
    'calendar_feeds.shown_tag',
  ),
  ...ofOurs('a time zone, set back to UTC', 'users.timezone', 'devices.timezone', 'events.timezone'),
  ...ofOurs('the operator’s, set back', 'users.plan_title'),
  ...ofOurs(
    'a hash, from which nothing can be read',
    'users.password_hash',
    'file_sums.sha256',
    'damaged_files.sha256',
  ),
  ...ofOurs('a hash, from which nothing can be read', 'removed_files.sha256', 'media.original_sha256'),
  ...ofOurs(
    'a hash, from which nothing can be read',
    'media.upload_sha256',
    'upload_sessions.sha256',
    'upload_sessions.content_sha256',
  ),
  ...ofOurs('a hash, from which nothing can be read', 'upload_parts.sha256', 'videos.original_sha256'),
  ...ofOurs('what a picture looks like, not its words', 'media.thumbhash', 'media.taken_local'),
  ...ofOurs('a hash, from which nothing can be read', 'migrations.sha256'),
  ...ofOurs('a device that `devices` names, and gone with its session', 'return_keys.device_id'),
  ...ofOurs('a device that `devices` may name, for three days', 'return_requests.device_id'),
  ...ofOurs('names of files by hash', 'media.full_size', 'media.variants'),
  ...ofOurs('what `answers` holds, for some days', 'answers_away.note', 'answers_away.plus_names'),
  ...ofOurs('what likes, reactions and votes hold, for a day', 'marks_away.given'),
  ...ofOurs(
    'words of a photo and its uploader’s name, until they are approved or for a day: tried in approved-words.test.ts',
    'photos.new_words',
    'photos.approved_name',
    'photo_decisions.words',
  ),
  ...ofOurs('an emoji', 'comment_reaction_counts.reaction', 'comment_reactions.reaction', 'message_reactions.emoji'),
  ...ofOurs('an emoji', 'messages.reactions'),
  ...ofOurs('codes and numbers', 'deliveries.reasons', 'deliveries.outcome', 'notifications.reasons'),
  ...ofOurs('codes and numbers', 'notifications.link', 'notifications.tag', 'webhook_deliveries.tries'),
  ...ofOurs('codes and numbers', 'storage_reports.report'),
  ...ofOurs('from before texts were made when read; nothing writes it', 'notifications.title', 'notifications.body'),
  ...ofOurs('a name of a host, for a day', 'webhook_trickles.host'),
  ...ofOurs(
    'the issuer of a provider, which the operator configured',
    'login_options.issuer',
    'provider_proofs.issuer',
  ),
  ...ofOurs(
    'minutes of a sign-in by a provider, and no account yet',
    'provider_proofs.email',
    'provider_proofs.subject',
  ),
  ...ofOurs('minutes of a sign-in by a provider, and no account yet', 'provider_proofs.first_name'),
  ...ofOurs('minutes of a sign-in by a provider, and no account yet', 'provider_proofs.last_name'),
  ...ofOurs(
    'secrets of minutes',
    'provider_flows.code_verifier',
    'provider_flows.nonce',
    'provider_flows.redirect_uri',
  ),
  ...ofOurs('one of a few words of ours', 'account_transfers.kind', 'return_requests.status'),
  ...ofOurs('said by somebody without an account, and gone with what they ask for', 'return_requests.first_name'),
  ...ofOurs('said by somebody without an account, and gone with what they ask for', 'return_requests.last_name'),
  ...ofOurs('said by somebody without an account, and gone with what they ask for', 'return_requests.platform'),
  ...ofOurs('secrets of minutes', 'provider_flows.return_to', 'account_transfers.taken_by'),
  ...ofOurs('numbers, for as long as the job runs', 'jobs.payload'),
  ...ofOurs('the number of what was made', 'idempotency_keys.reply'),
  ...ofOurs('numbers and names of ours', 'changes.detail'),
])

/** Columns of user text that the export leaves out, with the reason. */
export const unexported = new Map([
  ...ofOurs(
    'names in another form',
    'friendships.found_by',
    'guest_lines.found_by',
    'user_words.lead',
    'user_words.other',
  ),
  ...ofOurs('names in another form', 'known_words.word'),
  ...ofOurs('told as the sentence that it makes', 'notifications.text_values'),
  ...ofOurs('secrets', 'push_addresses.address', 'mailed_codes.email'),
  ...ofOurs('an upload under way, for a day', 'upload_sessions.filename'),
  ...ofOurs('its event’s, which the organizers read', 'webhooks.url'),
])

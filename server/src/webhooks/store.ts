import { userStatus } from '@afterglow/contract/accounts/user'
import { webhookRetriedHours, webhookSecretsOverlapHours } from '@afterglow/contract/limits'
import { type RawBuilder, sql } from 'kysely'
import { roleMay } from '../events/standing-sql.ts'
import { isAboutOrganizer } from '../people/reports-sql.ts'
import type { Database, Db, Transaction } from '../platform/database/database.ts'
import { allRows, anyRow, firstRow, oneRow, run } from '../platform/database/rows.ts'
import type { rangeOf } from '../platform/http/pages.ts'

type Range = ReturnType<typeof rangeOf>

export type WebhookRow = {
  id: number
  event_id: number | null
  /** Empty once its creator lost their standing. */
  url: string
  kinds: string[]
  nonce: Buffer
  status: 'on' | 'off'
  made_by: number | null
  consented: boolean
  created_at: Date
}

const columns = sql`w.id, w.event_id, w.url, w.kinds, w.nonce, w.status, w.made_by,
  w.consented_at is not null as consented, w.created_at`

/** The creator still organizes its event or, for one of the service, is still an operator. */
const stands = sql`case when w.event_id is null
  then exists (select from users u where u.id = w.made_by and u.operator
    and u.status <> ${sql.lit(userStatus.suspended)} and u.erased_at is null)
  else exists (select from members m join users u on u.id = m.user_id and u.status <> ${sql.lit(userStatus.suspended)}
    where m.event_id = w.event_id and m.user_id = w.made_by and ${roleMay(sql`m.role`, 'manage')}) end`

// ---- webhooks ----

export const isOperator = async (db: Db, userId: number): Promise<boolean> =>
  (await sql`select from users where id = ${userId} and operator`.execute(db)).rows.length > 0

/** While one is created for the whole service, no other is. For an event, its row is locked. */
export const lockInstance = (tx: Transaction) => run(tx)`select pg_advisory_xact_lock(hashtext('webhooks'))`

export const countWebhooks = async (db: Db, eventId: number | null) => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from webhooks where event_id is not distinct from ${eventId} and url <> ''`.execute(db)
  return rows[0]?.count ?? 0
}

type New = { eventId: number | null; url: string; kinds: readonly string[]; nonce: Buffer; by: number }

/** It receives what happens from now on. A receiver that has consented under this URL need not do so again. */
export const insertWebhook = (db: Db, { eventId, url, kinds, nonce, by }: New) => oneRow<WebhookRow>(db)`
    insert into webhooks as w (event_id, url, kinds, nonce, taken_to, made_by, consented_at)
    values (${eventId}, ${url}, ${kinds}, ${nonce}, last_place(), ${by},
      (select max(consented_at) from webhooks where url = ${url})) returning ${columns}`

/** The webhook with this URL, made once more: it is also told of these kinds. Undefined if there is none. */
export const renewWebhook = (db: Db, { eventId, url, kinds, by }: Omit<New, 'nonce'>) => firstRow<WebhookRow>(db)`
    update webhooks w set made_by = ${by}, status = 'on',
      taken_to = case w.status when 'off' then last_place() else w.taken_to end,
      kinds = array(select distinct kind from unnest(w.kinds || ${kinds}::text[]) kind order by kind)
    where w.event_id is not distinct from ${eventId} and w.url = ${url} returning ${columns}`

/**
 * Switches off those whose maker lost their standing, or is this one, and erases their URLs, which were that person's.
 * Returns them as they were.
 */
export const endOrphaned = (tx: Transaction, leaverId?: number) => allRows<WebhookRow>(tx)`
    with forsaken as (
      select ${columns} from webhooks w
      where w.url <> '' and (not ${stands} or w.made_by = ${leaverId ?? null}::bigint)
      order by w.id for update of w
    ), ended as (
      update webhooks w set status = 'off', url = '' from forsaken f where w.id = f.id
    ), dropped as (
      update webhook_deliveries d set status = 'dropped' from forsaken f where d.webhook_id = f.id and d.status = 'waiting'
    )
    select * from forsaken`

/** Newest first. */
export const listWebhooks = (db: Db, eventId: number | null, { limit, offset }: Range) => allRows<WebhookRow>(db)`
    select ${columns} from webhooks w where w.event_id is not distinct from ${eventId}
    order by w.id desc limit ${limit} offset ${offset}`

export const findWebhook = async (db: Db, id: number) =>
  (await sql<WebhookRow>`select ${columns} from webhooks w where w.id = ${id}`.execute(db)).rows[0]

const change = async (db: Db, id: number, set: RawBuilder<unknown>) =>
  (await sql<WebhookRow>`update webhooks w set ${set} where w.id = ${id} returning ${columns}`.execute(db)).rows[0]

export const switchOn = (db: Db, id: number) =>
  change(db, id, sql`status = 'on', taken_to = case w.status when 'off' then last_place() else w.taken_to end`)

export const renewNonce = (db: Db, id: number, nonce: Buffer) =>
  change(
    db,
    id,
    sql`nonce = ${nonce}, previous_nonce = w.nonce,
      previous_until = now() + make_interval(hours => ${webhookSecretsOverlapHours})`,
  )

export const deleteWebhook = async (db: Db, id: number) =>
  (await sql<WebhookRow>`delete from webhooks w where w.id = ${id} returning ${columns}`.execute(db)).rows[0]

export const areThereAny = async (db: Db): Promise<boolean> =>
  (await sql`select from webhooks where url <> '' limit 1`.execute(db)).rows.length > 0

// ---- deliveries ----

/**
 * Assigns positions to everything committed so far, so that it is not news to a webhook that begins after. Runs in a
 * transaction of its own.
 */
export const placeChanges = (db: Database) => run(db)`select place_changes(20000)`

/**
 * Writes the deliveries of whatever the log contains after each webhook's position, in order and once: the process
 * holds the webhook's row, and others skip it. Returns the webhooks with new deliveries. Does not reveal who
 * reported something, nor anything of photos that wait, are hidden or sealed, except that one goes; nor to organizers a
 * report about one of them.
 */
export const takeHappenings = (tx: Transaction) => allRows<{ id: number; url: string }>(tx)`
    with head as materialized (
      select last_place() as place
    ), behind as materialized (
      select w.id, w.url, w.event_id, w.kinds, w.taken_to from webhooks w
      where w.status = 'on' and w.taken_to < (select place from head) order by w.id for update skip locked
    ), taken as (
      insert into webhook_deliveries (webhook_id, kind, event_id, subject_id, actor_id, happened_at)
      select b.id, c.kind, c.event_id, c.subject_id, case when c.kind <> 'report.made' then c.actor_id end, c.created_at
      from behind b join changes c on c.place > b.taken_to and c.place <= (select place from head)
        and (b.event_id is null or c.event_id = b.event_id) and c.kind = any(b.kinds)
        and not exists (select from photos p where p.hidden_at is not null
          and (c.kind <> 'photo.deleted' or c.detail ? 'only') and p.id = case
          when c.kind like 'photo.%' then c.subject_id
          when c.kind like 'comment.%' then (select k.photo_id from comments k where k.id = c.subject_id) end)
        and c.detail ->> 'on' is distinct from 'wall'
        and (b.event_id is null or c.kind <> 'report.made' or not exists (
          select from reports r where r.id = c.subject_id and ${isAboutOrganizer}))
        -- Of what is told to each by name there is one row a person.
        and (c.audience <> 'user' or c.kind = 'report.made' or (c.kind = 'event.deleted' and c.user_id = c.actor_id))
      order by b.id, c.place
      returning webhook_id
    ), moved as (
      update webhooks w set taken_to = head.place from behind b, head where w.id = b.id
    )
    select distinct b.id, b.url from taken t join behind b on b.id = t.webhook_id`

/** False if the webhook is gone, or goes at the same moment: hence the lock. */
export const insertTry = async (db: Db, webhookId: number): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into webhook_deliveries (webhook_id, kind, happened_at)
    select id, 'webhook.tried', now() from webhooks where id = ${webhookId} for key share`.execute(db)
  return numAffectedRows === 1n
}

export type DeliveryRow = {
  id: number
  name: string
  kind: string
  event_id: number | null
  subject_id: number | null
  actor_id: number | null
  happened_at: Date
  status: 'waiting' | 'delivered' | 'dropped'
  tries: readonly { at: string; status: number | null; reason: string | null }[]
  due_at: Date
}

const deliveryColumns = sql`d.id, d.name, d.kind, d.event_id, d.subject_id, d.actor_id, d.happened_at, d.status, d.tries,
  d.due_at`

/** Newest first. */
export const listDeliveries = (db: Db, webhookId: number, { limit, offset }: Range) => allRows<DeliveryRow>(db)`
    select ${deliveryColumns} from webhook_deliveries d where d.webhook_id = ${webhookId}
    order by d.id desc limit ${limit} offset ${offset}`

export type Receiver = { url: string; nonces: Buffer[]; consented: boolean }

/** Where a webhook is sent and with which secrets it is currently signed; undefined if it is off, forsaken or gone. */
export const findReceiver = async (db: Db, id: number): Promise<Receiver | undefined> => {
  const row = await firstRow<{ url: string; nonce: Buffer; previous: Buffer | null; consented: boolean }>(db)`
    select w.url, w.nonce, case when w.previous_until > now() then w.previous_nonce end as previous,
      w.consented_at is not null as consented
    from webhooks w where w.id = ${id} and w.status = 'on' and ${stands}`
  if (!row) return undefined
  const { url, consented } = row
  return { url, consented, nonces: row.previous ? [row.nonce, row.previous] : [row.nonce] }
}

/** The receiver at this URL wants what is sent there. */
export const noteConsent = (db: Db, url: string) =>
  run(db)`update webhooks set consented_at = now() where url = ${url} and consented_at is null`

/** Counts one more delivery to a host that has not consented; false if it has had its share of this hour. */
export const spendTrickle = (db: Db, host: string, most: number) => anyRow(db)`
    insert into webhook_trickles as t (host, hour, sent) values (${host}, date_trunc('hour', now()), 1)
    on conflict (host) do update set hour = excluded.hour,
      sent = case when t.hour = excluded.hour then t.sent + 1 else 1 end
    where t.hour <> excluded.hour or t.sent < ${most} returning t.host`

/** Postpones the deliveries of a receiver that has had its share to the next hour. Returns how long that is. */
export const restUntilNextHour = async (db: Db, webhookId: number) => {
  const { rows } = await sql<{ ms: number }>`
    with next as (
      select date_trunc('hour', now()) + interval '1 hour' as hour
    ), resting as (
      update webhook_deliveries set due_at = next.hour from next
      where webhook_id = ${webhookId} and status = 'waiting' and due_at < next.hour
    )
    select ceil(extract(epoch from hour - now()) * 1000)::float8 as ms from next`.execute(db)
  return rows[0]?.ms ?? 0
}

/** Deliveries that can be sent now, in order: nothing of an event in which a failed delivery is waiting. */
export const listWaiting = (db: Db, webhookId: number, most: number) => allRows<DeliveryRow>(db)`
    with resting as materialized (
      select distinct coalesce(event_id, 0) as event_id from webhook_deliveries
      where webhook_id = ${webhookId} and status = 'waiting' and due_at > now()
    )
    select ${deliveryColumns} from webhook_deliveries d
    where d.webhook_id = ${webhookId} and d.status = 'waiting'
      and coalesce(d.event_id, 0) not in (select event_id from resting)
    order by d.id limit ${most}`

const tried = (status: number | null, reason: string | null) => sql`tries || jsonb_build_object(
  'at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status', ${status}::int, 'reason', ${reason}::text)`

export const noteDelivered = (db: Db, id: number, status: number) =>
  run(db)`update webhook_deliveries set status = 'delivered', tries = ${tried(status, null)} where id = ${id}`

/** Delays it by this long, but not beyond the day for which it is retried. Returns whether that day is over. */
export const noteFailed = async (
  db: Db,
  id: number,
  { status, reason, restSeconds }: { status: number | null; reason: string; restSeconds: number },
): Promise<boolean> => {
  const { rows } = await sql<{ over: boolean }>`
    update webhook_deliveries set tries = ${tried(status, reason)}, first_tried_at = coalesce(first_tried_at, now()),
      due_at = least(now() + make_interval(secs => ${restSeconds}),
        coalesce(first_tried_at, now()) + make_interval(hours => ${webhookRetriedHours}))
    where id = ${id}
    returning first_tried_at <= now() - make_interval(hours => ${webhookRetriedHours}) as over`.execute(db)
  return rows[0]?.over ?? false
}

/** False if it was off already. Waiting deliveries are dropped. */
export const switchOff = async (tx: Transaction, id: number): Promise<WebhookRow | undefined> => {
  const { rows } = await sql<WebhookRow>`
    update webhooks w set status = 'off' where w.id = ${id} and w.status = 'on' returning ${columns}`.execute(tx)
  if (rows.length > 0)
    await run(tx)`update webhook_deliveries set status = 'dropped' where webhook_id = ${id} and status = 'waiting'`
  return rows[0]
}

export const deleteWebhooksOf = (db: Db, eventId: number) => run(db)`delete from webhooks where event_id = ${eventId}`

import { audienceMay } from '@afterglow/contract/capabilities'
import { reasons } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import { fewMay, roleMay } from '../../events/standing-sql.ts'
import type { ChangeRow } from '../../log/announce.ts'
import { nameToRing } from '../../notifications/excerpt.ts'
import type { Notice, NoticeTemplates } from '../../notifications/notices.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { allRows } from '../../platform/database/rows.ts'
import { isUndecided } from '../moderation/decisions-store.ts'
import { albumsPeople, idsOf } from '../notices-sql.ts'
import { tags } from '../notification-tags.ts'
import type { PhotosAdded } from './announce-photos.ts'

type Added = { id: number; taken_by: number; taker: string; at: number }
type Gathering = {
  change_id: number
  event_id: number
  event: string
  photos: Added[]
  /** Everybody in the event. `since`: the time from which an organizer hears of photos immediately. */
  members: { id: number; since: number | null }[]
  /** Pairs of a member and an uploader, one of whom has blocked the other. */
  apart: [number, number][]
}

/** Photos that were added and still exist, with everybody who may be notified. */
const readAdded = async (tx: Transaction, changes: readonly ChangeRow[]) => {
  await sql`select from photos where id = any(${changes.flatMap(({ detail }) => (detail as PhotosAdded).photos)}::bigint[])
    order by id for share`.execute(tx)
  return allRows<Gathering>(tx)`
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
    where c.id = any(${idsOf(changes)}::bigint[]) order by c.id`
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

const readSums = (tx: Transaction, changes: readonly ChangeRow[]) => allRows<Summed>(tx)`
    select c.id as change_id, e.id as event_id, e.name as event,
      array(select g.user_id::float8 from ${albumsPeople}) as members,
      sums.photos, sums.people, loved.id as loved, coalesce(loved.likes_count, 0) as likes
    from changes c join events e on e.id = c.event_id and e.deleted_at is null and e.status = 1
      cross join lateral (select count(*) as photos, count(distinct p.taken_by) as people from photos p
        where p.event_id = e.id and p.deleted_at is null and p.hidden_at is null) sums
      left join lateral (select p.id, p.likes_count from photos p
        where p.event_id = e.id and p.deleted_at is null and p.hidden_at is null
        order by p.likes_count desc, p.id desc limit 1) loved on true
    where c.id = any(${idsOf(changes)}::bigint[]) and sums.photos > 0`

type Queue = { change_id: number; event_id: number; event: string; deciders: number[]; photos: number }

const readQueues = (tx: Transaction, changes: readonly ChangeRow[]) => allRows<Queue>(tx)`
    select c.id as change_id, e.id as event_id, e.name as event, waiting.photos,
      array(select g.user_id::float8 from members g where g.event_id = e.id and ${fewMay(sql`g.role`, 'approve')}) as deciders
    from changes c join events e on e.id = c.event_id and e.deleted_at is null
      cross join lateral (select count(*)::int as photos from photos p
        where p.event_id = e.id and ${isUndecided} and p.deleted_at is null) waiting
    where c.id = any(${idsOf(changes)}::bigint[]) and waiting.photos > 0`

/** People who have added fewer photos than this probably have more. */
const fewPhotos = 5

type PhotoRequest = { change_id: number; event_id: number; event: string; people: number[] }

/** Participants who have added few photos, except for those who do not come, or have muted the event. */
const readWanted = (tx: Transaction, changes: readonly ChangeRow[]) => allRows<PhotoRequest>(tx)`
    select c.id as change_id, e.id as event_id, e.name as event,
      array(select g.user_id::float8 from members g join users u on u.id = g.user_id
        left join event_notification_settings s on s.event_id = g.event_id and s.user_id = g.user_id
        where g.event_id = e.id and ${roleMay(sql`g.role`, 'upload')} and not has_declined(e.id, g.user_id)
          and not u.mutes_notifications and coalesce(s.muted_until <= now(), true) and coalesce(s.level, 'everything') = 'everything'
          and (select count(*) from photos p where p.event_id = e.id and p.taken_by = g.user_id and p.deleted_at is null) < ${fewPhotos}
      ) as people
    from changes c join events e on e.id = c.event_id and e.deleted_at is null and e.status = 1
      left join galleries k on k.event_id = e.id
    where c.id = any(${idsOf(changes)}::bigint[]) and coalesce(k.asks_for_photos, true)`

/** Photos that were added, wait or are wanted, the recap of the album, and the reveal. */
export const photosNoticing: NoticeTemplates = {
  'photos.waiting': async (tx, changes) =>
    new Map(
      (await readQueues(tx, changes)).map(({ change_id, event_id, event, deciders, photos }) => [
        change_id,
        [
          {
            kind: 'photos_waiting',
            to: deciders,
            count: photos,
            actorId: null,
            values: { event: nameToRing(event) },
            link: `/events/${event_id}/waiting`,
            eventId: event_id,
            subjectId: event_id,
            tag: tags.waiting(event_id),
            reason: reasons.organizer,
          },
        ],
      ]),
    ),

  'photos.wanted': async (tx, changes) =>
    new Map(
      (await readWanted(tx, changes)).map(({ change_id, event_id, event, people }) => [
        change_id,
        [
          {
            kind: 'photos_wanted',
            to: people,
            actorId: null,
            values: { event: nameToRing(event) },
            link: `/events/${event_id}/photos`,
            eventId: event_id,
            subjectId: event_id,
            tag: `wanted:${event_id}`,
            reason: reasons.inEvent,
          },
        ],
      ]),
    ),

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
}

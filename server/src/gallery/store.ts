import type { Capability, Standing } from '@afterglow/contract/capabilities'
import { type RawBuilder, sql } from 'kysely'
import { ifMayInEvent, roleMay, shownTo, standingIn } from '../events/standing-sql.ts'
import type { Db, Transaction } from '../platform/database/database.ts'
import { allValues, firstValue, run } from '../platform/database/rows.ts'
import { leaveGap, pageStart, pageStartFromTop, rowsToFetch } from '../platform/database/sequence-pages.ts'
import { endingsOfMedia } from './endings-sql.ts'
import { counted } from './lists/moment-counts-store.ts'
import { isTrusted, photosAllowed } from './moderation/allowances-store.ts'
import { isUndecided } from './moderation/decisions-store.ts'
import {
  asPage,
  columns,
  type PageColumns,
  type PhotoAndTaker,
  pageOf,
  photosAndTakers,
  read,
  type Unread,
} from './photo-rows-sql.ts'
import { photo, unseenBy } from './photo-sql.ts'

export type Range = { offset: number; limit: number }

export type Gallery = {
  event_id: number
  status: number
  media_epoch: number
  standing: Standing
  photos_count: number
  /** Null if the instance's limit applies. */
  photos_max: number | null
}

/** The gallery of an event, with the viewer's standing and count. */
export const galleryOf = (viewerId: number, eventId: number) => sql<Gallery>`
    select e.id as event_id, e.status, e.media_epoch, ${standingIn(viewerId)} as standing,
      coalesce(g.photos_count, 0) as photos_count, ${photosAllowed} as photos_max
    from events e left join guests g on g.event_id = e.id and g.user_id = ${viewerId}
    where e.id = ${eventId} and e.deleted_at is null`

export const findGallery = async (db: Db, viewerId: number, eventId: number): Promise<Gallery | undefined> =>
  (await galleryOf(viewerId, eventId).execute(db)).rows[0]

/**
 * Locks what decides on an upload until the transaction ends: the event, and the uploader's row with its count, so that
 * their uploads pass the quota one after another.
 */
export const lockUploader = async (tx: Transaction, userId: number, eventId: number) => {
  await sql`
    with event as materialized (select id from events where id = ${eventId} for share)
    select from guests where event_id = (select id from event) and user_id = ${userId} for no key update`.execute(tx)
}

export const addToPhotosCount = (tx: Transaction, userId: number, eventId: number, more: 1 | -1) => run(tx)`
    update guests set photos_count = photos_count + ${more} where event_id = ${eventId} and user_id = ${userId}`

/** For changes to a photo made from an attachment: every change to the attachment locks the chat, too, and first. */
export const lockChatOf = (tx: Transaction, eventId: number) =>
  run(tx)`select from group_chats where event_id = ${eventId} for no key update`

/** A photo with the viewer's standing in its event. */
export type FoundPhoto = PhotoAndTaker & { attachment_id: number | null; media_epoch: number; standing: Standing }

export const findPhoto = async (db: Db, viewerId: number, id: number): Promise<FoundPhoto | undefined> => {
  const { rows } = await sql<Unread<FoundPhoto>>`
    select ${columns(viewerId)}, p.attachment_id, e.media_epoch, ${standingIn(viewerId)} as standing
    from ${photosAndTakers} join events e on e.id = p.event_id
    where p.id = ${id} and p.deleted_at is null and e.deleted_at is null`.execute(db)
  return rows[0] && read(rows[0])
}

/** The photos among these that belong to the event and that this person sees. */
export const photosSeenAmong = async (db: Db, viewerId: number, eventId: number, ids: readonly number[]) => {
  const seen = shownTo({ id: viewerId, standing: standingIn(viewerId, sql`${eventId}::bigint`) }, photo)
  const found = await allValues<number>(db)`
    select p.id from photos p
    where p.id = any(${ids}::bigint[]) and p.event_id = ${eventId} and p.deleted_at is null and ${seen}`
  return new Set(found)
}

/** Existing photos with their details, and without likes. */
export const photosById = async (db: Db, ids: readonly number[]) => {
  const { rows } = await sql<Unread<PhotoAndTaker & { media_epoch: number }>>`
    select ${columns(0, { detailed: true })}, e.media_epoch from ${photosAndTakers} join events e on e.id = p.event_id
    where p.id = any(${ids}::bigint[]) and p.deleted_at is null and e.deleted_at is null`.execute(db)
  return rows.map(read)
}

/** The uploaders of these photos, even of deleted ones. */
export const takersById = async (db: Db, ids: readonly number[]) => {
  const { rows } = await sql<{ id: number; taken_by: number }>`
    select id, taken_by from photos where id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, taken_by }) => [id, taken_by]))
}

/** `detailed`: with the details for `extra`. */
export type PhotoList = {
  eventId: number
  takenBy: number | undefined
  /** Restricts the list to photos that wait to be approved. */
  waiting?: boolean
  newestFirst: boolean
  detailed: boolean
}

/**
 * A page of a gallery, and the gallery, for a viewer who may see it; nothing for anyone else. Deep pages of all photos
 * start by arithmetic (platform/database/sequence-pages.ts); those of one person, and those that wait, scan an index of
 * their own.
 */
export const listPhotos = async (
  db: Db,
  viewerId: number,
  { eventId, takenBy, waiting, newestFirst, detailed, needs = 'album' }: PhotoList & { needs?: Capability },
  { offset, limit }: Range,
) => {
  const order = newestFirst ? sql`sequence desc` : sql`sequence`
  const viewer = { id: viewerId, standing: sql`gallery.standing` }
  const seen = shownTo(viewer, photo)
  const living = sql`photos p where p.event_id = ${eventId} and p.deleted_at is null and ${seen}`
  const unseen = unseenBy(viewer, eventId, sql`p.sequence`)
  const asked = { list: 'photos', parentId: eventId, rows: living, offset, unseen }
  const last = sql`(select last_sequence from galleries where event_id = ${eventId})`
  const startOfAll = () => (newestFirst ? pageStartFromTop({ ...asked, last }) : pageStart(asked))
  const some = sql`${takenBy === undefined ? sql`` : sql`and p.taken_by = ${takenBy}`} ${waiting ? sql`and ${isUndecided}` : sql``}`
  const start =
    takenBy === undefined && !waiting
      ? startOfAll()
      : sql`(select sequence from ${living} ${some} order by ${order} offset ${offset} limit 1)`
  const photos = sql`
    select * from photos p
    where p.event_id = ${eventId} ${some} and p.deleted_at is null and ${seen}
      and p.sequence ${newestFirst ? sql`<=` : sql`>=`} ${start}
    order by p.${order} limit ${rowsToFetch(limit)}`
  const { rows } = await sql<{ media_epoch: number; standing: Standing } & PageColumns>`
    select gallery.media_epoch, gallery.standing, page.* from (
      select e.media_epoch, viewing.role as standing from events e ${ifMayInEvent(viewerId, needs)}
      where e.id = ${eventId} and e.deleted_at is null limit 1
    ) gallery cross join lateral (${asPage(viewerId, photos, { order: sql`p.${order}`, detailed })}) page`.execute(db)
  return rows[0] && { gallery: rows[0], page: pageOf(rows[0], limit) }
}

export type NewPhoto = {
  eventId: number
  mediaId: number
  takenBy: number
  /** The user who adds it; by default, its uploader. */
  by?: number
  attachmentId: number | null
  caption: string | null
  altText: string | null
}

/**
 * Numbers and inserts a photo; its ID, or undefined if its attachment is in the gallery. The lock on the gallery's row
 * makes the numbers, IDs and times of an event's photos rise together, and says whether they are sealed until a reveal.
 * The photo waits to be approved if the event says so and the user who adds it could not approve it.
 */
export const insertPhoto = async (tx: Transaction, photo: NewPhoto): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`
    with gallery as (
      insert into galleries (event_id, last_sequence) values (${photo.eventId}, 1)
      on conflict (event_id) do update set last_sequence = galleries.last_sequence + 1
      returning last_sequence, clock_timestamp() as at, sealed_from
    ), changed as (
      insert into photos (event_id, sequence, media_id, taken_by, attachment_id, shares_media, caption, alt_text,
        moment, look, plays, created_at, updated_at, picture_epoch, endings, waits, sealed_from,
        hidden_at, by_photographer)
      select ${photo.eventId}, last_sequence, ${photo.mediaId}, ${photo.takenBy}, ${photo.attachmentId}::bigint,
        ${photo.attachmentId}::bigint is not null, ${photo.caption}, ${photo.altText},
        coalesce(m.taken_at, at), case when not exists (select from videos v where v.media_id = m.id) then m.look end,
        m.variants ? 'video', at, at, m.epoch, ${endingsOfMedia}, waits,
        case when not closed then sealed_from end, case when closed or sealed_from is not null then at end,
        ${photo.attachmentId === null} and exists (select from guests g
          where g.event_id = e.id and g.user_id = ${photo.takenBy} and g.photographs_by is not null)
      from gallery join media m on m.id = ${photo.mediaId} join events e on e.id = ${photo.eventId}
      cross join lateral (select ${mustBeApproved(photo.by ?? photo.takenBy, photo.takenBy)} as waits) needs
      cross join lateral (select waits and e.photo_approval = 'album' as closed) album
      on conflict (attachment_id) where deleted_at is null and attachment_id is not null do nothing
      returning id, event_id, moment
    ), quarter as (${counted(1)}
    ), untold as (
      insert into untold_photos (photo_id, event_id, added_at) select id, event_id, at from changed, gallery
      where sealed_from is null)
    select id from changed`.execute(tx)
  if (rows[0]) return rows[0].id
  // A number without a row would shift every page.
  await sql`update galleries set last_sequence = last_sequence - 1 where event_id = ${photo.eventId}`.execute(tx)
  return undefined
}

/** What somebody adds to the event `e` waits to be approved, unless they could approve it or the uploader is trusted. */
const mustBeApproved = (byId: number, uploaderId: number) => sql`(e.photo_approval <> 'none'
  and not exists (select from members g
    where g.event_id = e.id and g.user_id = ${byId} and ${roleMay(sql`g.role`, 'approve')})
  and not exists (select from guests g where g.event_id = e.id and g.user_id = ${uploaderId} and ${isTrusted}))`

type Texts = { caption?: string | null | undefined; altText?: string | null | undefined }

/**
 * Changes the texts of a photo; with `onlyEmpty`, those it does not have yet. An approved photo keeps the approved ones
 * until the new ones are approved, too. Undefined if it is deleted, false if that changes nothing.
 */
export const updateTexts = async (
  tx: Transaction,
  id: number,
  byId: number,
  { caption, altText, onlyEmpty = false }: Texts & { onlyEmpty?: boolean },
) => {
  const changedTo = (before: RawBuilder<unknown>, text: string | null | undefined) =>
    text === undefined ? before : onlyEmpty ? sql`coalesce(${before}, ${text}::text)` : sql`${text}::text`
  const latest = (name: 'caption' | 'alt_text') =>
    sql`case when p.new_words is null then p.${sql.ref(name)} else p.new_words ->> ${sql.lit(name)} end`
  const words = sql`jsonb_build_object('caption', b.caption, 'alt_text', b.alt_text)`
  return firstValue<boolean>(tx)`
    with was as (
      select ${latest('caption')} as caption, ${latest('alt_text')} as alt_text, not p.waits
        and (p.hidden_at is null or p.sealed_from is not null) and ${mustBeApproved(byId, byId)} as waits
      from photos p join events e on e.id = p.event_id where p.id = ${id} and p.deleted_at is null for no key update of p
    ), b as (
      select ${changedTo(sql`caption`, caption)} as caption, ${changedTo(sql`alt_text`, altText)} as alt_text, waits from was
    ), changed as (
      update photos p set updated_at = clock_timestamp(),
        caption = case when b.waits then p.caption else b.caption end,
        alt_text = case when b.waits then p.alt_text else b.alt_text end,
        new_words = case when b.waits and (p.approved_name is not null
          or (b.caption, b.alt_text) is distinct from (p.caption, p.alt_text)) then ${words} end,
        approved_name = case when b.waits then p.approved_name end
      from b, was where p.id = ${id} and (b.caption, b.alt_text) is distinct from (was.caption, was.alt_text) returning p.id
    )
    select exists (select from changed) as changed from b`
}

/** Decides who saw the photo at the moment of its deletion. */
export type Deleted = { hidden_at: Date | null; sealed_from: string | null; waits: boolean; taken_by: number }

/** Undefined if somebody else deleted it before. `ownMedia`: no other photo showed its media. */
export const markDeleted = async (
  tx: Transaction,
  { id, event_id }: { id: number; event_id: number },
  { takenDown }: { takenDown: boolean },
) => {
  const { rows } = await sql<Deleted & { sequence: number; own_media: boolean }>`
    with changed as (
      update photos set deleted_at = now(), taken_down = ${takenDown} where id = ${id} and deleted_at is null
      returning event_id, moment, sequence, not shares_media as own_media, hidden_at, sealed_from, waits, taken_by
    ), quarter as (${counted(-1)})
    select sequence, own_media, hidden_at, sealed_from, waits, taken_by from changed`.execute(tx)
  if (!rows[0]) return undefined
  const { sequence, own_media: ownMedia, ...deleted } = rows[0]
  await leaveGap(tx, { list: 'photos', parentId: event_id }, sequence)
  return { ...deleted, ownMedia }
}

/** The remaining photos of these attachments become the sole owners of their media. Returns those attachments. */
export const ownMedia = (tx: Transaction, attachmentIds: readonly number[]) => allValues<number>(tx)`
    update photos set shares_media = false
    where attachment_id = any(${attachmentIds}::bigint[]) and deleted_at is null returning attachment_id`

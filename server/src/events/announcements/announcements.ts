import { can } from '@afterglow/contract/capabilities'
import { announcementPhotosMax, announcementsPerDay } from '@afterglow/contract/limits'
import { sentence } from '@afterglow/contract/words'
import { requireProofForOthers } from '../../accounts/proofs.ts'
import { announce } from '../../log/announce.ts'
import { readAbout, withdrawTagged } from '../../notifications/mark-read.ts'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { invalid, orDone, refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { eventToChange, requireCapability } from '../access.ts'
import { audit } from '../audit/audit.ts'
import { tags } from '../notification-templates.ts'
import * as store from '../store.ts'
import * as announcements from './announcements-store.ts'

/** The photos of the event that this person sees; provided by the slice `gallery`, to the right. */
export type PhotosSeenAmong = (
  db: Db,
  viewerId: number,
  eventId: number,
  ids: readonly number[],
) => Promise<ReadonlySet<number>>

/** Puts announcements into the event's chat; the slice `chats`, to the right, does it. */
export type AnnouncementsInChat = {
  /** Sends the text as a message, or changes the one that it was. Returns the message's ID, if there is one. */
  say(
    tx: Transaction,
    viewer: Viewer,
    said: { eventId: number; text: string; messageId: number | null },
  ): Promise<number | null>
  takeBack(tx: Transaction, viewer: Viewer, said: { eventId: number; messageId: number }): Promise<void>
}

/** Provided by slices to the right. */
export type AnnouncementTools = { photosSeenAmong: PhotosSeenAmong; announcementsInChat: AnnouncementsInChat }

/**
 * Makes an announcement to everybody in an event. A second one by the same organizer within the minute is merged into
 * the first, and does not ring again for people who have not read that; the same words with another picture are one of
 * their own. Returns its ID.
 */
export const makeAnnouncement = (
  db: Db,
  viewer: Viewer,
  { eventId, text, photoIds }: announcements.AnnouncementContent & { eventId: number },
  { photosSeenAmong, announcementsInChat }: AnnouncementTools,
) =>
  transact(db, async tx => {
    const event = requireCapability(await eventToChange(tx, viewer, eventId), 'announce')
    const seen = await photosSeenAmong(tx, viewer.id, eventId, photoIds)
    for (const [at, id] of photoIds.entries()) if (!seen.has(id)) invalid(`event_photo_ids.${at}`, sentence.selected)
    const { today, hurried: last } = await announcements.announcedLately(tx, eventId, viewer.id)
    const isSaid = last?.text.split('\n').includes(text) ?? false
    if (last && isSaid && photoIds.every(id => last.photo_ids.includes(id))) return last.id
    const hurried = isSaid ? null : last
    if (!hurried && today >= announcementsPerDay) refuse('tooManyAnnouncements')
    const whole = hurried ? `${hurried.text}\n${text}` : text
    if (hurried)
      await announcements.updateAnnouncement(tx, hurried.id, {
        text: whole,
        photoIds: [...new Set([...hurried.photo_ids, ...photoIds])].slice(0, announcementPhotosMax),
      })
    const id = hurried?.id ?? (await announcements.insertAnnouncement(tx, event, viewer.id, { text, photoIds }))
    const said = { eventId, text: whole, messageId: hurried?.message_id ?? null }
    await announcements.saveMessage(tx, id, await announcementsInChat.say(tx, viewer, said))
    await announce(tx, [
      { ...about(viewer, eventId), kind: 'announcement.made', subjectId: id, notify: true },
      { ...about(viewer, eventId), kind: 'event.updated', subjectId: eventId },
    ])
    return id
  })

/** Clients reload what is shown at the top of the event. */
const about = (viewer: Viewer, eventId: number) => ({ audience: 'event', eventId, actorId: viewer.id }) as const

/** An announcement in an event that the viewer is in. */
export const announcementFor = async (db: Db, viewer: Viewer, id: number) => {
  const found = (await announcements.findAnnouncement(db, viewer.id, id)) ?? refuse('noSuchAnnouncement')
  const event = await store.readEvent(db, viewer.id, found.event_id)
  if (!event || !can(event.standing, 'read')) refuse('noSuchAnnouncement')
  return found
}

/** Marks the announcement and its notification as read by the viewer. */
export const seeAnnouncement = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const { event_id: eventId } = await announcementFor(tx, viewer, id)
    await announcements.noteRead(tx, id, viewer.id)
    await readAbout(tx, viewer.id, { kinds: ['announcement'], eventId, subjectId: id })
  })

/** Withdrawing again has no effect. */
export const withdrawAnnouncement = (
  db: Db,
  viewer: Viewer,
  id: number,
  { announcementsInChat }: Pick<AnnouncementTools, 'announcementsInChat'>,
) => {
  const withdrawn = transact(db, async tx => {
    const announcement = await announcementFor(tx, viewer, id)
    const { event_id: eventId, user_id: userId } = announcement
    requireCapability(await eventToChange(tx, viewer, eventId), 'announce')
    await requireProofForOthers(tx, viewer, announcement)
    const withdrawn = await announcements.markWithdrawn(tx, id)
    if (!withdrawn) return
    const { message_id: messageId } = withdrawn
    if (messageId !== null) await announcementsInChat.takeBack(tx, viewer, { eventId, messageId })
    await audit(tx, viewer, { act: 'announcement.withdrawn', eventId, subjectId: id, userId })
    await withdrawTagged(tx, eventId, [tags.announcement(id)])
    await announce(tx, { ...about(viewer, eventId), kind: 'event.updated', subjectId: eventId })
  })
  return orDone(withdrawn, ['noSuchAnnouncement'], async () => {
    const eventId = await announcements.eventOfWithdrawn(db, id)
    const event = eventId === undefined ? undefined : await store.readEvent(db, viewer.id, eventId)
    return event !== undefined && can(event.standing, 'announce')
  })
}

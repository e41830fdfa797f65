import { sentence } from '@afterglow/contract/words'
import { audit } from '../../events/audit/audit.ts'
import type { May } from '../../events/standing.ts'
import { announce, type ChangeKind } from '../../log/announce.ts'
import { withdrawTagged } from '../../notifications/mark-read.ts'
import { type Db, type Transaction, transact } from '../../platform/database/database.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { galleryToApproveIn } from '../access.ts'
import { messagesShowingAny } from '../duplicates/duplicates-store.ts'
import { announceMessages } from '../duplicates/one-photo.ts'
import { tags } from '../notification-tags.ts'
import { lockChatOf } from '../store.ts'
import * as store from './decisions-store.ts'
import { lockGallery } from './hide-store.ts'
import { vanish } from './vanish.ts'

/*
 * Photos wait before the album, where they are hidden, or before the wall, where the album has them. A decision is one
 * act about any number of photos, and is undone whole. New words of an approved photo wait alone.
 */

type DecisionRequest = { eventId: number; ids: readonly number[] | 'all' }
type Gallery = { event_id: number } & May<'approve'>

/**
 * Approves or refuses waiting photos; those that no longer wait stay unchanged. Refuses noSuchEvent, notInEvent,
 * notOrganizer.
 */
export const decideAbout = (db: Db, viewer: Viewer, { eventId, ids }: DecisionRequest, refused: boolean) =>
  transact(db, async tx => {
    const gallery = await galleryToDecideIn(tx, viewer, eventId)
    const photos = await store.lockWaiting(tx, gallery, ids)
    const decision = photos.length > 0 ? await decide(tx, viewer, gallery, photos, refused) : null
    return outcomeOf(tx, eventId, { decision, decided: photos.length, asked: ids === 'all' ? [] : ids })
  })

export type WallMark = keyof typeof store.decidedBy

/**
 * A mark for the wall decides, too: choosing a photo approves it, hiding it from the wall refuses it there, and
 * removing the mark undoes that. False if there is nothing to decide.
 */
export const decideForWall = async (tx: Transaction, viewer: Viewer, eventId: number, id: number, mark: WallMark) => {
  const gallery = await galleryToDecideIn(tx, viewer, eventId)
  const photos = await store.lockWaiting(tx, gallery, [id], store.decidedBy[mark])
  if (photos.length > 0) await decide(tx, viewer, gallery, photos, mark === 'hidden')
  return photos.length > 0
}

const galleryToDecideIn = async (tx: Transaction, viewer: Viewer, eventId: number) => {
  const gallery = await galleryToApproveIn(tx, viewer, eventId)
  await lockChatOf(tx, eventId)
  await lockGallery(tx, eventId)
  return gallery
}

const decide = async (
  tx: Transaction,
  viewer: Viewer,
  gallery: Gallery,
  photos: readonly store.WaitingPhoto[],
  refused: boolean,
) => {
  const { event_id: eventId } = gallery
  const { album, wall, words } = placesOf(photos)
  const all = [...album, ...wall]
  const replaced = await store.decideWords(tx, gallery, words, refused)
  if (refused) await store.refuse(tx, gallery, { album, wall })
  const seen = refused ? new Set<number>() : await store.approve(tx, gallery, all)
  const act = refused ? 'photo.refused' : 'photo.approved'
  await audit(
    tx,
    viewer,
    photos.map(({ id, taken_by: userId }) => ({ act, eventId, subjectId: id, userId })),
  )
  const fresh = photos.filter(({ id }) => seen.has(id))
  const change = changeBy(viewer, eventId)
  await announce(tx, [
    ...fresh.map(({ id, taken_by, hidden }) =>
      change('photo.created', id, { besides: taken_by, ...(!hidden && { on: 'wall' }) }),
    ),
    ...[...all, ...words].map(id => change('photo.updated', id)),
  ])
  await store.scheduleAnnouncement(
    tx,
    eventId,
    fresh.filter(({ hidden }) => hidden).map(({ id }) => id),
  )
  await announceMessagesShowing(tx, viewer, eventId, photos)
  await withdrawIfDecided(tx, eventId)
  return store.keepDecision(tx, { event_id: eventId, by: viewer.id, refused, album, wall, words: replaced })
}

/**
 * The decided photos wait again, unless somebody has changed them since. Refuses noSuchEvent, notInEvent, notOrganizer.
 */
export const undoDecision = (db: Db, viewer: Viewer, id: number) =>
  transact(db, async tx => {
    const unknown = () => invalid('decision_id', sentence.selected)
    const { event_id: eventId } = (await store.findDecision(tx, id)) ?? unknown()
    await galleryToDecideIn(tx, viewer, eventId)
    const decision = (await store.findDecision(tx, id)) ?? unknown()
    const photos = await store.lockDecided(tx, decision)
    await store.waitAgain(tx, photos)
    const worded = await store.waitAgainWithWords(tx, decision)
    await store.forgetDecision(tx, id)
    const seen = decision.refused ? [] : photos.filter(({ hidden }) => !hidden)
    const change = changeBy(viewer, eventId)
    await announce(tx, [
      ...seen.map(({ id, taken_by, closed }) =>
        change('photo.deleted', id, { besides: taken_by, ...(!closed && { on: 'wall' }) }),
      ),
      ...[...photos, ...worded].map(photo => change('photo.updated', photo.id)),
    ])
    await audit(
      tx,
      viewer,
      [...photos, ...worded].map(photo => ({
        act: 'photo.undecided',
        eventId,
        subjectId: photo.id,
        userId: photo.taken_by,
      })),
    )
    await vanish(
      tx,
      eventId,
      seen.filter(({ closed }) => closed),
    )
    await announceMessagesShowing(tx, viewer, eventId, photos)
    return outcomeOf(tx, eventId, { decision: null, decided: photos.length + worded.length, asked: [] })
  })

const placesOf = (photos: readonly store.WaitingPhoto[]) => ({
  album: photos.filter(({ closed }) => closed).map(({ id }) => id),
  wall: photos.filter(({ closed, words }) => !closed && !words).map(({ id }) => id),
  words: photos.filter(({ words }) => words).map(({ id }) => id),
})

const changeBy =
  ({ id: actorId }: Pick<Viewer, 'id'>, eventId: number) =>
  (kind: ChangeKind, subjectId: number, detail?: object) =>
    ({ kind, audience: 'event', eventId, actorId, subjectId, ...(detail && { detail }) }) as const

/** Messages that show a picture say whether it is in the album. */
const announceMessagesShowing = async (
  tx: Transaction,
  { id: actorId }: Pick<Viewer, 'id'>,
  eventId: number,
  photos: readonly store.WaitingPhoto[],
) => {
  const mediaIds = photos.map(photo => photo.media_id)
  await announceMessages(tx, { eventId, actorId }, await messagesShowingAny(tx, eventId, mediaIds))
}

/** Withdraws the notification about waiting photos once none waits. */
export const withdrawIfDecided = async (tx: Transaction, eventId: number) => {
  if ((await store.countWaiting(tx, eventId)) === 0)
    await withdrawTagged(tx, eventId, [tags.waiting(eventId)], 'answered')
}

type Decided = { decision: number | null; decided: number; asked: readonly number[] }

const outcomeOf = async (tx: Transaction, eventId: number, { decision, decided, asked }: Decided) => ({
  decision,
  decided,
  waiting: await store.countWaiting(tx, eventId),
  states: await store.statesOf(tx, eventId, asked),
})

export type Outcome = Awaited<ReturnType<typeof outcomeOf>>

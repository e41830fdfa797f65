import { sentence } from '@afterglow/contract/words'
import { addGuestAccount, renameGuest } from '../accounts/guests.ts'
import { eventToChange, requireCapability, requireMember, requirePlanned } from '../events/access.ts'
import { audit } from '../events/audit/audit.ts'
import { admit } from '../events/members/join.ts'
import { isMember, settleRoles } from '../events/members/membership.ts'
import { isAdded } from '../events/returns/claims.ts'
import { announce } from '../log/announce.ts'
import { type Database, type Db, type Transaction, transact } from '../platform/database/database.ts'
import { invalid, refuse } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import * as store from './answers-store.ts'

export type AnswerInput = {
  answer: store.Answer
  plusOnes: number | undefined
  plusNames: string | undefined
  note: string | undefined
  /** The answer before, as its author had read it, was given then or earlier. */
  seenAt?: Date | undefined
}

/**
 * Answers for oneself or, as an organizer, for somebody in the event. Refuses noSuchEvent, notInEvent, notOrganizer,
 * noSuchUser, cancelled, eventOver, answerChanged.
 */
export const answerEvent = (db: Db, viewer: Viewer, eventId: number, userId: number, wish: AnswerInput) =>
  transact(db, async tx => {
    const event = requirePlanned(requireMember(await eventToChange(tx, viewer, eventId)))
    if (userId !== viewer.id) {
      requireCapability(event, 'manage')
      if (!(await isMember(tx, eventId, userId))) refuse('noSuchUser')
    }
    if (await answer(tx, userId, eventId, wish, viewer.id)) await auditOfOthers(tx, viewer, eventId, userId)
  })

const auditOfOthers = async (tx: Transaction, viewer: Viewer, eventId: number, userId: number) => {
  if (userId !== viewer.id) await audit(tx, viewer, { act: 'guest.answered', eventId, subjectId: userId, userId })
}

/**
 * Records an answer of somebody in the event, which is locked. A seat is given at once if there are enough; people who
 * have one keep it, and bring no more than there is room for. The same answer again has no effect, unless it was for another day: false. Refuses
 * eventOver, answerChanged.
 */
export const answer = async (tx: Transaction, userId: number, eventId: number, wish: AnswerInput, by = userId) => {
  const before = await store.answerOf(tx, eventId, userId)
  const { places, plusMax, taken, over } = await store.countAnswers(tx, eventId)
  if (over) refuse('eventOver')
  if (before && wish.seenAt && wish.seenAt < before.answered_at) refuse('answerChanged')
  const { plus, plus_names, note } = detailsOf(wish, before, plusMax)
  const free = places === null ? Number.POSITIVE_INFINITY : places - taken + (before?.seated ? 1 + before.plus : 0)
  const going = wish.answer === 'going'
  if (going && before?.seated && 1 + plus > free) invalid('plus_ones', sentence.atMost(free - 1))
  if (going && plus > 0 && places !== null && by === userId) await demandShare(tx, { userId, eventId, places, plus })
  const kept = { answer: wish.answer, plus, plus_names, note, seated: going && 1 + plus <= free }
  const keys = ['answer', 'plus', 'plus_names', 'note', 'seated'] as const
  if (before && !before.former_start && keys.every(key => before[key] === kept[key])) return false
  await store.saveAnswer(tx, eventId, userId, kept)
  await announceAnswer(tx, { eventId, userId, by })
  await settleRoles(tx, eventId, userId)
  if (before?.seated) await store.moveLine(tx, eventId)
  return true
}

const announceAnswer = (tx: Transaction, { eventId, userId, by }: { eventId: number; userId: number; by: number }) => {
  const about = { kind: 'answer.updated', eventId, actorId: by, subjectId: userId } as const
  return announce(tx, [
    { ...about, audience: 'organizers' },
    { ...about, audience: 'user', userId },
  ])
}

/** A no keeps the companions and the note of the answer before it. */
const detailsOf = (wish: AnswerInput, before: store.AnswerRow | undefined, plusMax: number) => {
  const [plus, names, note] = [partyOf(wish, plusMax), wish.plusNames ?? null, wish.note ?? null]
  return wish.answer === 'no' && before && plus === 0 && note === null ? before : { plus, plus_names: names, note }
}

type Name = { firstName: string; lastName: string }
/** Without an ID, somebody new. */
type Person = Name & { id: number | undefined }

/**
 * Adds somebody without a device to the event, or changes the name of one who was added, with their answer if there is
 * one. Returns their ID. Refuses noSuchEvent, notOrganizer, noSuchUser, cancelled, eventOver, answerChanged.
 */
export const savePerson = (
  db: Db,
  viewer: Viewer,
  eventId: number,
  { id, ...name }: Person,
  wish: AnswerInput | undefined,
) =>
  transact(db, async tx => {
    const event = requireCapability(await eventToChange(tx, viewer, eventId), 'manage')
    requirePlanned(event)
    const userId = id ?? (await addGuestAccount(tx, { ...name, timezone: event.timezone, addedTo: eventId }))
    if (id === undefined) {
      await admit(tx, viewer, eventId, [userId])
      await audit(tx, viewer, { act: 'guest.added', eventId, subjectId: userId, userId })
    } else await renamePerson(tx, viewer, eventId, id, name)
    if (wish && (await answer(tx, userId, eventId, wish, viewer.id)) && id)
      await auditOfOthers(tx, viewer, eventId, userId)
    return userId
  })

const renamePerson = async (tx: Transaction, { id: actorId }: Viewer, eventId: number, userId: number, name: Name) => {
  if (!(await isAdded(tx, eventId, userId))) refuse('noSuchUser')
  if (!(await renameGuest(tx, userId, name))) return
  const about = { eventId, actorId, subjectId: userId } as const
  await announce(tx, { ...about, kind: 'guest.updated', audience: 'event' })
}

/** Moves somebody to the front of the line. Refuses noSuchEvent, notOrganizer, noSuchUser, cancelled, eventOver, notInLine. */
export const moveUp = (db: Db, viewer: Viewer, eventId: number, userId: number, reason: string) =>
  transact(db, async tx => {
    requirePlanned(requireCapability(await eventToChange(tx, viewer, eventId), 'manage'))
    if (!(await isMember(tx, eventId, userId))) refuse('noSuchUser')
    if ((await store.countAnswers(tx, eventId)).over) refuse('eventOver')
    const { line = null } = (await store.answerOf(tx, eventId, userId)) ?? {}
    if (line === null) refuse('notInLine')
    if (!(await store.moveToFront(tx, eventId, userId))) return
    await audit(tx, viewer, { act: 'guest.moved_up', eventId, subjectId: userId, userId, reason })
    await announceAnswer(tx, { eventId, userId, by: viewer.id })
  })

/** Names alone may bring others to a third of the places: all who came by one link without a password together. */
const demandShare = async (
  tx: Transaction,
  { userId, eventId, places, plus }: { userId: number; eventId: number; places: number; plus: number },
) => {
  const brought = await store.plusOfNames(tx, eventId, userId)
  const left = Math.max(0, Math.floor(places / 3) - (brought ?? 0))
  if (brought !== null && plus > left) invalid('plus_ones', sentence.atMost(left))
}

/** A number, or as many as there are names. */
const partyOf = ({ plusOnes = 0, plusNames }: AnswerInput, plusMax: number): number => {
  const named = plusNames?.split(/[\n,;،、]/u).filter(name => name.trim() !== '').length ?? 0
  if (plusOnes > plusMax) invalid('plus_ones', sentence.atMost(plusMax))
  return named > plusMax ? invalid('plus_names', sentence.countAtMost(plusMax)) : Math.max(plusOnes, named)
}

/** Sets for how many there is room; refuses fewer than already come, with their number. */
export const setPlaces = async (tx: Transaction, eventId: number, places: number | null) => {
  const { taken } = await store.countAnswers(tx, eventId)
  if (places !== null && places < taken) invalid('event_places', sentence.atLeast(taken))
  await store.savePlan(tx, eventId, { places })
  await store.moveLine(tx, eventId)
}

/** Sets how many others an answer may bring; refuses fewer than somebody brings, with their number. */
export const setPlusOnesMax = async (tx: Transaction, eventId: number, most: number) => {
  const brought = await store.mostPlus(tx, eventId)
  if (most < brought) invalid('event_plus_ones_max', sentence.atLeast(brought))
  await store.savePlan(tx, eventId, { plus_max: most })
}

/** Sets who sees the album. Saving the event notifies its people. */
export const setAlbumFor = async (tx: Transaction, eventId: number, album: store.AlbumFor) => {
  await store.savePlan(tx, eventId, { album_for: album })
  await settleRoles(tx, eventId)
}

/** Reminds everybody who has not answered, or not for the present day of the event. Refuses noSuchEvent, notOrganizer, cancelled, eventOver, remindedLately. */
export const remindGuests = (db: Db, viewer: Viewer, eventId: number): Promise<number> =>
  transact(db, async tx => {
    requirePlanned(requireCapability(await eventToChange(tx, viewer, eventId), 'manage'))
    if ((await store.countAnswers(tx, eventId)).over) refuse('eventOver')
    const reminded = (await store.readPendingAnswers(tx, eventId, true))?.asked.length ?? 0
    if (reminded === 0) return 0
    if (!(await store.noteReminded(tx, eventId))) refuse('remindedLately')
    const about = { audience: 'event', eventId, actorId: viewer.id, subjectId: eventId } as const
    await announce(tx, { ...about, kind: 'answer.wanted', detail: { everyone: true }, notify: true })
    return reminded
  })

/** Asks those who have not answered. */
export const askForAnswers = (db: Database) => async (): Promise<void> =>
  transact(db, async tx => {
    const events = await store.takeUnanswered(tx)
    await announce(
      tx,
      events.map(({ event_id: eventId, created_by: actorId }) => ({
        kind: 'answer.wanted',
        audience: 'event',
        eventId,
        actorId,
        subjectId: eventId,
        notify: true,
      })),
    )
  })

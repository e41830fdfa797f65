import { plusOnesMax } from '@afterglow/contract/limits'
import { sentence } from '@afterglow/contract/words'
import { eventToChange, requireMember, requirePlanned } from '../events/access.ts'
import { settleRoles } from '../events/members/membership.ts'
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
}

/** Answers for oneself. Refuses noSuchEvent, notInEvent, cancelled, eventOver. */
export const answerEvent = (db: Db, viewer: Viewer, eventId: number, wish: AnswerInput) =>
  transact(db, async tx => {
    requirePlanned(requireMember(await eventToChange(tx, viewer, eventId)))
    await answer(tx, viewer.id, eventId, wish)
  })

/**
 * Records an answer of somebody in the event, which is locked. A seat is given at once if there are enough; people who
 * have one keep it, and bring no more than there is room for. The same answer again has no effect. Refuses eventOver.
 */
export const answer = async (tx: Transaction, userId: number, eventId: number, wish: AnswerInput) => {
  const before = await store.answerOf(tx, eventId, userId)
  const { places, taken, over } = await store.countAnswers(tx, eventId)
  if (over) refuse('eventOver')
  const plus = wish.answer === 'no' ? 0 : partyOf(wish)
  const free = places === null ? Number.POSITIVE_INFINITY : places - taken + (before?.seated ? 1 + before.plus : 0)
  const going = wish.answer === 'going'
  if (going && before?.seated && 1 + plus > free) invalid('plus_ones', sentence.atMost(free - 1))
  if (going && plus > 0 && places !== null) await demandShare(tx, { userId, eventId, places, plus })
  const seated = going && 1 + plus <= free
  const names = wish.answer === 'no' ? null : (wish.plusNames ?? null)
  const kept = { answer: wish.answer, plus, plus_names: names, note: wish.note ?? null, seated }
  const keys = ['answer', 'plus', 'plus_names', 'note', 'seated'] as const
  if (before && keys.every(key => before[key] === kept[key])) return
  await store.saveAnswer(tx, eventId, userId, kept)
  const about = { kind: 'answer.updated', eventId, actorId: userId, subjectId: userId } as const
  await announce(tx, [
    { ...about, audience: 'organizers' },
    { ...about, audience: 'user', userId },
  ])
  await settleRoles(tx, eventId, userId)
  if (before?.seated) await store.moveLine(tx, eventId)
}

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
const partyOf = ({ plusOnes, plusNames }: AnswerInput): number => {
  const named = plusNames?.split(/[\n,;،、]/u).filter(name => name.trim() !== '').length ?? 0
  const plus = Math.max(plusOnes ?? 0, named)
  return plus > plusOnesMax ? invalid('plus_names', sentence.countAtMost(plusOnesMax)) : plus
}

/** Sets for how many there is room; refuses fewer than already come, with their number. */
export const setPlaces = async (tx: Transaction, eventId: number, places: number | null) => {
  const { taken } = await store.countAnswers(tx, eventId)
  if (places !== null && places < taken) invalid('event_places', sentence.atLeast(taken))
  await store.savePlaces(tx, eventId, places)
  await store.moveLine(tx, eventId)
}

/** Sets who sees the album. Saving the event notifies its people. */
export const setAlbumFor = async (tx: Transaction, eventId: number, album: store.AlbumFor) => {
  await store.saveAlbumFor(tx, eventId, album)
  await settleRoles(tx, eventId)
}

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

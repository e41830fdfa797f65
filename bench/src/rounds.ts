import { type Duel, type Side, type Slice, Void } from './figures.ts'

export type Pair = { ceiling: Slice | null; ours: Slice }
export type Fought = { pairs: Pair[]; void: null } | { pairs: Pair[]; void: string }
export type Length = { rounds: number; seconds: number }

/** As long as V8 takes to compile what is hot, however short the rounds are. */
const warmUpSeconds = 1

/**
 * Both sides in turn, the other one first in every second round, so that a machine that slows down or warms up favours
 * neither. One failed operation voids everything that was measured.
 */
export const fight = async (duel: Duel, { rounds, seconds }: Length): Promise<Fought> => {
  const pairs: Pair[] = []
  try {
    for (const side of [duel.ceiling, duel.ours]) if (side) await (side.warm?.() ?? side.run(warmUpSeconds))
    for (let round = 0; round < (duel.rounds ?? rounds); round++) {
      pairs.push(await oneRound(duel.ceiling, duel.ours, seconds, round % 2 === 1))
    }
    return { pairs, void: null }
  } catch (fault) {
    if (!(fault instanceof Void)) throw fault
    return { pairs: [], void: fault.message }
  } finally {
    await duel.end?.()
  }
}

const oneRound = async (ceiling: Side | null, ours: Side, seconds: number, reversed: boolean): Promise<Pair> => {
  if (!ceiling) return { ceiling: null, ours: await ours.run(seconds) }
  if (!reversed) {
    const first = await ceiling.run(seconds)
    return { ceiling: first, ours: await ours.run(seconds) }
  }
  const first = await ours.run(seconds)
  return { ceiling: await ceiling.run(seconds), ours: first }
}

import { type Duel, type Side, type Slice, Void } from './figures.ts'

export type Pair = { ceiling: Slice | null; ours: Slice }
export type Fought = { pairs: Pair[]; void: string | null }
export type Length = { rounds: number; seconds: number }

/** V8 needs this long to compile hot code, however short the rounds are. */
const warmUpSeconds = 1

/**
 * Runs both sides in turn and alternates the order, so that a machine that slows down or warms up favours neither. One
 * failed operation voids all measurements.
 */
export const fight = async ({ ceiling, ours, end, ...duel }: Duel, length: Length): Promise<Fought> => {
  const sides = ceiling ? [ceiling, ours] : [ours]
  try {
    for (const side of sides) await (side.warm?.() ?? side.run(warmUpSeconds))
    const pairs: Pair[] = []
    for (let round = 0; round < (duel.rounds ?? length.rounds); round++) {
      const slices = new Map<Side, Slice>()
      for (const side of round % 2 ? sides.toReversed() : sides) slices.set(side, await side.run(length.seconds))
      pairs.push({ ceiling: (ceiling && slices.get(ceiling)) ?? null, ours: slices.get(ours) as Slice })
    }
    return { pairs, void: null }
  } catch (fault) {
    if (!(fault instanceof Void)) throw fault
    return { pairs: [], void: fault.message }
  } finally {
    await end?.()
  }
}

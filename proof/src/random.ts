/** A seeded random source: the same seed draws the same load, moments and faults. */
export type Random = {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  pick<Item>(items: readonly Item[]): Item
  /** Picks by weight. */
  weighted<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item
  chance(probability: number): boolean
  bytes(count: number): Buffer
  /** Derives an independent source from this one's seed and a name. */
  of(name: string): Random
}

/** Mulberry32: 32 bits of state, good enough for choosing, and the same on every machine. */
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const random: Random = {
    next,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: items => items[Math.floor(next() * items.length)] as (typeof items)[number],
    weighted(items) {
      let left = next() * items.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, item] of items) {
        left -= weight
        if (left < 0) return item
      }
      return (items.at(-1) as (typeof items)[number])[1]
    },
    chance: probability => next() < probability,
    bytes: count => Buffer.from(Array.from({ length: count }, () => Math.floor(next() * 256))),
    of: name => randomOf(hashOf(`${seed} ${name}`)),
  }
  return random
}

/** FNV-1a. */
const hashOf = (text: string) => {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

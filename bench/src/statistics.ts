/** Averages the middle two of an even number. NaN if empty. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = sorted.length / 2
  return sorted.length % 2
    ? (sorted[Math.floor(middle)] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** The value that `share` (0 to 1) of all values do not exceed. NaN if empty. */
export const quantile = (values: ArrayLike<number>, share: number): number => {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN
}

/** mulberry32: numbers from 0 to 1 that the seed decides, the same on every machine. */
export const chance = (seed: number): (() => number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const oneOf = <Thing>(things: readonly Thing[], random: () => number): Thing =>
  things[Math.floor(random() * things.length)] as Thing

/** Least squares; the unit is one index. */
export const slopeOf = (values: readonly number[]) => {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const [up, across] = values.reduce(
    ([up, across], value, at) => [up + (at - middle) * (value - mean), across + (at - middle) ** 2],
    [0, 0] as [number, number],
  )
  return up / across
}

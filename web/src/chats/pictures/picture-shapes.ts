/* Pictures of a message look the same on their way and afterwards. */

const columns: Record<number, string> = { 1: 'grid-cols-1', 2: 'grid-cols-2', 4: 'grid-cols-2' }
export const gridOf = (pictures: number) => `grid w-72 max-w-full gap-0.5 sm:w-88 ${columns[pictures] ?? 'grid-cols-3'}`

/** Alone as it is, but not so high that one picture fills a phone; beside others a square. */
export const ratioOf = (pictures: number, width: number, height: number) =>
  pictures === 1 ? Math.max(0.75, Math.min(2, width / height)) : 1

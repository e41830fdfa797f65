/* Pictures of a message look the same before and after they arrive. */

const columns: Record<number, string> = { 1: 'grid-cols-1', 2: 'grid-cols-2', 4: 'grid-cols-2' }
export const gridOf = (pictures: number) => `grid w-72 max-w-full gap-0.5 sm:w-88 ${columns[pictures] ?? 'grid-cols-3'}`

/** A single picture keeps its shape, but not so high that it fills a phone; several are squares. */
export const ratioOf = (pictures: number, width: number, height: number) =>
  pictures === 1 ? Math.max(0.75, Math.min(2, width / height)) : 1

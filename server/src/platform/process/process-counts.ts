/** How many of the processes behind one port serve now. */
export type ProcessCounts = {
  serving: number
  of: number
  /** How many have died since the supervisor started. */
  died: number
}

let told: ProcessCounts | undefined

/** As the supervisor told this process last; undefined if it serves alone. */
export const processCounts = (): ProcessCounts | undefined => told

export const learnPlaces = (places: ProcessCounts): void => {
  told = places
}

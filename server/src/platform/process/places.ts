/** How many of the processes behind one port serve now. */
export type Places = {
  serving: number
  of: number
  /** How many have died since the supervisor started. */
  died: number
}

let told: Places | undefined

/** As the supervisor told this process last; undefined if it serves alone. */
export const placesNow = (): Places | undefined => told

export const learnPlaces = (places: Places): void => {
  told = places
}

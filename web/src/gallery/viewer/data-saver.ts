type Connection = { saveData?: boolean; effectiveType?: string }

/** The browser's network information; undefined in Firefox and Safari, where it counts as good. */
const connection = (): Connection => (navigator as { connection?: Connection }).connection ?? {}

/** The user asked for reduced data usage. */
export const isSparing = () => connection().saveData === true

/** Pictures may be prefetched. */
export const mayFetchAhead = () => !isSparing() && (connection().effectiveType ?? '4g') === '4g'

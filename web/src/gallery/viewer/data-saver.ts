type Connection = { saveData?: boolean; effectiveType?: string }

/** What the browser says about the network; nothing in Firefox and Safari, where it counts as good. */
const connection = (): Connection => (navigator as { connection?: Connection }).connection ?? {}

/** Whether the user asked for reduced data usage. */
export const isSparing = () => connection().saveData === true

/** Whether pictures may be prefetched. */
export const mayFetchAhead = () => !isSparing() && (connection().effectiveType ?? '4g') === '4g'

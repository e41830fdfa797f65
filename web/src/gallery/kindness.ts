type Connection = { saveData?: boolean; effectiveType?: string }

/** What the browser tells of the network; nothing in Firefox and Safari, where it counts as a good one. */
const connection = (): Connection => (navigator as { connection?: Connection }).connection ?? {}

/** Whether somebody asked for as few bytes as possible. */
export const isSparing = () => connection().saveData === true

/** Whether pictures may be fetched that nobody has asked for yet. */
export const mayFetchAhead = () => !isSparing() && (connection().effectiveType ?? '4g') === '4g'

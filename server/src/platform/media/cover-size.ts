/** Of the picture that messengers show of a link, as Open Graph asks for. */
export const coverSize = { width: 1200, height: 630 } as const

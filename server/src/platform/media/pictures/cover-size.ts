/** The size of the picture in link previews, as Open Graph requires. */
export const coverSize = { width: 1200, height: 630 } as const

/** What is written over the foot of a cover. */
export type CoverWords = { name: string; line: string }

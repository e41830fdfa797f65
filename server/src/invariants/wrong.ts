/** Something that must never be: what, and about which row or file. */
export type Wrong = { what: string; about: string }

/** More than so many of one kind say nothing new. */
export const wrongAtMost = 100

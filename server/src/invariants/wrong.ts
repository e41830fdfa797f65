/** A violated invariant: what, and about which row or file. */
export type Wrong = { what: string; about: string }

/** More than this many of a kind add nothing. */
export const wrongAtMost = 100

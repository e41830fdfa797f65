/** A violated invariant: what, and about which row or file. */
export type Wrong = { what: string; about: string }

/** Reporting more of one kind adds nothing. */
export const wrongAtMost = 100

/** The result of one check. `advice` says what to do about it, in a sentence. */
export type Finding = { about: string; state: 'good' | 'warning' | 'fault'; found: string; advice?: string }

export const good = (about: string, found: string): Finding => ({ about, state: 'good', found })
export const mind = (about: string, found: string, advice: string): Finding => ({
  about,
  state: 'warning',
  found,
  advice,
})
export const fault = (about: string, found: string, advice: string): Finding => ({
  about,
  state: 'fault',
  found,
  advice,
})

/** A one-line summary of an error. */
export const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] as string

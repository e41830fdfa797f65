/** One thing that was looked at. `advice` is what to do about it, as a sentence. */
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

/** What a fault says of itself, in one line. */
export const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] as string

/** Whose turn it is on the wall: what is new first, then round and round. */
export type Turns = {
  /** Ids that came while the wall was on, oldest first. */
  fresh: readonly string[]
  /** The highest id that was there or came. */
  newest: number
  /** Where the round is. */
  last: string | undefined
}

const highest = (ids: readonly string[]) => ids.reduce((most, id) => Math.max(most, Number(id)), 0)

export const begun = (ids: readonly string[]): Turns => ({ fresh: [], newest: highest(ids), last: undefined })

/** Notes what came and what is gone. Older photos that are loaded later are not new. */
export const noted = (turns: Turns, ids: readonly string[]): Turns => {
  const there = new Set(ids)
  const came = ids.filter(id => Number(id) > turns.newest).sort((one, other) => Number(one) - Number(other))
  const fresh = [...turns.fresh.filter(id => there.has(id)), ...came]
  return { ...turns, fresh, newest: Math.max(turns.newest, highest(ids)) }
}

/** The next one, leaving out what cannot be shown now; undefined when nothing can. */
export const nextOf = (turns: Turns, ids: readonly string[], cannot: ReadonlySet<string> = new Set()) => {
  const at = turns.last === undefined ? -1 : ids.indexOf(turns.last)
  return [...turns.fresh, ...ids.slice(at + 1), ...ids.slice(0, at + 1)].find(id => !cannot.has(id))
}

/** One was shown. What is new takes no place in the round, which goes on where it was. */
export const taken = (turns: Turns, id: string): Turns =>
  turns.fresh.includes(id)
    ? { ...turns, fresh: turns.fresh.filter(each => each !== id), last: turns.last ?? id }
    : { ...turns, last: id }

/** The order of photos on the wall: new photos first, then in rotation. */
export type Turns = {
  /** IDs that arrived while the wall was running, oldest first. */
  fresh: readonly string[]
  /** The highest ID so far. */
  newest: number
  /** The position in the rotation. */
  last: string | undefined
}

const highest = (ids: readonly string[]) => ids.reduce((most, id) => Math.max(most, Number(id)), 0)

export const begun = (ids: readonly string[]): Turns => ({ fresh: [], newest: highest(ids), last: undefined })

/** Records new and deleted photos. Older photos loaded later are not new. */
export const noted = (turns: Turns, ids: readonly string[]): Turns => {
  const there = new Set(ids)
  const came = ids.filter(id => Number(id) > turns.newest).sort((one, other) => Number(one) - Number(other))
  const fresh = [...turns.fresh.filter(id => there.has(id)), ...came]
  return { ...turns, fresh, newest: Math.max(turns.newest, highest(ids)) }
}

/** The next one, skipping those that cannot be shown now; undefined if none can. */
export const nextOf = (turns: Turns, ids: readonly string[], cannot: ReadonlySet<string> = new Set()) => {
  const at = turns.last === undefined ? -1 : ids.indexOf(turns.last)
  return [...turns.fresh, ...ids.slice(at + 1), ...ids.slice(0, at + 1)].find(id => !cannot.has(id))
}

/** One was shown. New photos take no place in the rotation, which continues where it was. */
export const taken = (turns: Turns, id: string): Turns =>
  turns.fresh.includes(id)
    ? { ...turns, fresh: turns.fresh.filter(each => each !== id), last: turns.last ?? id }
    : { ...turns, last: id }

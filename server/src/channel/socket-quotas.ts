type Share<Held> = { size: number; persons: Map<number, Set<Held>> }

/**
 * Who holds the sockets of this process, by network or by link, and within these by person: nobody gets more than half,
 * and when none is left, the largest holder makes room for a smaller one.
 */
export const openSocketShares = <Held>(socketsMax: number) => {
  const shares = new Map<string, Share<Held>>()
  const sizeOf = (holder: string) => shares.get(holder)?.size ?? 0
  const shareMax = Math.ceil(socketsMax / 2)
  return {
    add(holder: string, held: Held, person = 0) {
      const share = shares.get(holder) ?? { size: 0, persons: new Map() }
      shares.set(holder, share)
      share.persons.set(person, (share.persons.get(person) ?? new Set()).add(held))
      share.size += 1
    },
    remove(holder: string, held: Held, person = 0) {
      const share = shares.get(holder)
      const own = share?.persons.get(person)
      if (!share || !own?.delete(held)) return
      share.size -= 1
      if (own.size === 0) share.persons.delete(person)
      if (share.size === 0) shares.delete(holder)
    },
    /** The newest socket of the holder with the most; undefined if this holder would have as many. */
    dispensable(holder: string): Held | undefined {
      let most: Share<Held> | undefined
      for (const share of shares.values()) if (share.size > (most?.size ?? 0)) most = share
      return most && most.size > sizeOf(holder) + 1 ? [...mostOf(most).held].at(-1) : undefined
    },
    /**
     * Whether a person may have one more of this share. If it is used up, the newest socket of the person in it who holds
     * most makes room; of people who hold as many, that of the newest account, so that new names close nobody out.
     */
    room(holder: string, person: number): { for: boolean; by?: Held | undefined } {
      const share = shares.get(holder)
      if (!share || share.size < shareMax) return { for: true }
      const most = mostOf(share)
      const own = (share.persons.get(person)?.size ?? 0) + 1
      const yields = most.held.size > own || (most.held.size === own && most.person > person)
      return yields ? { for: true, by: [...most.held].at(-1) } : { for: false }
    },
  }
}

const mostOf = <Held>({ persons }: Share<Held>) => {
  let most = { person: 0, held: new Set<Held>() }
  for (const [person, held] of persons)
    if (held.size > most.held.size || (held.size === most.held.size && person > most.person)) most = { person, held }
  return most
}

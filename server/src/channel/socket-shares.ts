/**
 * Who holds the sockets of this process, by network or by link: nobody gets more than half, and when none is left,
 * whoever holds most makes room for somebody who holds less.
 */
export const openSocketShares = <Held>(socketsMax: number) => {
  const shares = new Map<string, Set<Held>>()
  const sizeOf = (holder: string) => shares.get(holder)?.size ?? 0
  const shareMax = Math.ceil(socketsMax / 2)
  return {
    mayTake: (holder: string) => sizeOf(holder) < shareMax,
    add(holder: string, held: Held) {
      const share = shares.get(holder) ?? new Set()
      shares.set(holder, share.add(held))
    },
    remove(holder: string, held: Held) {
      const share = shares.get(holder)
      if (share?.delete(held) && share.size === 0) shares.delete(holder)
    },
    /** The newest socket of whoever holds most; undefined if that is not more than this holder would. */
    dispensable(holder: string): Held | undefined {
      let most: Set<Held> | undefined
      for (const share of shares.values()) if (share.size > (most?.size ?? 0)) most = share
      return most && most.size > sizeOf(holder) + 1 ? [...most].at(-1) : undefined
    },
  }
}

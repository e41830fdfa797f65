import { useMemo } from 'react'
import { ours } from '../app/public-path.ts'
import { useSearch } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { openStore, useStore } from '../app/store.ts'
import { type Showing, type Sort, showingOf, sorts } from './photo-filter.ts'

/* The order in which somebody looks at albums, until they choose another: by when photos were taken, the latest first. */

const nameOf = () => `${ours}.album.sort.${session.get()?.userId}`

const read = (): Sort => {
  try {
    const kept = localStorage.getItem(nameOf())
    return sorts.find(each => each === kept) ?? 'taken_newest'
  } catch {
    return 'taken_newest'
  }
}

export const ownSort = openStore(read())
session.follow(() => ownSort.set(read()))

export const chooseSort = (sort: Sort) => {
  try {
    localStorage.setItem(nameOf(), sort)
  } catch {
    // A browser that stores nothing forgets it with the page.
  }
  ownSort.set(sort)
}

/** What the address of an album asks for, in one's own order unless it names another. */
export const useShowing = (): Showing => {
  const own = useStore(ownSort)
  const asked = useSearch(showingOf)
  // The same as long as it says the same: an album is laid out anew for another.
  return useMemo(() => {
    const { sort = own, ...rest } = asked
    return { ...rest, ...(sort !== 'newest' && { sort }) }
  }, [asked, own])
}

/** The same for an address. */
export const searchOf = ({ sort = 'newest', ...asked }: Showing): Showing => ({
  ...asked,
  ...(sort !== ownSort.get() && { sort }),
})

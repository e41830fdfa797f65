import { useMemo } from 'react'
import { ours } from '../app/public-path.ts'
import { useSearch } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { openStore, useStore } from '../app/store.ts'
import { type PhotoFilter, type Sort, showingOf, sorts } from './photo-filter.ts'

/* The user's order of albums, until they choose another: by capture time, the latest first. */

const nameOf = () => `${ours}.album.sort.${session.get()?.userId}`

const read = (): Sort => {
  const kept = localStorage.getItem(nameOf())
  return sorts.find(each => each === kept) ?? 'taken_newest'
}

export const ownSort = openStore(read())
session.follow(() => ownSort.set(read()))

export const chooseSort = (sort: Sort) => {
  localStorage.setItem(nameOf(), sort)
  ownSort.set(sort)
}

/** The options in an album's address, in the user's own order unless it names another. */
export const useShowing = (): PhotoFilter => {
  const own = useStore(ownSort)
  const asked = useSearch(showingOf)
  // The same object as long as its content is the same: an album is laid out anew for another.
  return useMemo(() => {
    const { sort = own, ...rest } = asked
    return { ...rest, ...(sort !== 'newest' && { sort }) }
  }, [asked, own])
}

/** The query of an address for these options. */
export const searchOf = ({ sort = 'newest', ...asked }: PhotoFilter): PhotoFilter => ({
  ...asked,
  ...(sort !== ownSort.get() && { sort }),
})

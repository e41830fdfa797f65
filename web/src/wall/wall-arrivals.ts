import { useEffect, useRef, useState } from 'react'
import type { Photo } from '../gallery/queries.ts'
import { nameOf } from '../people/names.ts'

/** Several additions by the same person within this time are announced together. */
const togetherMs = 20_000
const shownMs = 8000

export type Arrival = { name: string; count: number; at: number }

/** New photos, combined with earlier ones of the same person. */
export const withArrivals = (before: Arrival | undefined, came: readonly Photo[], now: number): Arrival | undefined => {
  const last = came.at(-1)
  if (!last) return before
  const name = nameOf(last.taken_by)
  const own = came.filter(({ taken_by }) => taken_by.id === last.taken_by.id).length
  const goesOn = before?.name === name && now - before.at < togetherMs
  return { name, count: own + (goesOn ? before.count : 0), at: now }
}

/** The person who has just added photos, and how many; undefined after a while. */
export const useArrivals = (photos: readonly Photo[], loaded: boolean): Arrival | undefined => {
  const newest = useRef<number>(undefined)
  const [arrival, setArrival] = useState<Arrival>()
  useEffect(() => {
    if (!loaded) return
    const highest = photos.reduce((most, { id }) => Math.max(most, Number(id)), newest.current ?? 0)
    const known = newest.current
    newest.current = highest
    if (known === undefined) return
    const came = photos.filter(({ id }) => Number(id) > known).sort((one, other) => Number(one.id) - Number(other.id))
    if (came.length > 0) setArrival(before => withArrivals(before, came, Date.now()))
  }, [photos, loaded])
  const [shown, setShown] = useState<Arrival>()
  useEffect(() => {
    setShown(arrival)
    const timer = setTimeout(() => setShown(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [arrival])
  return shown
}

import { useCallback, useEffect, useRef } from 'react'
import type { Photo } from '../gallery/queries.ts'
import { withBeside } from './wall-content.ts'
import type { Loaded } from './wall-loading.ts'
import type { Wall } from './wall-query.ts'
import { useReel } from './wall-reel.ts'

/** The longest that a video may occupy the wall, unless photos stay longer. */
const filmMs = 30_000

/**
 * The wall's content. It changes by itself, at once when a new photo arrives or an organizer says so, and only to one
 * that has really loaded. Paused, it changes only for an organizer. `whole`: these are all the photos that it may show.
 */
export const useShow = (photos: readonly Photo[], wall: Wall | undefined, named: Photo | undefined, whole: boolean) => {
  const layout = wall?.wall_layout ?? 'pairs'
  const { show, advance, advanceTo, drop, endMosaic, note, keepOnly } = useReel(photos, layout)
  const { act, actIfIdle } = useActs()
  const next = useCallback(() => actIfIdle(advance), [actIfIdle, advance])

  const turnTo = useCallback((photo: Photo | undefined) => act(() => advanceTo(photo)), [act, advanceTo])
  useOrganizersTurns(wall, named, turnTo)

  const { changes, shown, before, tiles } = show
  const paused = wall?.wall_paused ?? false
  useEffect(() => {
    const there = new Set([...photos, ...(named ? [named] : [])].map(({ id }) => id))
    const came = note(photos, there, [...withBeside(shown), ...withBeside(before), ...tiles])
    const isGone = ({ photo }: Loaded) => !there.has(photo.id)
    if ([...withBeside(shown), ...tiles].some(isGone))
      act(async () => {
        drop(isGone)
        await advance()
      })
    else if ((!shown && tiles.length === 0) || (came && !paused && !shown?.isNew)) next()
  }, [photos, named, shown, before, tiles, paused, act, advance, drop, note, next])

  useEffect(() => {
    if (whole) keepOnly(named ? [...photos, named] : photos)
  }, [whole, photos, named, keepOnly])

  // Content in another layout gives way to this one.
  const lastLayout = useRef(layout)
  useEffect(() => {
    if (lastLayout.current === layout) return
    lastLayout.current = layout
    act(async () => {
      if (layout !== 'mosaic') endMosaic()
      await advance()
    })
  }, [layout, act, advance, endMosaic])

  const seconds = wall?.wall_seconds ?? 7
  const stayMs = shown?.film ? Math.max(filmMs, seconds * 1000) : seconds * 1000
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change begins the time anew.
  useEffect(() => {
    if (paused) return
    const timer = setInterval(next, stayMs)
    return () => clearInterval(timer)
  }, [changes, stayMs, paused, next])

  return { shown, before, tiles, ended: () => !paused && next() }
}

/** One act after the other: a manual one waits for the current one, and nothing automatic is added to it. */
const useActs = () => {
  const underWay = useRef<Promise<unknown>>(undefined)
  const act = useCallback((work: () => Promise<unknown>) => {
    const begun: Promise<unknown> = (underWay.current ?? Promise.resolve())
      .then(work)
      .catch(() => {})
      .finally(() => {
        if (underWay.current === begun) underWay.current = undefined
      })
    underWay.current = begun
  }, [])
  const actIfIdle = useCallback(
    (work: () => Promise<unknown>) => {
      if (!underWay.current) act(work)
    },
    [act],
  )
  return { act, actIfIdle }
}

/** Calls back for each organizer's turn that this page has not seen, with the photo that it names. */
const useOrganizersTurns = (
  wall: Wall | undefined,
  named: Photo | undefined,
  turnTo: (photo: Photo | undefined) => void,
) => {
  const turn = wall?.wall_turn
  const names = (wall?.shown_photo_id ?? null) !== null
  const last = useRef<number>(undefined)
  useEffect(() => {
    if (turn === undefined || (names && !named)) return
    const isFirst = last.current === undefined
    if (!isFirst && turn <= (last.current ?? 0)) return
    last.current = turn
    if (!isFirst || named) turnTo(named)
  }, [turn, names, named, turnTo])
}

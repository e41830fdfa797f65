import { startTransition, useEffect, useState } from 'react'
import { queryClient } from './cache/query.ts'
import { openStore } from './store.ts'

const lookMs = 100
/** After this time, nothing waits any longer, however long the page's own data takes. */
const withinMs = 4000

/** True once the first page is there: counts and decoration are requested only then. */
const settled = openStore(false)

/** Rendered in small steps, between which the page responds. */
export const useSettled = (): boolean => {
  const [is, setIs] = useState(settled.get)
  useEffect(() => {
    const follow = () => startTransition(() => setIs(settled.get))
    follow()
    return settled.follow(follow)
  }, [])
  return is
}

/** When the page's data is there and rendered, with the pictures in view, and nothing is pending. */
export const whenIdle = async (): Promise<void> => {
  const givesUpAt = performance.now() + withinMs
  do {
    // A first check would be too early: a page requests its data on its first render.
    await new Promise(resolve => setTimeout(resolve, lookMs))
    await nothingToDo()
  } while (somethingComes() && performance.now() < givesUpAt)
  settled.set(true)
}

/** Lets the page respond in between. */
export const nextTask = () => new Promise<void>(resolve => setTimeout(resolve))

const nothingToDo = () =>
  new Promise<void>(resolve => {
    if (window.requestIdleCallback) window.requestIdleCallback(() => resolve(), { timeout: 2000 })
    else setTimeout(resolve)
  })

const somethingComes = () => queryClient.isFetching() > 0 || [...document.images].some(isAwaited)

const isAwaited = (image: HTMLImageElement): boolean => {
  // Reading its position would lay out what an engine has skipped away from the screen.
  if (image.complete || image.checkVisibility?.({ contentVisibilityAuto: true }) === false) return false
  const { top, bottom } = image.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

import { startTransition, useEffect, useState } from 'react'
import type {} from './early.ts'
import { queryClient } from './query.ts'
import { openStore } from './store.ts'

const lookMs = 100
/** However long the page's own data takes: then what comes after it no longer waits. */
const withinMs = 4000

/** Whether the first page is there: what only counts and decorates is asked for then. */
const settled = openStore(false)

/** Drawn in small steps, between which the page answers. */
export const useSettled = (): boolean => {
  const [is, setIs] = useState(settled.get)
  useEffect(() => {
    const follow = () => startTransition(() => setIs(settled.get))
    follow()
    return settled.follow(follow)
  }, [])
  return is
}

/** When the page's data is there and drawn, with the pictures in view, and nobody waits for anything. */
export const whenIdle = async (): Promise<void> => {
  const givesUpAt = performance.now() + withinMs
  do {
    // A first look would be too early: a page asks for its data when it is drawn for the first time.
    await new Promise(resolve => setTimeout(resolve, lookMs))
    await nothingToDo()
  } while (somethingComes() && performance.now() < givesUpAt)
  // What the page asked for without needing it would be an old answer to who asks later.
  globalThis.afterglowEarly?.clear()
  settled.set(true)
}

/** When what was there to be drawn is on the screen. */
export const drawn = () => new Promise<void>(resolve => requestAnimationFrame(() => setTimeout(resolve)))

/** Lets the page answer in between. */
export const nextTask = () => new Promise<void>(resolve => setTimeout(resolve))

const nothingToDo = () =>
  new Promise<void>(resolve => {
    if (window.requestIdleCallback) window.requestIdleCallback(() => resolve(), { timeout: 2000 })
    else setTimeout(resolve)
  })

const somethingComes = () => queryClient.isFetching() > 0 || [...document.images].some(isAwaited)

const isAwaited = (image: HTMLImageElement): boolean => {
  // Asked where it stands, what an engine has left out away from the screen would be laid out.
  if (image.complete || image.checkVisibility?.({ contentVisibilityAuto: true }) === false) return false
  const { top, bottom } = image.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

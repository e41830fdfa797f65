import { queryClient } from './query.ts'
import { openStore } from './store.ts'

const lookMs = 100
/** However long the page's own data and pictures take: then what comes after it no longer waits. */
const withinMs = 4000

/** Whether the first page is there: what only counts and decorates is asked for then. */
export const settled = openStore(false)

/** What is seen at first: the others are loaded when they come near to the screen. */
const isPictureComing = () => [...document.images].some(({ loading, complete }) => loading === 'eager' && !complete)

/** When the page's data is there and drawn, and nobody waits for anything. */
export const whenIdle = async (): Promise<void> => {
  const givesUpAt = performance.now() + withinMs
  // A first look would be too early: a page asks for its data when it is drawn for the first time.
  do await new Promise(resolve => setTimeout(resolve, lookMs))
  while ((queryClient.isFetching() > 0 || isPictureComing()) && performance.now() < givesUpAt)
  await new Promise<void>(resolve => {
    if (window.requestIdleCallback) window.requestIdleCallback(() => resolve(), { timeout: 2000 })
    else setTimeout(resolve)
  })
  settled.set(true)
}

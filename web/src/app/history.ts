import { createBrowserHistory } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'

/*
 * Back closes what lies on top before it leaves a page. Whatever opens over a page is a layer: an entry of the browser's
 * history at the page's own address, of which the router knows nothing. Closing it by its own button takes the entry
 * away, going back closes it: one step either way.
 */

export const history = createBrowserHistory()
const { push, replace } = history

type State = {
  __TSR_key?: string
  /** How many layers lie over the page here. */
  layer?: number
  /** The addresses that a step back leads to each, the nearest last. */
  trail?: string[]
}
const state = (): State => window.history.state ?? {}
const depth = () => state().layer ?? 0
const write = (how: 'pushState' | 'replaceState', to: State, href = location.href) =>
  // Past the router's own, which would load the page again.
  History.prototype[how].call(window.history, to, '', href)

/** What lies over the page now, the topmost last. */
const open: { close(): void }[] = []
/** The entry that the layers lie over, whatever address the page took meanwhile. */
let base: string | undefined
/** Called once a step that was begun has been made: until then nobody knows where the browser is. */
let stepping: (() => void)[] | undefined
/** A step that leads nowhere tells nobody. */
const stepMs = 1000

const step = (delta: number) => {
  const here: (() => void)[] = []
  stepping = here
  window.history.go(delta)
  setTimeout(() => stepping === here && stepped(), stepMs)
}
const stepped = () => {
  const waiting = stepping ?? []
  stepping = undefined
  for (const act of waiting) act()
}
const onceStill = (act: () => void) => {
  if (stepping) stepping.push(act)
  else act()
}

/** Gives the layers their entries and takes away those that are left over: a menu that opens a dialog changes nothing. */
const settle = () => {
  if (stepping) return void stepping.push(settle)
  history.flush()
  if (depth() > open.length) return step(open.length - depth())
  if (depth() === 0 && open.length > 0) base = state().__TSR_key
  while (depth() < open.length) write('pushState', { ...state(), layer: depth() + 1 })
}

history.push = (path, more, options) =>
  onceStill(() => {
    history.flush()
    const { layer = 0, trail = [] } = state()
    const here = location.pathname + location.search
    base = undefined
    open.length = 0
    // The topmost layer's entry becomes the page that it led to; those of the ones below stay, and are passed over.
    const left = { ...more, trail: [...trail, here, ...Array<string>(Math.max(layer - 1, 0)).fill('')] }
    if (layer > 0) replace(path, left, options)
    else push(path, left, options)
  })
history.replace = (path, more, options) =>
  onceStill(() => {
    history.flush()
    const { layer = 0, trail = [] } = state()
    replace(path, { ...more, trail, layer }, options)
  })

window.addEventListener(
  'popstate',
  event => {
    const { state: known, href } = history.location
    const key = state().__TSR_key
    if (key === known.__TSR_key || (key === base && open.length > 0)) {
      event.stopImmediatePropagation()
      // What took another address under its layers has it without them too.
      if (key !== known.__TSR_key) write('replaceState', { ...known, layer: depth() } as State, href)
      base = depth() === 0 ? known.__TSR_key : base
      // Our own steps follow what was closed already; what opened meanwhile stays.
      while (!stepping && open.length > depth()) open.pop()?.close()
    } else {
      base = undefined
      open.length = 0
    }
    stepped()
    setTimeout(settle)
  },
  true,
)
// A page that is loaded anew has none of its layers.
settle()

/** For what lies over a page while it is open: going back closes it. */
export const useLayer = (onClose: () => void, isOpen = true) => {
  const latest = useRef(onClose)
  latest.current = onClose
  // In the task that draws it: whoever goes back at once closes it.
  useLayoutEffect(() => {
    if (!isOpen) return
    const layer = { close: () => latest.current() }
    open.push(layer)
    settle()
    return () => {
      const at = open.indexOf(layer)
      if (at >= 0) open.splice(at, 1)
      setTimeout(settle)
    }
  }, [isOpen])
}

/** Closes what lies on top. Returns whether there was anything. */
export const closeTop = () => {
  const top = open.at(-1)
  top?.close()
  return top !== undefined
}

const pathOf = (address: string) => address.replace(/\?.*/, '')

/** Back to the nearest of these pages, if one came from there, and else on to the first of them, in the place of this one. */
export const goUp = (...pages: [string, ...string[]]) =>
  onceStill(() => {
    const { layer = 0, trail = [] } = state()
    const paths = pages.map(pathOf)
    const at = trail.findLastIndex(address => paths.includes(pathOf(address)))
    if (at >= 0) window.history.go(at - trail.length - layer)
    else history.replace(pages[0])
  })

/** Back to wherever one came from, if it was here. */
export const goBack = (otherwise: string) => {
  if ((state().trail ?? []).length > 0) window.history.back()
  else history.replace(otherwise)
}

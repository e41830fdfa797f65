import { createBrowserHistory } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'

/*
 * Back closes the topmost layer before it leaves a page. Whatever opens over a page is a layer: an entry in the
 * browser's history at the page's own address, which the router knows nothing about. Closing it with its own button
 * removes the entry, going back closes it: one step either way.
 */

export const history = createBrowserHistory()
const { push, replace } = history

type State = {
  __TSR_key?: string
  /** How many layers lie over the page at this entry. */
  layer?: number
  /** The addresses that steps back lead to, the nearest last. */
  trail?: string[]
}
const state = (): State => window.history.state ?? {}
const depth = () => state().layer ?? 0
const write = (how: 'pushState' | 'replaceState', to: State, href = location.href) =>
  // Bypassing the router's own, which would load the page again.
  History.prototype[how].call(window.history, to, '', href)

/** The current layers over the page, the topmost last. */
const open: { close(): void }[] = []
/** The entry below the layers, whatever address the page has taken since. */
let base: string | undefined
/** Called once a step in progress has completed: until then nobody knows where the browser is. */
let stepping: (() => void)[] | undefined
/** A step that leads nowhere fires no event. */
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

/** Gives the layers their entries and removes those left over: a menu that opens a dialog changes nothing. */
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
    // The topmost layer's entry becomes the page that it led to; those of the layers below remain, and are skipped.
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
      // A page that took another address under its layers keeps it without them.
      if (key !== known.__TSR_key) write('replaceState', { ...known, layer: depth() } as State, href)
      base = depth() === 0 ? known.__TSR_key : base
      // Our own steps follow what was already closed; what opened meanwhile stays.
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
// A reloaded page has none of its layers.
settle()

/** For what lies over a page while it is open: going back closes it. */
export const useLayer = (onClose: () => void, isOpen = true) => {
  const latest = useRef(onClose)
  latest.current = onClose
  // In the task that renders it: going back at once closes it.
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

/** Closes the topmost layer. Returns whether there was one. */
export const closeTop = () => {
  const top = open.at(-1)
  top?.close()
  return top !== undefined
}

const pathOf = (address: string) => address.replace(/\?.*/, '')

/**
 * Back to the nearest of these pages, if the user came from there, and otherwise on to the first of them, replacing
 * this one.
 */
export const goUp = (...pages: [string, ...string[]]) =>
  onceStill(() => {
    const { layer = 0, trail = [] } = state()
    const paths = pages.map(pathOf)
    const at = trail.findLastIndex(address => paths.includes(pathOf(address)))
    if (at >= 0) window.history.go(at - trail.length - layer)
    else history.replace(pages[0])
  })

/** Back to wherever the user came from, if it was here. */
export const goBack = (otherwise: string) => {
  if ((state().trail ?? []).length > 0) window.history.back()
  else history.replace(otherwise)
}

import { useLayoutEffect, useRef } from 'react'
import { publicPath } from '../public-path.ts'
import { viewing } from '../viewing.ts'
import { asMeant } from './copied-link.ts'
import { addressFor, isElsewhere, pathFrom } from './link-address.ts'

/*
 * The visited addresses, and the layers over the current page. Back closes the topmost layer before it leaves a page:
 * everything that opens over a page is a layer, an entry in the browser's history at the page's own address, which the
 * router ignores. Closing a layer with its own button removes the entry, going back closes the layer: one step either
 * way.
 */

/** State for the next page. It stays with its entry, also after a reload. */
export type HistoryState = {
  /** The name given by a guest who has just joined. */
  welcome?: string
}

type State = HistoryState & {
  key: string
  /** How many layers lie over the page at this entry. */
  layer: number
  /** The addresses that steps back lead to, the nearest last. */
  trail: string[]
}

/** A visit to a page. */
export type Visit = {
  key: string
  path: string
  /** With its question mark, or empty. */
  search: string
  hash: string
  told: HistoryState
  /** The page scrolls to its top, or to where the user left it. */
  scrolls: boolean
}

const state = (): Partial<State> => window.history.state ?? {}
const depth = () => state().layer ?? 0
const newKey = () => Math.random().toString(36).slice(2)
const visitHere = (scrolls = true): Visit => {
  const { path, search, hash } = asMeant(location)
  const { key = '', welcome } = state()
  return { key, path: pathFrom(path), search, hash, told: welcome === undefined ? {} : { welcome }, scrolls }
}

const listeners = new Set<() => void>()
/** Calls back for the next page. Returns a function to stop. */
export const followVisits = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const write = (how: 'pushState' | 'replaceState', to: State, address = location.href) =>
  window.history[how](to, '', address)
const named = () => {
  if (state().key === undefined)
    write('replaceState', { ...state(), key: newKey(), layer: 0, trail: state().trail ?? [] })
}

/** The current layers over the page, the topmost last. */
const open: { close(): void }[] = []
/** The entry below the layers, even if the page has changed its address since. */
let base: string | undefined
/** Called once a step in progress has completed: until then the browser's position is unknown. */
let stepping: (() => void)[] | undefined
/** A step beyond the history's end fires no event. */
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
  if (depth() > open.length) return step(open.length - depth())
  if (depth() === 0 && open.length > 0) base = state().key
  while (depth() < open.length) write('pushState', { ...(state() as State), layer: depth() + 1 })
}

// A reloaded page has none of its layers.
named()
let visit = visitHere()
settle()

/** The page to be shown. */
export const currentVisit = () => visit

const arrive = (scrolls?: boolean) => {
  // The address before this page switched from a user's to a link's.
  if (isElsewhere(location.pathname)) return location.reload()
  visit = visitHere(scrolls)
  for (const listener of [...listeners]) listener()
}

// The same address is another page as soon as it is viewed by its link, or no longer is.
viewing.follow(() => arrive())

type How = { told?: HistoryState; scrolls?: boolean }

/** Opens another page. */
export const push = (href: string, { told, scrolls }: How = {}) =>
  onceStill(() => {
    const { layer = 0, trail = [] } = state()
    if (isElsewhere(addressFor(href))) return location.assign(publicPath + href)
    const here = pathFrom(location.pathname) + location.search
    base = undefined
    open.length = 0
    // The topmost layer's entry becomes the page that it led to; those of the layers below remain, and are skipped.
    const left = [...trail, here, ...Array<string>(Math.max(layer - 1, 0)).fill('')]
    write(layer > 0 ? 'replaceState' : 'pushState', { ...told, key: newKey(), layer: 0, trail: left }, addressFor(href))
    arrive(scrolls)
  })

/** Replaces this page by another one, or by another address of its own. */
export const replace = (href: string, { told, scrolls }: How = {}) =>
  onceStill(() => {
    if (isElsewhere(addressFor(href))) return location.replace(publicPath + href)
    const { layer = 0, trail = [] } = state()
    write('replaceState', { ...told, key: newKey(), layer, trail }, addressFor(href))
    arrive(scrolls)
  })

window.addEventListener('popstate', () => {
  // A link to an anchor within the page.
  named()
  const { key } = state()
  if (key === visit.key || (key === base && open.length > 0)) {
    // A page that changed its address under its layers keeps it without them.
    if (key !== visit.key) {
      const { path, search, hash } = visit
      const { trail = [] } = state()
      write('replaceState', { ...visit.told, key: visit.key, layer: depth(), trail }, addressFor(path + search + hash))
    }
    base = depth() === 0 ? visit.key : base
    // Our own steps follow a closed layer; layers opened meanwhile stay.
    while (!stepping && open.length > depth()) open.pop()?.close()
  } else {
    base = undefined
    open.length = 0
    arrive()
  }
  stepped()
  setTimeout(settle)
})

/** Registers a layer while it is open: going back closes it. */
export const useLayer = (onClose: () => void, isOpen = true) => {
  const latest = useRef(onClose)
  latest.current = onClose
  // Runs in the task that renders it: going back at once closes it.
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
 * Goes back to the nearest of these pages, if the user came from there, and otherwise on to the first of them,
 * replacing this one.
 */
export const goUp = (...pages: [string, ...string[]]) =>
  onceStill(() => {
    const { layer = 0, trail = [] } = state()
    const paths = pages.map(pathOf)
    const at = trail.findLastIndex(address => paths.includes(pathOf(address)))
    if (at >= 0) window.history.go(at - trail.length - layer)
    else replace(pages[0])
  })

/** Goes back to the previous page, if it is one of ours. */
export const goBack = (otherwise: string) => {
  if ((state().trail ?? []).length > 0) window.history.back()
  else replace(otherwise)
}

import type { Browser } from '@playwright/test'
import { Void } from '../figures.ts'
import { quantile } from '../statistics.ts'
import { heapOf, openPhone, slowDown } from './phone.ts'

export type Way = {
  path: string
  /** What scrolls; the document when absent. */
  box?: string
  /** Up, into what is older, or down. */
  forward: -1 | 1
  /** Pages of a list are told by their address; so many make the whole way. */
  list: string
  pages: number
  /** It is drawn and may be scrolled. */
  ready: () => boolean
  /** On the slow phone. */
  slowly?: true
}

/** Pixels a frame: 6 000 a second, a thumb in a hurry. */
const step = 100
const frameMs = 1000 / 60
/** Frames: twice as far as what a chat keeps of its history. */
const stretch = 900
/** Longer than two frames: what is felt. */
export const lateMs = 34

export type Scrolled = {
  /** Milliseconds that 95 of 100 frames did not exceed, over both ways. */
  frame: number
  /** Percent of frames that were not drawn in time. */
  dropped: number
  /** Percent of frames that took longer than `lateMs`. */
  late: number
  /** MiB of heap after garbage collection that a stretch there and back added, at the same place. */
  growth: number
  heap: number
}

/** All the way through a list and all the way back, at one speed, while the list is loaded page by page. */
export const scrollThrough = async (browser: Browser, origin: string, userId: number, way: Way): Promise<Scrolled> => {
  const { page, cdp, close } = await openPhone(browser, origin, userId)
  try {
    if (way.slowly) await slowDown(cdp)
    await page.addInitScript(countPages, way.list)
    await page.goto(way.path)
    await page.waitForFunction(way.ready)
    // A list that is only read at first becomes one that scrolls when somebody reaches for it.
    await page.keyboard.press('Shift')
    // Until what comes after the first page has come.
    await page.waitForTimeout(3000)
    const scroll = (wishes: Pick<Wishes, 'forward' | 'until'>) =>
      page.evaluate(scrollWhile, { ...wishesOf(way), ...wishes })
    const there = await scroll({ forward: way.forward, until: { pages: way.pages } })
    const back = await scroll({ forward: -way.forward, until: 'end' })
    const heapBefore = await heapOf(cdp)
    // On the slow phone only frames are looked at.
    if (!way.slowly) {
      await scroll({ forward: way.forward, until: { frames: stretch } })
      await scroll({ forward: -way.forward, until: 'end' })
    }
    const heap = await heapOf(cdp)
    const frames = [...there, ...back]
    const due = frames.reduce((sum, ms) => sum + Math.max(1, Math.round(ms / frameMs)), 0)
    return {
      frame: quantile(frames, 0.95),
      dropped: ((due - frames.length) / due) * 100,
      late: (frames.filter(ms => ms > lateMs).length / frames.length) * 100,
      growth: Math.max(0, heap - heapBefore),
      heap,
    }
  } catch (fault) {
    throw new Void(`${way.path} could not be scrolled: ${(fault as Error).message.split('\n')[0]}`)
  } finally {
    await close()
  }
}

const wishesOf = ({ box }: Way) => ({ box: box ?? null, step, stallMs: 30_000 })

type Counted = { pagesLoaded?: number }

/** In the page: how many pages of the list have come. */
const countPages = (list: string) => {
  const counted = globalThis as Counted
  counted.pagesLoaded = 0
  new PerformanceObserver(entries => {
    for (const { name } of entries.getEntries())
      if (name.includes(list)) counted.pagesLoaded = (counted.pagesLoaded ?? 0) + 1
  }).observe({ type: 'resource', buffered: true })
}

type Until = { pages: number } | { frames: number } | 'end'
type Wishes = { box: string | null; step: number; stallMs: number; forward: number; until: Until }

/** In the page: the length of each frame in ms. */
const scrollWhile = ({ box, step, stallMs, forward, until }: Wishes) =>
  new Promise<number[]>((resolve, reject) => {
    const place = box ? document.querySelector(box) : document.scrollingElement
    if (!place) return reject(new Error('nothing scrolls'))
    const frames: number[] = []
    let last: number | undefined
    let moved = performance.now()
    const turn = (now: number) => {
      if (last !== undefined) frames.push(now - last)
      last = now
      const before = place.scrollTop
      place.scrollTop = before + forward * step
      if (Math.abs(place.scrollTop - before) > 1) moved = now
      const arrived = () => {
        // Of what is loaded, or of everything.
        if (until === 'end') return now - moved > 3000
        return 'pages' in until
          ? ((globalThis as Counted).pagesLoaded ?? 0) >= until.pages
          : frames.length >= until.frames
      }
      if (arrived()) return resolve(frames)
      if (now - moved > stallMs)
        return reject(new Error(`nothing more came after ${(globalThis as Counted).pagesLoaded} pages`))
      requestAnimationFrame(turn)
    }
    requestAnimationFrame(turn)
  })

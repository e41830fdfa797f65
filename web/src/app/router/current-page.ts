import { type ComponentType, startTransition, useEffect, useState } from 'react'
import { currentVisit, followVisits, replace, type Visit } from './history.ts'
import { MissingPart } from './lazy.tsx'
import { pathFrom } from './link-address.ts'
import { againAfterMs } from './on-demand.ts'
import { loadPage, type Page, partsOf } from './page-code.ts'
import { findPage, type Table, type Values } from './page-finder.ts'

/** The current page: a visit, its parameters, and the components that have arrived. */
export type CurrentPage = {
  visit: Visit
  params: Values
  parts: readonly ComponentType[]
  /** False while one of its parts is loading. */
  whole: boolean
}

export type Pages = {
  /** The currently available pages. */
  pages(): Table
  /** The page for an unknown address. */
  missing: Page
  /** Another address to go to instead. */
  redirect(visit: Visit, page: Page): string | undefined
  /** Requests what a page shows first, alongside its code; the page waits for what is returned. */
  prepare(page: Page, params: Values): Promise<unknown> | undefined
  /** Calls back when `redirect` may decide otherwise. */
  follow(listener: () => void): () => void
  waiting: ComponentType
}

/** After this time, a loading sign appears. */
const patienceMs = 200

/** The page of the current address, once its code has arrived. */
export const useShownPage = ({
  pages,
  missing,
  redirect,
  prepare,
  follow,
  waiting,
}: Pages): CurrentPage | undefined => {
  const [shown, setShown] = useState<CurrentPage>()
  useEffect(() => {
    let turn = 0
    const go = async () => {
      const now = ++turn
      const visit = currentVisit()
      const { page, params } = findPage(pages(), visit.path) ?? { page: missing, params: {} }
      const elsewhere = redirect(visit, page)
      if (elsewhere !== undefined) return replace(elsewhere)
      const show = (last?: ComponentType) => {
        if (now !== turn) return
        const parts = last ? [...partsOf(page).slice(0, page.length - 1), last] : partsOf(page)
        startTransition(() => setShown({ visit, params, parts, whole: !last }))
      }
      const late = setTimeout(() => show(waiting), patienceMs)
      const loadAll = async (): Promise<unknown> => {
        try {
          return await loadPage(page)
        } catch {
          clearTimeout(late)
          show(MissingPart)
          await new Promise(resolve => setTimeout(resolve, againAfterMs))
          return now === turn && loadAll()
        }
      }
      await Promise.all([loadAll(), prepare(page, params)])
      clearTimeout(late)
      show()
    }
    const stops = [followVisits(go), follow(go)]
    void go()
    return () => {
      turn++
      for (const stop of stops) stop()
    }
  }, [pages, missing, redirect, prepare, follow, waiting])
  useCodeAhead(pages)
  return shown
}

const signs = ['pointerover', 'focusin']

/** Loads the code of a page when the user is about to follow a link. */
const useCodeAhead = (pages: () => Table) =>
  useEffect(() => {
    const heed = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null
      const found = link && findPage(pages(), pathFrom(link.pathname))
      if (found) loadPage(found.page).catch(() => {})
    }
    for (const sign of signs) document.addEventListener(sign, heed, { passive: true })
    return () => {
      for (const sign of signs) document.removeEventListener(sign, heed)
    }
  }, [pages])

import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { parse, type RouteParams } from 'regexparam'
import { ours } from '../public-path.ts'
import { readKept } from '../storage/storage.ts'
import { currentVisit, followVisits, push, replace, type Told, type Visit } from './history.ts'
import { Intact } from './intact.tsx'
import { BrokenPart, MissingPart } from './lazy.tsx'
import { addressFor, pathFrom } from './link-address.ts'
import { againAfterMs, type OnDemand, onDemand } from './on-demand.ts'

/*
 * Which page an address shows. A page is shown once its code has arrived; until then the previous one stays, and after
 * a moment a sign that it is on its way. History, and what Back does, are in history.ts.
 */

/** A component by its name in a module that is loaded when it is needed. */
export type Part = { load(): Promise<object>; name: string }
/** The layouts around a page and the page itself, the outermost first: each shows the next as its `<Outlet />`. */
export type Page = readonly Part[]

/** The table of pages adds its addresses: see `shell/page-table.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is added to.
export interface Register {}
export type Path = Register extends { path: infer Known extends string } ? Known : string

/** What an address says. IDs of events and users are numbers, 0 if it is none; photos and links have texts. */
type Params<Address extends string> = {
  [Name in keyof RouteParams<Address>]: Name extends 'eventId' | 'userId' ? number : string
}
const isNumber = (name: string) => name === 'eventId' || name === 'userId'
type Search = Readonly<Record<string, string | number | undefined>>

/** A page, by its path in the table. */
export type Target<To extends Path = Path> = {
  [Each in To]: { to: Each; search?: Search | undefined } & (keyof RouteParams<Each> extends never
    ? { params?: undefined }
    : { params: Params<Each> })
}[To]

export const hrefOf = ({ to, params, search = {} }: Target): string => {
  const values: Readonly<Values> = params ?? {}
  const path = to.replace(/:(\w+)/g, (_, name) => encodeURIComponent(values[name] ?? ''))
  const asked = Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return asked.length > 0 ? `${path}?${new URLSearchParams(asked)}` : path
}

type How = {
  /** In place of the current page: Back does not lead to that. */
  replace?: boolean
  told?: Told
  /** Whether the page begins at its top. */
  scrolls?: boolean
}

/** Called when a page has been shown. */
let arrivals: (() => void)[] = []

/** Opens a page, or one of our addresses. Resolves when it is shown. */
export const navigate = ({ replace: inPlace = false, told, scrolls, ...at }: (Target | { href: string }) & How) => {
  const href = 'href' in at ? at.href : hrefOf(at)
  const { path, search, hash } = currentVisit()
  if (href === path + search + hash) return Promise.resolve()
  const shown = new Promise<void>(resolve => arrivals.push(resolve))
  ;(inPlace ? replace : push)(href, { ...(told && { told }), ...(scrolls !== undefined && { scrolls }) })
  return shown
}

// ---- inside a page ----

/** What is on the screen: a visit, what its address says, and the components that have arrived. */
type Shown = {
  visit: Visit
  params: Values
  parts: readonly ComponentType[]
  /** Or one of its parts is on its way. */
  whole: boolean
}
type Values = Record<string, string | number>
const Showing = createContext<Shown | undefined>(undefined)
const Depth = createContext(0)

const useShown = (): Shown => {
  const shown = useContext(Showing)
  if (!shown) throw new Error('there is no page around this')
  return shown
}

/** The address of the page on the screen. */
export const useLocation = (): Visit => useShown().visit

/** What the address of a page says, for a component of that page. */
export const useParams = <Address extends Path>(_: Address): Params<Address> => useShown().params as Params<Address>

/** What follows the question mark, as `read` understands it. */
export const useSearch = <Read,>(read: (search: Record<string, string>) => Read): Read => {
  const { search } = useLocation()
  return useMemo(() => read(searchIn(search)), [search, read])
}
export const searchIn = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))

/** The next of a page's components. */
export const Outlet = () => {
  const depth = useContext(Depth)
  const Part = useShown().parts[depth]
  const { path } = useShown().visit
  return (
    Part && (
      <Depth value={depth + 1}>
        <Intact of={path} instead={<BrokenPart />}>
          <Part />
        </Intact>
      </Depth>
    )
  )
}

/** A click that asks for another tab or a download is left to the browser. */
export const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & (Target | { href: string })

/** A link to one of our pages, by its path in the table or written out. */
export const Link = (props: LinkProps) => {
  const { href, to, params, search, onClick, ...rest } = props as ComponentProps<'a'> & Partial<Target>
  const address = href ?? hrefOf({ to, params, search } as Target)
  return (
    <a
      {...rest}
      href={addressFor(address)}
      onClick={event => {
        onClick?.(event)
        if (event.defaultPrevented || !isPlainClick(event)) return
        event.preventDefault()
        void navigate({ href: address })
      }}
    />
  )
}

// ---- around the pages ----

export type Table = Readonly<Record<string, Page>>

/** The page of a path; the table lists `/events/new` before `/events/:eventId`. */
const finderIn = (pages: Table, missing: Page) => {
  const routes = Object.entries(pages).map(([path, page]) => ({ ...parse(path), page }))
  return (path: string): { page: Page; params: Values } => {
    for (const { keys, pattern, page } of routes) {
      const found = pattern.exec(path)
      if (found)
        return { page, params: Object.fromEntries(keys.map((key, at) => [key, read(key, found[at + 1] ?? '')])) }
    }
    return { page: missing, params: {} }
  }
}
const read = (key: string, text: string) => {
  if (isNumber(key)) return Number(text) || 0
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const codes = new Map<Part, OnDemand<ComponentType>>()
const codeOf = (part: Part): OnDemand<ComponentType> => {
  const known = codes.get(part)
  if (known) return known
  const code = onDemand(async () => ((await part.load()) as Record<string, ComponentType | undefined>)[part.name])
  codes.set(part, code)
  return code
}
const load = (part: Part) => codeOf(part).request()
const missingIn = (page: Page) => page.filter(part => !codeOf(part).arrived())

/** What has arrived, from the outside in. */
const partsOf = (page: Page): ComponentType[] => {
  const parts: ComponentType[] = []
  for (const part of page) {
    const component = codeOf(part).arrived()
    if (!component) break
    parts.push(component)
  }
  return parts
}

/** After this, it is said that a page is on its way. */
const patienceMs = 200

type Props = {
  /** Those that there are at the moment. */
  pages(): Table
  /** For an address of nothing. */
  missing: Page
  /** Another address to go to instead. */
  redirect(visit: Visit, page: Page): string | undefined
  /** Requests what a page shows first, alongside its code; the page waits for what is returned. */
  prepare(page: Page, params: Values): Promise<unknown> | undefined
  /** Calls back when `redirect` may decide otherwise. */
  follow(listener: () => void): () => void
  waiting: ComponentType
  children: ReactNode
}

/** Shows the page of the current address: `children`, within which an `<Outlet />` is its outermost component. */
export const Router = ({ pages, missing, redirect, prepare, follow, waiting, children }: Props) => {
  const [shown, setShown] = useState<Shown>()
  useEffect(() => {
    const finders = new Map<Table, ReturnType<typeof finderIn>>()
    const find = (path: string) => {
      const table = pages()
      const finder = finders.get(table) ?? finderIn(table, missing)
      finders.set(table, finder)
      return finder(path)
    }
    let turn = 0
    const go = async () => {
      const now = ++turn
      const visit = currentVisit()
      const { page, params } = find(visit.path)
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
          return await Promise.all(missingIn(page).map(load))
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
    /** Somebody is about to follow a link: the code of its page is loaded already. */
    const heed = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null
      const page = link ? find(pathFrom(link.pathname)).page : missing
      if (page !== missing) for (const part of missingIn(page)) load(part).catch(() => {})
    }
    const stops = [followVisits(go), follow(go)]
    for (const sign of signs) document.addEventListener(sign, heed, { passive: true })
    void go()
    return () => {
      turn++
      for (const stop of stops) stop()
      for (const sign of signs) document.removeEventListener(sign, heed)
    }
  }, [pages, missing, redirect, prepare, follow, waiting])
  useScroll(shown)
  useEffect(() => {
    if (!shown?.whole) return
    const done = arrivals
    arrivals = []
    for (const resolve of done) resolve()
  }, [shown])
  return shown && <Showing value={shown}>{children}</Showing>
}
const signs = ['pointerover', 'focusin']

// ---- where a page was left ----

const place = `${ours}.scroll`
const placesMax = 100
/** The window, and what scrolls within it. */
const scrolling = () => [document.documentElement, ...document.querySelectorAll('[data-scrolls]')]

/** A page that is returned to is where it was left, and a new one at its top. */
const useScroll = (shown: Shown | undefined) => {
  const before = useRef<{ address: string; parts: Shown['parts'] }>(undefined)
  useLayoutEffect(() => {
    if (!shown) return
    window.history.scrollRestoration = 'manual'
    const { visit, parts, whole } = shown
    const address = visit.path + visit.search
    const places = readKept<Record<string, number[]>>(sessionStorage.getItem(place)) ?? {}
    // A page from over which another one was closed never left.
    const stayed =
      before.current?.parts.length !== parts.length && parts.every((part, at) => part === before.current?.parts[at])
    if (visit.scrolls && address !== before.current?.address && !stayed)
      for (const [at, element] of scrolling().entries()) element.scrollTop = places[visit.key]?.[at] ?? 0
    if (whole) before.current = { address, parts }
    const keep = () => {
      const { [visit.key]: _, ...others } = places
      const kept = Object.entries(others).slice(1 - placesMax)
      kept.push([visit.key, scrolling().map(({ scrollTop }) => Math.round(scrollTop))])
      sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(kept)))
    }
    const stop = followVisits(keep)
    window.addEventListener('pagehide', keep)
    return () => {
      stop()
      window.removeEventListener('pagehide', keep)
    }
  }, [shown])
}

import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
} from 'react'
import type { RouteParams } from 'regexparam'
import { type CurrentPage, type Pages, useShownPage } from './current-page.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { currentVisit, type HistoryState, push, replace, type Visit } from './history.ts'
import { BrokenPart } from './lazy.tsx'
import { addressFor } from './link-address.ts'
import type { Values } from './page-finder.ts'
import { useScroll } from './scroll-position.ts'

/*
 * Maps an address to a page. A page is shown once its code has arrived; until then the previous one stays, and after a
 * moment a loading sign. history.ts has the history and the behaviour of Back.
 */

/** The table of pages adds its addresses: see `shell/page-table.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: other modules extend it.
export interface Register {}
export type Path = Register extends { path: infer Known extends string } ? Known : string

/** The parameters of an address. IDs of events and users are numbers, 0 if invalid; photos and links have texts. */
type Params<Address extends string> = {
  [Name in keyof RouteParams<Address>]: Name extends 'eventId' | 'userId' ? number : string
}
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
  told?: HistoryState
  /** The page begins at its top. */
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

const Showing = createContext<CurrentPage | undefined>(undefined)
const Depth = createContext(0)

const useShown = (): CurrentPage => {
  const shown = useContext(Showing)
  if (!shown) throw new Error('there is no page around this')
  return shown
}

/** The address of the page on the screen. */
export const useLocation = (): Visit => useShown().visit

/** The parameters of a page's address, for a component of that page. */
export const useParams = <Address extends Path>(_: Address): Params<Address> => useShown().params as Params<Address>

/** The query of the address, parsed by `read`. */
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
        <ErrorBoundary of={path} instead={<BrokenPart />}>
          <Part />
        </ErrorBoundary>
      </Depth>
    )
  )
}

/** Clicks for another tab or a download are left to the browser. */
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

/** Shows the page of the current address: `children`, within which an `<Outlet />` is its outermost component. */
export const Router = ({ children, ...pages }: Pages & { children: ReactNode }) => {
  const shown = useShownPage(pages)
  useScroll(shown)
  useEffect(() => {
    if (!shown?.whole) return
    const done = arrivals
    arrivals = []
    for (const resolve of done) resolve()
  }, [shown])
  return shown && <Showing value={shown}>{children}</Showing>
}

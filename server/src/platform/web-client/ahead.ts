import { createHash } from 'node:crypto'

/** What a page will request as soon as its code runs, which is only known once that has arrived. */
export type Ahead = {
  /** Whether the client has a page at this path. */
  isPage(path: string): boolean
  /** The script that requests the page's first data, if its address determines it. */
  earlyFor(path: string): InlineScript | undefined
  /** Elements for the page's head: its scripts and its texts, so that they load alongside the first script. */
  linksFor(path: string, acceptLanguage: string | undefined): string
}

/** An element, and how a Content-Security-Policy allows it: by its content. */
export type InlineScript = { element: string; source: string }

type Named = {
  pages: Record<string, string[]>
  next?: Record<string, string[]>
  words: Record<string, string>
  early?: string
}
const nothing: Named = { pages: {}, words: {} }

/** From the build's `pages.json`; without one, nothing is listed. */
export const aheadFrom = (json: string | undefined): Ahead => {
  const { pages, next, words, early } = json === undefined ? nothing : (JSON.parse(json) as Named)
  const routes = Object.entries(pages).map(([path, files]) => ({
    path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
    asksEarly: toldByAddress.test(path),
    links:
      files.map(file => linkTo(file)).join('') +
      (next?.[path] ?? []).map(file => linkTo(file, ' fetchpriority="low"')).join(''),
  }))
  const script = early === undefined ? undefined : inlineScript(early)
  const routeOf = (path: string) => routes.find(route => route.path.test(path === '/' ? home : path))
  return {
    isPage: path => routeOf(path) !== undefined,
    earlyFor: path => (routeOf(path)?.asksEarly ? script : undefined),
    linksFor(path, acceptLanguage) {
      const file = words[languageOf(acceptLanguage, words)]
      // As the client's fetch will request it, or it would be loaded twice.
      const said = file ? `<link rel="preload" as="fetch" crossorigin="anonymous" href="/${file}">` : ''
      return said + (routeOf(path)?.links ?? '')
    },
  }
}

/** Where the client leads signed-in users from `/`. */
const home = '/events'

/** Pages whose first data can be determined from their address: see `web/src/app/early.ts`. */
const toldByAddress = /^\/(?:events(?:\/:eventId(?:\/chat|\/photos)?)?|chats|notifications)$/

/** It waits for nothing: modules without async run one after another. */
const inlineScript = (code: string): InlineScript => ({
  element: `<script type="module" async>${code}</script>`,
  source: `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
})

const linkTo = (file: string, how = '') =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}">`
    : `<link rel="modulepreload"${how} crossorigin href="/${file}">`

/** The first of the browser's languages that is supported, as the client will choose it. */
const languageOf = (accepted: string | undefined, words: Named['words']): string => {
  const wanted = (accepted ?? '').split(',').map(each => (each.split(/[-;]/, 1)[0] ?? '').trim().toLowerCase())
  return wanted.find(language => Object.hasOwn(words, language)) ?? 'en'
}

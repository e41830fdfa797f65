/** The resources that a page requests as soon as its code runs, which is only known once that has arrived. */
export type Preloads = {
  /** Tells whether the client has a page at this path. */
  isPage(path: string): boolean
  /** Elements for the page's head: its scripts and its texts, so that they load alongside the first script. */
  linksFor(path: string, acceptLanguage: string | undefined): string
}

type BuildManifest = { pages: Record<string, string[]>; words: Record<string, string> }
const nothing: BuildManifest = { pages: {}, words: {} }

/** From the build's `pages.json`; without one, nothing is listed. */
export const preloadsFrom = (json: string | undefined, publicPath = ''): Preloads => {
  const { pages, words } = json === undefined ? nothing : (JSON.parse(json) as BuildManifest)
  const routes = Object.entries(pages).map(([path, files]) => ({
    path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
    links: files.map(file => linkTo(`${publicPath}/${file}`)).join(''),
  }))
  const routeOf = (path: string) => routes.find(route => route.path.test(path === '/' ? home : path))
  return {
    isPage: path => routeOf(path) !== undefined,
    linksFor(path, acceptLanguage) {
      const file = words[languageOf(acceptLanguage, words)]
      // As the client's fetch will request it, or it would be loaded twice.
      const said = file ? `<link rel="preload" as="fetch" crossorigin="anonymous" href="${publicPath}/${file}">` : ''
      return said + (routeOf(path)?.links ?? '')
    },
  }
}

/** The client redirects signed-in users from `/` to here. */
const home = '/events'

const linkTo = (address: string) =>
  address.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="${address}">`
    : `<link rel="modulepreload" crossorigin href="${address}">`

/** The first of the browser's languages that is supported, as the client will choose it. */
const languageOf = (accepted: string | undefined, words: BuildManifest['words']): string => {
  const wanted = (accepted ?? '').split(',').map(each => (each.split(/[-;]/, 1)[0] ?? '').trim().toLowerCase())
  return wanted.find(language => Object.hasOwn(words, language)) ?? 'en'
}

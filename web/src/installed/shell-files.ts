import { ours, pathBelow } from '../app/public-path.ts'

/** A file in the build's list: its path without a leading slash, and a revision unless its name has a hash. */
export type Listed = { url: string; revision: string | null }

/** The files without which no page can be rendered, under a cache name of their own for each build. */
export const shellOf = (listed: readonly Listed[]) => {
  const page = listed.find(({ url }) => url === 'index.html')
  const files = listed.filter(file => file !== page).map(({ url }) => `/${url}`)
  return { name: `${shellPrefix}${page?.revision ?? ''}`, paths: new Set(['/', ...files]) }
}
export const shellPrefix = `${ours}-shell-`

/** Paths of the service, never answered from the cache; a name with a dot, such as a QR code's, is a file. */
const service = /^\/(?:api|media|realtime|docs|assets|unsubscribe|healthz|readyz|metrics)(?:\/|$)|\.[^/]*$/

/** True if the client has a page at this path. */
export const isPage = (path: string) => !service.test(path)

type ShellRequest = { method: string; mode: string; url: string }

/** The path under which the shell holds the response to a request; undefined: only the network has it. */
export const heldFor = ({ method, mode, url }: ShellRequest, at: string, paths: ReadonlySet<string>) => {
  const path = pathBelow(at, url)
  if (method !== 'GET' || path === undefined) return undefined
  if (mode === 'navigate') return isPage(path) ? '/' : undefined
  return path !== '/' && paths.has(path) ? path : undefined
}

/** True if a page only requests files of this build: during an upgrade of the service it may be one of the next. */
export const isOfThisBuild = (page: string, paths: ReadonlySet<string>) =>
  (page.match(/\/assets\/[\w.-]+/g) ?? []).every(path => paths.has(path))

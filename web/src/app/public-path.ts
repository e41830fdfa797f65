/*
 * The base path of the client: empty at the root of its host, or a path, which the service writes into the page.
 * Addresses inside the client are without that path; the browser and the service get them with it.
 */

/** Like `/party`; empty at the root. A service worker, which has no page, lies right below it. */
export const publicPath: string = globalThis.document
  ? (document.documentElement.dataset?.publicPath ?? '')
  : (globalThis.location?.pathname ?? '').replace(/\/sw\.js$/, '')

/** The prefix of all our addresses. */
export const address = globalThis.location?.origin + publicPath

/** The path of one of our addresses; undefined for any other, such as one of a neighbour on the same host. */
export const pathBelow = (at: string, url: string): string | undefined =>
  url.startsWith(`${at}/`) ? url.slice(at.length).split(/[?#]/, 1)[0] : undefined

/** The path of this page. */
export const pathHere = () => location.pathname.slice(publicPath.length) || '/'

/** The prefix of every name that all pages of a host share: storages, channels and locks. */
export const ours = publicPath ? `${publicPath} afterglow` : 'afterglow'

import { ours } from '../app/public-path.ts'

/** Files that the service has, though this browser could not load them. */
const failed = new Set<string>()

const place = `${ours}.reloaded`
const againAfterMs = 10_000
const forgottenAfterMs = 10 * 60_000
/**
 * When the page last reloaded, and how often in a row. A file may be gone for good: each time it waits twice as long.
 */
const openedAgain = () => {
  const [at = 0, times = 1] = (sessionStorage.getItem(place) ?? '0 0').split(' ').map(Number)
  return Date.now() - at < forgottenAfterMs ? { at, times } : { at: 0, times: 0 }
}

/**
 * A page of an earlier build requests files that are gone, and Firefox never requests again what failed once: the page
 * reloads. Other failed requests are repeated by their callers, and unsent texts stay.
 */
export const openAgain = async ({ payload }: VitePreloadErrorEvent) => {
  // WebKit does not say which.
  const named = /\S+\.(?:js|css)/.exec(payload.message)?.[0]
  const first = document.querySelector<HTMLScriptElement>('script[type=module]')?.src
  const { href } = new URL(named ?? first ?? '/', location.origin)
  const found = await fetch(href, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  const { at, times } = openedAgain()
  const helps = found?.status === 404 || (found?.ok && failed.has(href))
  if (found?.ok) failed.add(href)
  if (!helps || Date.now() - at < againAfterMs * 2 ** (times - 1)) return
  sessionStorage.setItem(place, `${Date.now()} ${times + 1}`)
  location.reload()
}

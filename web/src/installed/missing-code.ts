/** Files that the service has, though this browser could not load them. */
const failed = new Set<string>()

const againAfterMs = 10_000

/**
 * A page of an earlier build requests files that are gone, and Firefox never requests again what failed once: the address
 * is opened again. All else that fails is requested again by who needs it, and what is being written stays.
 */
export const openAgain = async ({ payload }: VitePreloadErrorEvent) => {
  // WebKit does not say which.
  const named = /\S+\.(?:js|css)/.exec(payload.message)?.[0]
  const first = document.querySelector<HTMLScriptElement>('script[type=module]')?.src
  const { href } = new URL(named ?? first ?? '/', location.origin)
  const found = await fetch(href, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  const last = Number(sessionStorage.getItem('afterglow.reloaded') ?? 0)
  const helps = found?.status === 404 || (found?.ok && failed.has(href))
  if (found?.ok) failed.add(href)
  if (!helps || Date.now() - last < againAfterMs) return
  sessionStorage.setItem('afterglow.reloaded', String(Date.now()))
  location.reload()
}

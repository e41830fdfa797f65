import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Driver, type Handle, keys } from './driver.ts'

/** A query for an element: by its role and name or, without either, by a selector. */
export type ElementQuery = { role: string; name: string } | { css: string }
export const button = (name: string): ElementQuery => ({ role: 'button', name })
export const field = (name: string): ElementQuery => ({ role: 'textbox', name })
export const heading = (name: string): ElementQuery => ({ role: 'heading', name })
export const link = (name: string): ElementQuery => ({ role: 'link', name })

const patienceMs = 45_000

/** A page in some engine, and people's acts on it; each waits as people wait. */
export type Tab = ReturnType<typeof tabOf>

export const tabOf = (driver: Driver, origin: string) => {
  const run = <Given, Result>(
    does: (element: Element | null, given: Given) => Result,
    handle?: Handle,
    given?: Given,
  ) => driver.run(does.toString(), handle, given) as Promise<Awaited<Result>>
  const find = (wanted: ElementQuery) =>
    'css' in wanted ? driver.selected(wanted.css) : driver.named(wanted.role, wanted.name)
  /** The first element that is on the screen, or can be scrolled there, and its position. */
  const lookFor = async (wanted: ElementQuery) => {
    for (const handle of await find(wanted)) {
      const at = await run(placeOf, handle).catch(() => undefined)
      if (at) return { handle, ...at }
    }
    return undefined
  }
  const until = async <Result>(what: string, look: () => Promise<Result>): Promise<NonNullable<Result>> => {
    const begun = performance.now()
    for (;;) {
      const found = await look()
      if (found) return found
      if (performance.now() - begun > patienceMs)
        throw new Error(`${what}; ${await run(() => location.pathname)} says: ${await words()}`)
      await sleep(50)
    }
  }
  // biome-ignore lint/performance/useDomNodeTextContent: what a page holds without showing it, nobody reads.
  const words = () => run(() => document.body.innerText)
  const nameOf = (wanted: ElementQuery) => ('css' in wanted ? wanted.css : `${wanted.role} “${wanted.name}”`)
  const reach = (wanted: ElementQuery) =>
    until(`${nameOf(wanted)} cannot be pressed`, async () => {
      const found = await lookFor(wanted)
      return found?.free ? found : undefined
    })
  const click = async (wanted: ElementQuery) => {
    const { x, y } = await reach(wanted)
    await driver.click(x, y)
  }
  return {
    run,
    async open(path: string) {
      await driver.open(origin + path)
      await run(listenForFaults)
    },
    /** Signs in as a returning user, with a language chosen before. */
    async signIn({ token, id }: { token: string; id: number }, language = 'en') {
      await driver.open(`${origin}/icon.svg`)
      const expiresAt = new Date(Date.now() + 25 * 24 * 60 * 60_000).toISOString()
      const kept = {
        'afterglow.session': JSON.stringify({ token, expiresAt, userId: id }),
        'afterglow.language': language,
      }
      await run(
        (_, kept) => {
          for (const [place, value] of Object.entries(kept)) localStorage.setItem(place, value)
        },
        undefined,
        kept,
      )
    },
    sees: async (wanted: ElementQuery) => void (await until(`there is no ${nameOf(wanted)}`, () => lookFor(wanted))),
    misses: (wanted: ElementQuery) =>
      until(`${nameOf(wanted)} is still there`, async () => (await lookFor(wanted)) === undefined),
    reads: (wanted: string) => until(`nothing says “${wanted}”`, async () => (await words()).includes(wanted)),
    /** Waits until a condition holds in the page. */
    holds: <Given>(what: string, does: (element: Element | null, given: Given) => unknown, given?: Given) =>
      until(`it never holds that ${what}`, () => run(does, undefined, given)),
    click,
    async fill(wanted: ElementQuery, text: string) {
      await click(wanted)
      await driver.keys([...text])
    },
    press: (key: keyof typeof keys) => driver.keys([keys[key]]),
    async choose(css: string, paths: readonly string[]) {
      const input = await until(`there is no ${css}`, async () => (await driver.selected(css))[0])
      await driver.choose(input, paths)
    },
    path: () => run(() => location.pathname),
    faults: () => run(() => (globalThis as { faults?: string[] }).faults ?? []),
    look: async (path: string) => writeFile(path, await driver.picture()),
  }
}

/* Code that runs in the page refers to nothing outside itself. */

/**
 * The point at which to press an element, once it stands still; `free` if nothing covers it. Undefined if it is not
 * shown.
 */
const placeOf = async (element: Element | null) => {
  const drawn = () => new Promise(resolve => requestAnimationFrame(resolve))
  const shown = element?.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  if (!element || !shown) return undefined
  const { top, bottom } = element.getBoundingClientRect()
  if (top < 0 || bottom > innerHeight) element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const before = element.getBoundingClientRect()
  await drawn()
  await drawn()
  const { x, y, width, height } = element.getBoundingClientRect()
  const at = { x: x + width / 2, y: y + height / 2 }
  const over = document.elementFromPoint(at.x, at.y)
  // The fixed bar covers what ends up behind it: users scroll, and so does the next look.
  if (over?.closest('nav') && !element.contains(over) && !over.contains(element))
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const still = x === before.x && y === before.y && width === before.width
  return { ...at, free: still && over !== null && (element.contains(over) || over.contains(element)) }
}

const listenForFaults = () => {
  const faults: string[] = []
  Object.assign(globalThis, { faults })
  addEventListener('error', ({ message }) => faults.push(message))
  addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)))
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    faults.push(`stopped by the policy: ${violatedDirective} ${blockedURI}`),
  )
}

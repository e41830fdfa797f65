import {
  type Browser,
  type BrowserContext,
  chromium,
  expect as expectSoon,
  type Page,
  type Request,
} from '@playwright/test'
import { browser as tool, wholeBrowser } from '../../server/test/tools.ts'
import { whenDone } from '../../server/test/when-done.ts'

const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update']

/** Timing is measured in bench/; a busy machine may take longer here. */
export const expect = expectSoon.configure({ timeout: 20_000 })

export const sizes = {
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1360, height: 860 } },
  /** The size of the screenshots for the documents. */
  portrait: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  wide: { viewport: { width: 1280, height: 800 } },
  /** At a venue. */
  screen: { viewport: { width: 1920, height: 1080 } },
} as const

/**
 * The service under a host name, as guests know it: a link to 127.0.0.1 would lead a phone to itself, and is refused.
 */
export const named = (url: string) => url.replace('127.0.0.1', 'party.localhost')

type Wishes = { size?: keyof typeof sizes; theme?: 'light' | 'dark'; locale?: string; still?: boolean; zone?: string }
export type Visitor = { page: Page; context: BrowserContext; complaints: string[] }

type BrowserOptions = {
  /** Installs as an app, which only the whole browser can. */
  installs?: boolean
  /**
   * `allow` for tests about reloads or offline use. Each visitor's worker fetches all of the client for later: a
   * quarter of the processor's time of such a file.
   */
  serviceWorkers?: 'allow' | 'block'
}

/** A page's open requests, and how many it has started so far. */
const loads = new WeakMap<Page, { open: Set<Request>; begun: number }>()

const watchLoads = (page: Page) => {
  const load = { open: new Set<Request>(), begun: 0 }
  loads.set(page, load)
  page.on('request', request => {
    load.open.add(request)
    load.begun += 1
  })
  const over = (request: Request) => void load.open.delete(request)
  page.on('requestfinished', over).on('requestfailed', over)
  page.on('framenavigated', frame => {
    if (frame !== page.mainFrame()) return
    // Requests of a previous page are ignored.
    for (const request of load.open) if (!request.isNavigationRequest()) load.open.delete(request)
  })
}

/**
 * Waits until a page has loaded everything, is drawn, and sends no more requests: playwright's `networkidle` takes half
 * a second each time, whatever the page does.
 */
export const atRest = async (page: Page) => {
  const load = loads.get(page)
  if (!load) throw new Error('openBrowser opens pages')
  const until = performance.now() + 20_000
  for (let begun = -1; load.open.size > 0 || begun !== load.begun; ) {
    if (performance.now() > until) throw new Error(`${page.url()} goes on loading`)
    begun = load.begun
    await page
      .evaluate(() => new Promise(resolve => requestIdleCallback(() => setTimeout(resolve, 60), { timeout: 2000 })))
      // The page redirects by itself.
      .catch(() => page.waitForLoadState())
  }
}

/** One browser per worker, for all its files; it ends with the worker. */
const browsers = new Map<string, Promise<Browser>>()

const browserOf = async (executablePath: string): Promise<Browser> => {
  const running = browsers.get(executablePath)
  if ((await running)?.isConnected()) return running as Promise<Browser>
  // Without a locale it opens no file with a non-ASCII name.
  const env = { ...process.env, LANG: 'C.UTF-8' }
  const launched = chromium.launch({ executablePath, env, args: ['--no-sandbox', '--disable-sync', ...quiet] })
  browsers.set(executablePath, launched)
  return launched
}

/** Each visitor has a profile of their own until the test ends; console complaints of their pages are recorded. */
export const openBrowser = (baseURL: string, { installs = false, serviceWorkers = 'block' }: BrowserOptions = {}) => {
  return {
    visit: async ({
      size = 'phone',
      theme = 'light',
      locale = 'en',
      still = false,
      zone,
    }: Wishes = {}): Promise<Visitor> => {
      const browser = await browserOf((installs ? wholeBrowser : tool).path() ?? '')
      const context = await browser.newContext({
        ...sizes[size],
        colorScheme: theme,
        locale,
        baseURL,
        serviceWorkers,
        ...(zone && { timezoneId: zone }),
        reducedMotion: still ? 'reduce' : 'no-preference',
      })
      whenDone(() => context.close())
      const page = await context.newPage()
      watchLoads(page)
      const complaints: string[] = []
      page.on('pageerror', error => complaints.push(String(error)))
      page.on('console', message => {
        // A network that is cut on purpose is not a fault of the page.
        const cut = /net::ERR_(?:INTERNET_DISCONNECTED|FAILED)|status of 4\d\d/.test(message.text())
        if (message.type() === 'error' && !cut) complaints.push(message.text())
      })
      return { page, context, complaints }
    },
  }
}

import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import { tokenOf } from '../fill/sessions.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const args = ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--disable-component-update']

export const openChromium = (more: string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...args, ...more] })

export const openProfile = (directory: string, more: string[]): Promise<BrowserContext> =>
  chromium.launchPersistentContext(directory, { executablePath, args: [...args, ...more] })

/** As the client keeps it. */
export const sessionOf = (userId: number, token = tokenOf(userId)): string =>
  JSON.stringify({
    token,
    expiresAt: new Date(Date.now() + 25 * 24 * 60 * 60_000).toISOString(),
    userId,
  })

export type Phone = { page: Page; cdp: CDPSession; close(): Promise<void> }

/** Somebody of the filled data, by their id, or anybody else with their token. */
type Who = number | { userId: number; token: string } | undefined

/** A phone that was never here before, with somebody signed in, if any; the size is that of Lighthouse's. */
export const openPhone = async (browser: Browser, origin: string, who: Who): Promise<Phone> => {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
  })
  const page = await context.newPage()
  const session = typeof who === 'number' ? sessionOf(who) : who && sessionOf(who.userId, who.token)
  if (session) await page.addInitScript(kept => localStorage.setItem('afterglow.session', kept), session)
  return { page, cdp: await context.newCDPSession(page), close: () => context.close() }
}

type Network = { latency: number; downloadThroughput: number; uploadThroughput: number }
const kbit = 1024 / 8

/** As Lighthouse draws them: a turn in milliseconds, and bytes a second. */
export const networks = {
  '4G': { latency: 150, downloadThroughput: 1.6 * 1024 * kbit, uploadThroughput: 750 * kbit },
  '400 kbit/s': { latency: 400, downloadThroughput: 400 * kbit, uploadThroughput: 400 * kbit },
} satisfies Record<string, Network>

/** What Lighthouse calls a mid-range phone: a processor four times slower, behind 4G unless told otherwise. */
export const slowDown = async (cdp: CDPSession, network: Network = networks['4G']): Promise<void> => {
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', { offline: false, ...network })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

/** MiB of a page's JavaScript that are still in use. */
export const heapOf = async (cdp: CDPSession): Promise<number> => {
  for (let times = 0; times < 3; times++) await cdp.send('HeapProfiler.collectGarbage')
  return (await cdp.send('Runtime.getHeapUsage')).usedSize / 1024 / 1024
}

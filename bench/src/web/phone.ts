import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import { tokenOf } from '../fill/sessions.ts'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const args = ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--disable-component-update']

export const openChromium = (more: string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...args, ...more] })

export const openProfile = (directory: string, more: string[]): Promise<BrowserContext> =>
  chromium.launchPersistentContext(directory, { executablePath, args: [...args, ...more] })

/** As the client keeps it. */
export const sessionOf = (userId: number): string =>
  JSON.stringify({
    token: tokenOf(userId),
    expiresAt: new Date(Date.now() + 25 * 24 * 60 * 60_000).toISOString(),
    userId,
  })

export type Phone = { page: Page; cdp: CDPSession; close(): Promise<void> }

/** A phone that was never here before, with somebody signed in; the size is that of Lighthouse's. */
export const openPhone = async (browser: Browser, origin: string, userId: number): Promise<Phone> => {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
  })
  const page = await context.newPage()
  await page.addInitScript(session => localStorage.setItem('afterglow.session', session), sessionOf(userId))
  return { page, cdp: await context.newCDPSession(page), close: () => context.close() }
}

/** What Lighthouse calls a mid-range phone with 4G: a turn of 150 ms, 1.6 Mbit/s, a processor four times slower. */
export const slowDown = async (cdp: CDPSession): Promise<void> => {
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8,
  })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect as expectNow, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { needing } from '../../server/test/needing.ts'
import { shrunk } from '../../server/test/pictures.ts'
import { browser, tourWanted } from '../../server/test/tools.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'
import { addressOf, page as pageOfAll, shots, untold } from './tour.ts'
import { tourEvening } from './tour-evening.ts'

const folder = join(import.meta.dirname, '../../docs/tour')
const tourBytesMax = 3 * 1024 * 1024
const clipBytesMax = 2.5 * 1024 * 1024
/** Pictures of the README; `clip.test.ts` makes them. */
const [picture, clip] = ['phone-and-wall.webp', 'scan-to-wall.webp']

// ---- on request ----

needing(browser, tourWanted).describe('with TOUR=1', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))

  test('pictures of every page are taken', { timeout: 600_000 }, async () => {
    const { story, starts, olivia } = await tourEvening(app.url)
    for (const shot of shots) {
      const { size = 'portrait', theme = 'light', locale = 'en', outside = false, hour } = shot
      const { page, context } = await visit({ size, theme, locale, still: true, zone: 'Europe/Madrid' })
      if (!outside) await signIn(page, olivia)
      if (hour !== undefined) await page.clock.setFixedTime(starts + hour * 3_600_000)
      await page.goto(addressOf(shot, story))
      await settled(page)
      await shot.act?.(page)
      await settled(page)
      await writeFile(join(folder, `${shot.name}.webp`), await shrunk(await page.screenshot()))
      await context.close()
    }
    await writeFile(join(folder, 'README.md'), pageOfAll())
  })
})

// ---- always ----

const table = join(import.meta.dirname, '../src/shell/page-table.ts')

test('every page of the router is in the tour, and the tour is in docs/tour', () => {
  const pages = [...readFileSync(table, 'utf8').matchAll(/^ {2}'(\/.*?)': /gm)].map(([, path]) => path as string)
  const told = new Set([...shots, ...untold].map(({ at }) => at))
  expectNow(pages.filter(path => !told.has(path))).toEqual([])
  const pictures = readdirSync(folder).filter(name => name.endsWith('.webp'))
  const bytesOf = (name: string) => statSync(join(folder, name)).size
  expectNow(pictures.sort()).toEqual([...shots.map(({ name }) => `${name}.webp`), picture, clip].sort())
  expectNow(pictures.reduce((sum, name) => sum + bytesOf(name), -bytesOf(clip))).toBeLessThan(tourBytesMax)
  expectNow(bytesOf(clip)).toBeLessThan(clipBytesMax)
  expectNow(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(pageOfAll())
})

/** Everything has loaded, and the address is one that users would have. */
const settled = async (page: Page) => {
  await expect(page.locator('h1, h2').first()).toBeAttached()
  await expect(page.locator('.animate-breathe, .animate-spin')).toHaveCount(0)
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(() =>
    [...document.images].every(
      image => image.complete || !image.checkVisibility() || image.getBoundingClientRect().top > innerHeight,
    ),
  )
  await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      if (text.nodeValue?.includes(location.host))
        text.nodeValue = text.nodeValue
          .replace(location.origin, 'https://party.example')
          .replace(location.host, 'party.example')
  })
}

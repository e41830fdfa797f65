import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { password } from '../../demo/src/people.ts'
import { openTestApp } from '../../server/test/app.ts'
import { full, quarterOf } from '../../server/test/full.ts'
import { needing } from '../../server/test/needing.ts'
import { browser } from '../../server/test/tools.ts'
import { atRest, expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { oddEvening } from './odd-names.ts'
import { signIn } from './steps.ts'
import { addressesOf } from './tour.ts'

/*
 * Pages for readers who need large letters, on the narrowest phone, in the languages with the longest words, with the
 * oddest names.
 */

needing(browser).describe('every page', { timeout: 300_000 }, async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))
  const { people, eventId, joinLink, lookLink, odd } = await oddEvening(app.url)
  const [{ id: userId, photoId }] = odd
  const codeOf = (link: string) => link.split('/').at(-1) ?? ''
  const story = { eventId, code: codeOf(joinLink), look: codeOf(lookLink), userId, photoId }
  const { inside, outside } = addressesOf(story)
  // The wall is viewed from ten metres, on a screen at the party.
  const near = { inside: inside.filter(address => !address.endsWith('/wall')), outside }
  const { token } = await people.olivia.api.accounts.authenticate({
    user_login_option_type: 1,
    user_login_id: 'olivia',
    user_password: password,
    device_id: 'a browser',
    user_timezone: 'UTC',
    user_device_platform: 'web',
  })

  /** Narrow; letters twice as large; and 400 % zoom of a window 1280 wide, which leaves 320 × 256. */
  const looks = {
    'at 320 px': { width: 320, height: 640, percent: 100 },
    'with letters of 200 %': { width: 390, height: 844, percent: 200 },
    'at 400 %': { width: 320, height: 256, percent: 100 },
  }

  const every = Object.keys(looks) as (keyof typeof looks)[]

  /**
   * Each language gets a different quarter of the pages; large letters in the one with the longest words and, in the
   * full run, in the right-to-left one.
   */
  for (const [locale, from, names] of [
    ['de', 0, every],
    ['en', 1, ['at 320 px']],
    ['ar', 2, full ? every : every.slice(0, 1)],
    ['es', 3, ['at 320 px']],
  ] as const) {
    // Every run has the longest words, and right-to-left.
    const tags = locale === 'de' || locale === 'ar' ? [] : 'slow'
    test(`in ${locale} is within its window, its text whole and within bounds, and its targets are 44 px`, {
      tags,
    }, async () => {
      const found: Record<string, string[]> = {}
      for (const side of ['inside', 'outside'] as const) {
        const { page, context } = await visit({ size: 'phone', still: true, locale })
        if (side === 'inside') await signIn(page, { token, id: people.olivia.id })
        const look = async (at: string) => {
          for (const name of names) {
            const look = looks[name]
            await page.setViewportSize(look)
            await enlarge(page, look.percent)
            await settled(page)
            const wrong = await page.evaluate(measure)
            if (name === 'at 320 px') wrong.push(...(await page.evaluate(brokenWords)))
            if (wrong.length > 0) found[`${at} ${name}`] = wrong
          }
        }
        for (const address of quarterOf(`pages that fit in ${locale}, ${side}`, near[side], { from })) {
          await page.goto(address)
          await page.waitForFunction(() => document.querySelector('#app')?.querySelector('h1, h2, main') !== null)
          await atRest(page)
          await look(address)
        }
        if (side === 'inside') {
          await page.setViewportSize(looks['at 320 px'])
          await page.goto(`/events/${eventId}/photos/${photoId}`)
          await page.getByRole('dialog').locator('button[aria-expanded]:not([aria-haspopup])').click()
          await expect(page.getByRole('article').first()).toBeVisible()
          await look('comments')
          await page.goto(`/events/${eventId}/links`)
          await expect(page.getByRole('article').first()).toBeVisible()
          await page.setViewportSize({ width: 794, height: 1123 })
          await page.emulateMedia({ media: 'print' })
          await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
          await expect(page.locator('.print-alone').first()).toBeVisible()
          await settled(page)
          found.print = await page.evaluate(measure)
          if (found.print.length === 0) delete found.print
          await page.emulateMedia({ media: 'screen' })
          await page.goto('/settings')
          // Signing out asks for confirmation.
          await page.locator('main button').last().click()
          await expect(page.getByRole('alertdialog')).toBeVisible()
          await look('a question')
        }
        await context.close()
      }
      expect(found).toEqual({})
    })
  }

  test('keeps text and controls clear of the notch and the bar of a phone in landscape', {
    tags: 'slow',
  }, async () => {
    const { page, context } = await visit({ size: 'phone', still: true })
    await page.setViewportSize({ width: 844, height: 390 })
    const cdp = await context.newCDPSession(page)
    await cdp.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 0, left: 47, bottom: 21, right: 47 } })
    await signIn(page, { token, id: people.olivia.id })
    const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
    const album = `/events/${story.eventId}/photos`
    const found: Record<string, string[]> = {}
    for (const [at, ...pressed] of [
      ['/events'],
      [`/events/${story.eventId}`],
      [`/events/${story.eventId}/chat`],
      [`/events/${story.eventId}/chat`, /^Open photo/],
      [album],
      [album, 'Select'],
      [`${album}/${story.photoId}`],
      [`${album}/${story.photoId}`, /^Comments and details/],
      [`/events/${story.eventId}/wall`],
    ] as [string, ...(string | RegExp)[]][]) {
      await page.goto(at)
      await atRest(page)
      for (const name of pressed) await button(name).click()
      await settled(page)
      const wrong = await page.evaluate(besideEdges)
      if (wrong.length > 0) found[[at, ...pressed].join(' ')] = wrong
    }
    expect(found).toEqual({})
    await context.close()
  })
})

/** Runs in the page: finds elements under the notch on either side, or under the bar without scrolling. */
const besideEdges = () => {
  const [left, right, bottom] = [47 - 1, innerWidth - 47 + 1, innerHeight - 21 + 1]
  const wrong: string[] = []
  const scrolls = (element: Element | null): boolean =>
    element !== null && (/(auto|scroll)/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
  const stays = (element: Element | null): boolean =>
    element !== null && (getComputedStyle(element).position === 'fixed' || stays(element.parentElement))
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim())
    if (!own && !element.matches('button, a[href], input:not([type=file]), select, textarea')) continue
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    if (element.closest('[aria-hidden=true], .sr-only') || getComputedStyle(element).clipPath !== 'none') continue
    const place = element.getBoundingClientRect()
    const aside = (place.left < left || place.right > right) && !scrolls(element.parentElement)
    const below = place.bottom > bottom && place.top < innerHeight && stays(element) && !scrolls(element.parentElement)
    if (place.width > 1 && (aside || below))
      wrong.push(`${element.tagName} “${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 40)}”`)
  }
  return [...new Set(wrong)]
}

/** Enlarges text like the browser's own setting, which tests cannot set from outside. */
const enlarge = (page: Page, percent: number) =>
  page.evaluate(size => document.documentElement.style.setProperty('font-size', `${size}%`), percent)

const settled = (page: Page) =>
  page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 50))))

/** Runs in the page: finds words broken across lines that would fit on one. Addresses do not count. */
const brokenWords = () => {
  const lineFits = innerWidth - 48
  const broken: string[] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const words = text.textContent ?? ''
    const within = text.parentElement
    if (!words.trim() || !within?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    if (within.closest('[aria-hidden=true], .sr-only, svg, [dir=ltr]') || /:\/\//.test(words)) continue
    for (const { 0: word, index } of words.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const parts = [...range.getClientRects()].filter(({ width }) => width > 0)
      const [first] = parts
      const isBroken = first && parts.some(({ top }) => top >= first.bottom - 1)
      if (isBroken && parts.reduce((sum, { width }) => sum + width, 0) <= lineFits)
        broken.push(`“${word}” is broken in “${words.trim().slice(0, 60)}”`)
    }
  }
  return [...new Set(broken)]
}

/** Runs in the page: finds elements wider than the window, cut off without a sign, or too small to tap. */
const measure = () => {
  const wrong: string[] = []
  const named = (element: Element) =>
    `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`
  const width = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth > width)
    wrong.push(`the page is ${document.documentElement.scrollWidth} wide`)
  for (const dialog of document.querySelectorAll('[role=dialog], [role=alertdialog]'))
    if (dialog.scrollWidth > dialog.clientWidth + 1) wrong.push(`${named(dialog)} is ${dialog.scrollWidth} wide inside`)
  const isSeen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  }
  const scrolls = (element: Element | null): boolean =>
    element !== null && (/(auto|scroll)/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
  /** Cut-off text ends in dots. */
  const hasDots = (element: Element | null): boolean => {
    if (!element) return false
    const { textOverflow, overflowX, webkitLineClamp } = getComputedStyle(element)
    return (
      (textOverflow === 'ellipsis' && overflowX !== 'visible') ||
      webkitLineClamp !== 'none' ||
      hasDots(element.parentElement)
    )
  }
  for (const element of document.querySelectorAll('body *')) {
    if (!isSeen(element) || element.closest('[aria-hidden=true], svg, .sr-only')) continue
    const own = [...element.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim())
    if (!own) continue
    const { overflowX } = getComputedStyle(element)
    const { left, right } = element.getBoundingClientRect()
    const dots = hasDots(element)
    if ((left < -1 || right > width + 1) && !dots && !scrolls(element.parentElement))
      wrong.push(`${named(element)} is outside, ${Math.round(left)} to ${Math.round(right)}`)
    if (element.scrollWidth <= element.clientWidth + 1) continue
    if (overflowX !== 'visible' && !/(auto|scroll)/.test(overflowX) && !dots) wrong.push(`${named(element)} is cut off`)
    // A button's label must be whole; a name may end in dots.
    if (dots && element.closest('button:not([aria-label])') && !element.closest('[dir=auto]'))
      wrong.push(`${named(element)} is shortened`)
  }
  for (const target of document.querySelectorAll(
    'button, summary, a[href]:not(p a), select, input:not([type=file], [type=hidden])',
  )) {
    if (!isSeen(target) || target.closest('[aria-hidden=true], .sr-only, [inert]') || target.matches('.sr-only'))
      continue
    const { width, height } = target.getBoundingClientRect()
    // A small element has a larger tap area around it.
    const after = getComputedStyle(target, '::after')
    const grown = after.content !== 'none' && after.position === 'absolute'
    const labelled = target.closest('label, .touch')
    const inRow = target.closest('label, .touch')?.getBoundingClientRect() ?? { width, height }
    if (grown) continue
    if (
      Math.max(height, labelled ? Math.max(inRow.height, 44) : 0) < 43.5 ||
      Math.max(width, labelled ? inRow.width : 0) < 43.5
    )
      wrong.push(`${named(target)} is ${Math.round(width)} × ${Math.round(height)}`)
  }
  return [...new Set(wrong)]
}

import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { joinAs, safe, signIn, toPlace, write } from './steps.ts'

const pictures = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, seed) => ({
      name: `evening-${seed + 1}.jpg`,
      mimeType: 'image/jpeg',
      buffer: Buffer.from(await jpeg({ width: 96, height: 64, seed: 600 + seed })),
    })),
  )
const choose = (page: Page, files: Awaited<ReturnType<typeof pictures>>) =>
  page.locator('input[type=file]:not([data-camera])').first().setInputFiles(files)
const pill = (page: Page) => page.getByRole('link', { name: /^Uploading/ })

/** The element that covers an element's middle: none, if a tap there would reach it. */
const coverOf = (page: Page, name: string | RegExp) =>
  page
    .getByRole('main')
    .getByRole('link', { name })
    .or(page.getByRole('main').getByRole('button', { name }))
    .first()
    .evaluate(async element => {
      element.scrollIntoView({ block: 'end' })
      scrollBy(0, 0)
      await new Promise(requestAnimationFrame)
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const covers: string[] = []
      for (const x of [left + 4, (left + right) / 2, right - 4])
        for (const y of [top + 4, (top + bottom) / 2, bottom - 4]) {
          const there = document.elementFromPoint(x, y)
          if (
            y < innerHeight &&
            y > 0 &&
            there &&
            !element.contains(there) &&
            !there.contains(element) &&
            !there.closest('nav')
          )
            covers.push(there.outerHTML.slice(0, 80))
        }
      return covers
    })

needing(browser).describe('an upload in progress', { timeout: 300_000 }, async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'block' })

  const join = async (name: string) => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns', event_visibility: 2 }))
    const { link_code } = await olivia.api.links.makeLink({ event_id: id })
    const visitor = await visit()
    await visitor.page.goto(`/j/${link_code}`)
    await joinAs(visitor.page, name)
    await expect(visitor.page.getByRole('heading', { name: `You’re in, ${name}!` })).toBeVisible()
    return { ...visitor, olivia, id }
  }

  test('is reported truthfully, and saving the account is offered only when it is complete', async () => {
    const { page, context, id, complaints } = await join('Fabio')
    await page.goto(`/events/${id}/photos`)
    await expect(page.getByText('No photos yet')).toBeVisible()
    let open = 3
    await page.route('**/api/gallery/upload?*', async route => {
      open -= 1
      if (open < 0) await new Promise(resolve => setTimeout(resolve, 6000))
      await route.continue().catch(() => {})
    })
    await choose(page, await pictures(10))
    const tray = page.getByRole('region', { name: 'Uploading' })
    // The first photo of all takes a busy machine a while.
    await expect(tray.getByRole('status')).toHaveText('3 of 10 added', { timeout: 120_000 })
    await expect(tray.getByText('You can close this page. The rest continues when you come back.')).toBeVisible()
    const offer = page.getByText('Your photos are in. Save your account?')
    await context.setOffline(true)
    await expect(tray.getByRole('status')).toHaveText(/^\d of 10 added\. The rest waits for a connection\.$/)
    await expect(offer).toHaveCount(0)

    // Every page shows it, and links back to the queue.
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(pill(page)).toHaveText(/\d of 10 · waiting for a connection$/)
    await context.setOffline(false)
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await expect(pill(page)).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
    await page.unroute('**/api/gallery/upload?*')
    await expect(pill(page)).toHaveText(/10 photos added$/, { timeout: 120_000 })
    await expect(offer).toHaveCount(0)
    await pill(page).click()
    await expect(tray.getByRole('status')).toHaveText(safe(10))
    await expect(pill(page)).toHaveCount(0)
    await expect(offer).toBeVisible()
    expect(complaints.filter(words => !/ERR_|Failed to fetch/.test(words))).toEqual([])
  })

  test('counts on the app’s badge, beside unread notifications, until it is in the album', {
    tags: 'slow',
  }, async () => {
    const { page, context, olivia, id } = await join('Ivo')
    // A script in disguise: its messages are read, and passed on.
    await page.addInitScript(() => {
      const badges: (number | undefined)[] = []
      const set = navigator.setAppBadge?.bind(navigator)
      Object.assign(navigator, {
        setAppBadge: async (number?: number) => {
          badges.push(number)
          await set?.(number)
        },
      })
      Object.assign(globalThis, { badges })
    })
    const badge = () => page.evaluate(() => (globalThis as { badges?: number[] }).badges?.at(-1))
    await page.goto(`/events/${id}/photos`)
    await expect(page.getByText('No photos yet')).toBeVisible()
    await expect.poll(badge).toBe(0)
    await context.setOffline(true)
    await choose(page, await pictures(4))
    await expect.poll(badge).toBe(4)
    await context.setOffline(false)
    await expect(page.getByRole('region', { name: 'Uploading' }).getByRole('status')).toHaveText(safe(4), {
      timeout: 120_000,
    })
    await expect.poll(badge).toBe(0)
    const { group_chat_id } = await olivia.api.events.readEvent({ event_id: id })
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'How lovely' })
    await expect.poll(badge).toBe(1)
  })

  test('that needs a decision names the file', async () => {
    const { page, id } = await join('Gina')
    await page.goto(`/events/${id}/photos`)
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no photo') }
    await choose(page, [...(await pictures(2)), notes])
    await expect(page.getByRole('region', { name: 'Uploading' }).getByRole('status')).toHaveText(safe(2), {
      timeout: 120_000,
    })
    await expect(page.getByText('Your photos are in. Save your account?')).toHaveCount(0)
    await toPlace(page, 'Events')
    await expect(pill(page)).toHaveText(/1 failed: tap to fix · 2 photos added$/)
    await pill(page).click()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await toPlace(page, 'Events')
    await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible()
    await expect(pill(page)).toHaveCount(0)
  })

  test('covers neither the button for more photos nor waiting people, on any screen', { tags: 'slow' }, async () => {
    const { page, olivia, id } = await join('Hanna')
    await page.getByRole('link', { name: 'Photos', exact: true }).click()
    const covered: string[] = []
    const sizes = [
      [320, 480],
      [320, 568],
      [360, 740],
      [390, 844],
      [768, 1024],
      [1280, 800],
    ] as const
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      await page.evaluate(() => scrollTo(0, 0))
      covered.push(...(await coverOf(page, 'Add photos')).map(what => `${width} × ${height}: ${what}`))
    }
    expect(covered).toEqual([])

    const rita = await enter(app, 'rita')
    await olivia.api.events.saveEvent(
      evening({ event_id: id, event_name: 'Lanterns', event_visibility: 1, event_join_mode: 2 }),
    )
    await rita.api.events.askToJoin({ event_id: id })
    const host = await visit()
    await signIn(host.page, olivia)
    await host.page.goto('/events')
    await expect(host.page.getByRole('link', { name: /wants to join/ })).toBeVisible()
    for (const [width, height] of sizes) {
      await host.page.setViewportSize({ width, height })
      covered.push(...(await coverOf(host.page, /wants to join/)))
    }
    expect(covered).toEqual([])
  })

  test('does not bring an offer until nobody is writing; the offer is a line above the page, and disappears with a swipe', async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const { page, context } = await visit()
    await context.grantPermissions([])
    await page.addInitScript(() => {
      // Simulates a browser with push: no worker is needed to offer it.
      Object.defineProperty(Notification, 'permission', { get: () => 'default' })
    })
    await signIn(page, gus)
    await page.goto(`/events/${id}/chat`)
    await page.getByRole('textbox', { name: 'Message' }).pressSequentially('Hello')
    await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
    await write(page, 'there')
    const offer = page.getByText('Get notified when someone replies?')
    await expect(offer).toBeVisible()
    const row = page.getByRole('status').filter({ has: offer })
    expect((await row.boundingBox())?.height).toBeLessThan(72)
    const cdp = await context.newCDPSession(page)
    const at = (x: number) => [{ x, y: 26 }]
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(120) })
    for (let x = 130; x <= 300; x += 10)
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(x) })
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect(offer).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
    await write(page, 'again')
    await expect(page.getByText('again', { exact: true })).toBeVisible()
    await expect(offer).toHaveCount(0)
  })
})

import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter, type Member } from '../../server/test/cast.ts'
import { full } from '../../server/test/full.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { joinAs, signIn } from './steps.ts'

needing(browser).describe('the live wall', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url), { serviceWorkers: 'allow' })
  let seed = 0
  const add = async (
    { api }: Member,
    event_id: number,
    event_photo_caption: string,
    size = { width: 480, height: 320 },
  ) => {
    const image = new Blob([new Uint8Array(await jpeg({ ...size, seed: ++seed }))])
    await api.gallery.uploadPhoto({ event_id, image, event_photo_caption })
  }
  /** The current photo, not the one that fades out. */
  const shown = (page: Page) => page.locator('div:not([aria-hidden=true]) > img[alt]:not([alt=""])')
  const code = (page: Page) => page.getByRole('figure').filter({ hasText: 'Scan to join' })

  test('on a screen’s link follows an organizer’s phone, reloads unchanged, and goes dark with its link', async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_visibility: 3 }))
    for (const words of ['Arriving', 'The cake', 'The first dance']) await add(olivia, id, words)
    const link = await olivia.api.links.makeLink({ event_id: id, kind: 'screen' })
    const guests = await olivia.extra.links.makeLink({ event_id: id })
    await olivia.api.wall.saveWall({ event_id: id, wall_seconds: 120, wall_layout: 'one' })

    const { page: screen, complaints } = await visit({ size: 'screen' })
    await screen.goto(`/j/${link.link_code}`)
    await expect(shown(screen)).toBeVisible()
    await expect(screen.getByRole('link', { name: 'Close' })).toHaveCount(0)
    await expect(screen.getByText(guests.extra?.short_code ?? '')).toBeVisible()
    const letters = screen.getByText(guests.extra?.short_code ?? '')
    const size = await letters.evaluate(each => Number.parseFloat(getComputedStyle(each).fontSize))
    expect(size / 1080).toBeGreaterThanOrEqual(0.049)

    const { page: phone, complaints: ofPhone } = await visit({ size: 'phone' })
    await phone.setViewportSize({ width: 320, height: 640 })
    await signIn(phone, olivia)
    await phone.goto(`/events/${id}`)
    await phone.getByRole('button', { name: 'More about this event' }).click()
    await phone.getByRole('menuitem', { name: 'Wall' }).click()
    const onScreen = () =>
      phone.getByRole('listitem').filter({ has: phone.getByRole('button', { name: /^Hide from/ }) })
    const before = await shown(screen).getAttribute('alt')
    await expect(onScreen().getByAltText(before ?? '')).toBeVisible({ timeout: 60_000 })
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(phone)

    await phone.getByRole('button', { name: 'Next' }).click()
    await expect(shown(screen)).not.toHaveAttribute('alt', before ?? '')
    const second = (await shown(screen).getAttribute('alt')) ?? ''
    await expect(onScreen().getByAltText(second)).toBeVisible({ timeout: 60_000 })
    await onScreen().getByRole('button').click()
    await expect(shown(screen)).not.toHaveAttribute('alt', second)
    await phone.getByRole('button', { name: 'Pause' }).click()
    await expect(phone.getByRole('button', { name: 'Play' })).toBeVisible()
    await phone.getByRole('button', { name: before ?? '', exact: true }).click()
    await phone.getByRole('menuitem', { name: 'Show on the wall now' }).click()
    await expect(shown(screen).and(screen.getByAltText(before ?? ''))).toBeVisible()
    await screen.reload()
    await expect(shown(screen).and(screen.getByAltText(before ?? ''))).toBeVisible()
    await phone.getByLabel('Layout').selectOption('mosaic')
    await phone.getByRole('button', { name: 'Play' }).click()
    await phone.getByRole('button', { name: 'Next' }).click()
    await expect(shown(screen)).toHaveCount(2)

    await olivia.api.links.revokeLink({ link_id: link.id })
    await expect(screen.getByText('This screen was turned off.')).toBeVisible()
    await expect(screen.locator('img')).toHaveCount(0)
    await screen.reload()
    await expect(screen.getByText('This screen was turned off.')).toBeVisible()
    expect([...complaints, ...ofPhone].filter(words => !/40[014]|WebSocket/.test(words))).toEqual([])
  })

  test('continues without a network, and shows missed photos when it returns', { tags: 'slow' }, async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    await add(olivia, id, 'Arriving')
    await add(olivia, id, 'The first dance')
    const { page, context, complaints } = await visit({ size: 'desktop' })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/wall`)
    const on = (words: string) => shown(page).and(page.getByAltText(words))
    // Both have been shown, so both are in the page's memory.
    await expect(on('The first dance')).toBeVisible({ timeout: 60_000 })
    await expect(on('Arriving')).toBeVisible({ timeout: 60_000 })

    await context.setOffline(true)
    await add(olivia, id, 'Fireworks')
    await expect(on('The first dance')).toBeVisible({ timeout: 60_000 })
    expect(await on('The first dance').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    await expect(page.getByAltText('Fireworks')).toHaveCount(0)
    await context.setOffline(false)
    await expect(on('Fireworks')).toBeVisible({ timeout: 60_000 })
    await add(olivia, id, 'The last boat')
    await expect(on('The last boat')).toBeVisible({ timeout: 60_000 })
    expect(complaints.filter(words => !/ERR_|Failed to fetch|WebSocket/.test(words))).toEqual([])
  })

  test('restarts without a network with its last photos, and keeps nothing deleted or closed', async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_visibility: 3 }))
    await add(olivia, id, 'Arriving')
    await add(olivia, id, 'The first dance')
    await olivia.api.wall.saveWall({ event_id: id, wall_seconds: 3, wall_layout: 'one' })
    const { extra } = await olivia.extra.links.makeLink({ event_id: id })
    const link = await olivia.api.links.makeLink({ event_id: id, kind: 'screen' })
    const { page, context } = await visit({ size: 'screen' })
    await page.goto(`/j/${link.link_code}`)
    const stored = () =>
      page.evaluate(async () =>
        (await caches.has('afterglow-wall')) ? (await (await caches.open('afterglow-wall')).keys()).length : 0,
      )
    await expect.poll(stored).toBe(2)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBeGreaterThan(0)
    await page.waitForTimeout(2000)

    await context.setOffline(true)
    await page.reload()
    for (const words of ['The first dance', 'Arriving']) {
      const photo = shown(page).and(page.getByAltText(words))
      await expect(photo).toBeVisible({ timeout: 60_000 })
      expect(await photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    }
    await expect(page.getByText('No connection')).toBeVisible()
    // Without a code there is no empty frame to scan; the address to type is shown.
    await expect(page.getByText(extra?.short_code ?? '-')).toBeVisible()
    await expect(page.getByText('Scan to join')).toHaveCount(0)
    const { data } = await olivia.api.gallery.listPhotos({ event_id: id, page: 1, page_length: 5 })
    await olivia.api.gallery.deletePhoto({ event_photo_id: Number(data[0]?.id) })

    await context.setOffline(false)
    await expect.poll(stored).toBe(1)
    await expect(page.getByText('No connection')).toHaveCount(0)
    await olivia.api.links.revokeLink({ link_id: link.id })
    await expect(page.getByText('This screen was turned off.')).toBeVisible()
    await expect.poll(stored).toBe(0)
  })

  test('shows organizers the newest open link, and a screen its own link as long as that is open', {
    tags: 'slow',
  }, async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    await add(olivia, id, 'Arriving')
    const screens = await olivia.api.links.makeLink({ event_id: id })
    const newest = await olivia.api.links.makeLink({ event_id: id })
    const organizer = await visit({ size: 'desktop' })
    await signIn(organizer.page, olivia)
    await organizer.page.goto(`/events/${id}/wall`)
    await expect(code(organizer.page).locator('img')).toHaveAttribute(
      'src',
      new RegExp(`/j/${newest.link_code}/qr.svg`),
    )

    const screen = await visit({ size: 'desktop' })
    await screen.page.goto(`/j/${screens.link_code}`)
    await joinAs(screen.page, 'Screen')
    await expect(screen.page.getByRole('link', { name: 'Photos', exact: true })).toBeVisible()
    await screen.page.goto(`/events/${id}/wall`)
    await expect(code(screen.page).locator('img')).toHaveAttribute('src', `/j/${screens.link_code}/qr.svg`)
    await olivia.api.links.revokeLink({ link_id: screens.id })
    await screen.page.reload()
    await expect(shown(screen.page)).toBeVisible()
    await expect(code(screen.page)).toHaveCount(0)
    for (const { complaints } of [organizer, screen]) expect(complaints).toEqual([])
  })

  test('shows the PIN of the only link in words, and prints it', async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    await olivia.api.links.makeLink({ event_id: id, pin: '0427' })
    const { page, complaints } = await visit({ size: 'screen', still: true })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/wall`)
    await expect(code(page)).toContainText('PIN 0427')
    await page.goto(`/events/${id}/links`)
    await expect(page.getByText('PIN 0427')).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await expect(page.locator('.print-alone')).toContainText('0427')
    expect(complaints).toEqual([])
  })

  test('is readable from afar, invites before the first photo, names uploaders, and shows portrait photos side by side', {
    tags: 'slow',
  }, async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Midsummer' }))
    await olivia.api.links.makeLink({ event_id: id })
    const { page, complaints } = await visit({ size: 'screen', still: true })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/wall`)
    await expect(page.getByText('The first photo will appear here')).toBeVisible()
    await expectAccessible(page)
    const high = { width: 400, height: 720 }
    await add(olivia, id, 'Cake', high)
    await expect(page.getByText('Olivia Ortega just added a photo')).toBeVisible()
    await add(olivia, id, 'Granny', high)
    await expect(page.getByText('Olivia Ortega just added 2 photos')).toBeVisible()
    await expect(shown(page)).toHaveCount(2, { timeout: 60_000 })
    for (const words of ['Cake', 'Granny']) {
      const text = page.getByText(words, { exact: true })
      expect(await text.evaluate(each => Number.parseFloat(getComputedStyle(each).fontSize))).toBeGreaterThanOrEqual(40)
    }
    const event_programme = [
      { programme_title: 'Lanterns', programme_starts_at: new Date(Date.now() - 60_000).toISOString() },
    ]
    await olivia.api.events.saveEvent(evening({ event_id: id, event_name: 'Midsummer', event_programme }))
    const now = page.getByText('Lanterns')
    await expect(now).toBeVisible()
    expect(await now.evaluate(each => Number.parseFloat(getComputedStyle(each).fontSize))).toBeGreaterThanOrEqual(40)
    const { width = 0 } = (await code(page).locator('img').boundingBox()) ?? {}
    expect(width).toBeGreaterThanOrEqual(320)

    // The wall shows short chat messages, once organizers enable them; no hidden ones, and no replies.
    const { group_chat_id } = await olivia.api.events.readEvent({ event_id: id })
    const say = (message_content: string) => olivia.api.chats.saveMessage({ group_chat_id, message_content })
    await say('To the two of you!')
    const rude = await say('A rude word')
    await olivia.api.chats.hideMessage({ message_id: Number(rude.id) })
    await expect(page.getByText('To the two of you!')).toHaveCount(0)
    await olivia.api.events.saveEvent(evening({ event_id: id, event_name: 'Midsummer', event_greetings_on_wall: true }))
    await expect(page.getByText('To the two of you!')).toBeVisible({ timeout: 60_000 })
    await say('What a night')
    await expect(page.getByText('What a night')).toBeVisible()
    await expect(page.getByText('A rude word')).toHaveCount(0)

    // A hidden photo leaves the wall at once, also from the side.
    const { data } = await olivia.api.gallery.listPhotos({ event_id: id, page: 1, page_length: 2 })
    await olivia.api.gallery.hidePhoto({ event_photo_id: data[0]?.id ?? '' })
    await expect(shown(page)).toHaveCount(1)
    expect(complaints).toEqual([])
  })

  // The full run covers ten hours of a party and its night, otherwise a quarter of an hour.
  test('runs through a night: new photos appear, and memory does not grow', {
    tags: 'slow',
    timeout: 3_600_000,
  }, async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    // At night, more photos than the page keeps in memory.
    for (let at = 0; at < (full ? 70 : 8); at++) await add(olivia, id, `Photo ${at}`, { width: 120, height: 80 })
    const { page, context, complaints } = await visit({ size: 'desktop', still: true })
    let channels = 0
    page.on('websocket', channel => {
      channels++
      channel.on('close', () => channels--)
    })
    await page.clock.install()
    await page.addInitScript(() => {
      const wall = window as typeof window & { pictures?: number }
      wall.pictures = 0
      const { createObjectURL, revokeObjectURL } = URL
      URL.createObjectURL = of => {
        wall.pictures = (wall.pictures ?? 0) + 1
        return createObjectURL.call(URL, of)
      }
      URL.revokeObjectURL = url => {
        wall.pictures = (wall.pictures ?? 0) - 1
        revokeObjectURL.call(URL, url)
      }
    })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/wall`)
    await expect(shown(page)).toBeVisible()
    const cdp = await context.newCDPSession(page)
    const held = async () => {
      await cdp.send('HeapProfiler.collectGarbage')
      const { usedSize } = await cdp.send('Runtime.getHeapUsage')
      const { nodes, jsEventListeners } = await cdp.send('Memory.getDOMCounters')
      return { usedSize, nodes, jsEventListeners }
    }
    await page.evaluate(() => {
      const wall = window as typeof window & { turns?: number }
      wall.turns = 0
      new MutationObserver(changes => {
        for (const { addedNodes } of changes)
          for (const each of addedNodes)
            if (each instanceof Element && each.querySelector('img[alt]:not([alt=""])'))
              wall.turns = (wall.turns ?? 0) + 1
      }).observe(document.body, { childList: true, subtree: true })
    })
    const turned = () => page.evaluate(() => (window as typeof window & { turns?: number }).turns ?? 0)
    /** One jump of the clock ends a photo's time; network events need real time. */
    const pass = async (count: number) => {
      const begun = await turned()
      for (let at = 1; at <= count; at++) {
        await page.clock.fastForward(7000)
        await expect.poll(turned, { intervals: [1, 5, 20, 100] }).toBeGreaterThanOrEqual(begun + at)
      }
      await expect(shown(page)).toBeVisible()
    }
    const turns = full ? 5000 : 120
    await pass(turns / 4)
    const early = await held()
    await context.setOffline(true)
    await pass(turns / 4)
    await context.setOffline(false)
    await add(olivia, id, 'At four in the morning')
    // It appears on arrival, on everybody's clock.
    await expect(shown(page).and(page.getByAltText('At four in the morning'))).toBeVisible({ timeout: 60_000 })
    await pass(turns / 2)
    const late = await held()
    // Each picture is in memory once, and no more than sixty beside the current ones.
    const pictures = await page.evaluate(() => (window as typeof window & { pictures?: number }).pictures)
    expect(pictures).toBeLessThanOrEqual(full ? 63 : 9)
    expect(pictures).toBeGreaterThan(5)
    if (full) console.log('after a quarter of the night, and after it', early, late, await turned())
    expect(late.usedSize).toBeLessThan(early.usedSize * 1.3)
    // A leak per turn would add up to thousands.
    expect(late.nodes).toBeLessThan(early.nodes + 200)
    expect(late.jsEventListeners).toBeLessThan(early.jsEventListeners + 50)
    // After a jump of the clock, a page may consider its channel dead and open another.
    await expect.poll(() => channels).toBe(1)
    expect(complaints.filter(words => !/ERR_|Failed to fetch|WebSocket/.test(words))).toEqual([])
  })
})

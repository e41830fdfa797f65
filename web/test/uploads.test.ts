import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter, type Member } from '../../server/test/cast.ts'
import { filmTool, hasFfmpeg, mp4 } from '../../server/test/films.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser, ffmpeg } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { allSafe, safe, signIn } from './steps.ts'

const tray = (page: Page) => page.getByRole('region', { name: 'Uploading' }).getByRole('status')
const safeOf = async (page: Page) => Number.parseInt((await tray(page).textContent()) ?? '', 10)
const sumOf = (words: string | null) =>
  [...(words ?? '').matchAll(/\d+/g)].reduce((sum, [number]) => sum + Number(number), 0)
const choose = (page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('input[type=file]:not([data-camera])').setInputFiles(files)

needing(browser).describe('an upload of many files', async () => {
  const app = await openTestApp({}, { webClient: await readyClient(), ...(hasFfmpeg && { video: await filmTool() }) })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })
  const album = async (size: 'phone' | 'desktop') => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    const visitor = await visit({ size })
    await signIn(visitor.page, olivia)
    await visitor.page.goto(`/events/${id}/photos`)
    await expect(visitor.page.getByText('No photos yet')).toBeVisible()
    return { olivia, id, ...visitor }
  }
  const photosOf = async ({ api }: Member, event_id: number) =>
    (await api.gallery.listPhotos({ event_id, page: 1, page_length: 100 })).data

  test('survives two network failures with 60 photos: all are safe, and each exists once', {
    tags: 'slow',
  }, async () => {
    const { page, context, olivia, id, complaints } = await album('phone')
    const files = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => ({
        name: `evening-${at + 1}.jpg`,
        mimeType: 'image/jpeg',
        buffer: await jpeg({ width: 96, height: 64, seed: at + 1 }),
      })),
    )
    await choose(page, files)
    await expect.poll(() => safeOf(page)).toBeGreaterThanOrEqual(8)
    await context.setOffline(true)
    await expect(tray(page)).toHaveText(/^\d+ of 60 added\. The rest waits for a connection\.$/)
    const kept = await safeOf(page)
    expect(kept).toBeLessThan(60)
    await context.setOffline(false)

    // The second time it breaks after photos have arrived and before the answers have.
    await expect.poll(() => safeOf(page)).toBeGreaterThan(kept)
    // After a reload, the sent photos still count.
    await page.reload()
    await expect(tray(page)).toHaveText(/^\d+ of 60 added/)
    let lost = 0
    await page.route('**/api/gallery/upload**', async route => {
      if (route.request().method() === 'POST' && (await route.fetch()).ok()) lost += 1
      await route.abort('connectionreset')
    })
    await expect.poll(() => lost).toBeGreaterThanOrEqual(2)
    await context.setOffline(true)
    await page.unrouteAll({ behavior: 'wait' })
    await expect(tray(page)).toHaveText(/waits for a connection/)
    await context.setOffline(false)

    // Photos with a lost answer already existed when the page asked again.
    await expect(tray(page)).toHaveText(allSafe, { timeout: 90_000 })
    expect(sumOf(await tray(page).textContent())).toBe(60)
    expect(new Set((await photosOf(olivia, id)).map(photo => photo.id)).size).toBe(60)
    // The album was empty at the last count of its photos.
    await expect(page.getByText('60 photos', { exact: true })).toBeVisible()
    await page.reload()
    await expect(page.locator('[data-photo]').first()).toBeVisible()
    await expect(tray(page)).toHaveCount(0)
    expect(complaints.filter(words => !/ERR_|Failed to fetch/.test(words))).toEqual([])
  })

  test('counts and sends a photo once over a reload between its safety and its removal here', {
    tags: 'slow',
  }, async () => {
    const { page, id, complaints } = await album('phone')
    await page.addInitScript(() => {
      if (sessionStorage.getItem('deletes')) return
      IDBObjectStore.prototype.delete = () => {
        throw new Error('the page is gone')
      }
    })
    await page.reload()
    let requests = 0
    page.on('request', request => {
      if (request.method() === 'POST' && request.url().includes('/api/gallery/upload')) requests += 1
    })
    const name = (at: number) => ({ name: `${at}.jpg`, mimeType: 'image/jpeg' })
    const files = [1, 2, 3].map(async at => ({ ...name(at), buffer: await jpeg({ width: 90, height: 60, seed: at }) }))
    await choose(page, await Promise.all(files))
    await expect(tray(page)).toHaveText(safe(3))
    const sent = requests
    await page.evaluate(() => sessionStorage.setItem('deletes', 'yes'))
    await page.reload()
    await expect(page.locator('[data-photo]')).toHaveCount(3)
    await expect(tray(page)).toHaveCount(0)
    // The remaining files have been read, and would be sent by then.
    await page.waitForTimeout(2000)
    expect(requests).toBe(sent)
    await page.goto(`/events/${id}/photos`)
    await expect(tray(page)).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  needing(ffmpeg).test('includes a film that plays and a phone’s HEIC that everybody sees', async () => {
    const { page, olivia, id, complaints } = await album('desktop')
    const heic = readFileSync(new URL('../../server/test/fixtures/phone.heic', import.meta.url))
    await choose(page, [
      // Most browsers know no type for HEIC.
      { name: 'IMG_2041.HEIC', mimeType: '', buffer: heic },
      { name: 'first dance.mp4', mimeType: 'video/mp4', buffer: await mp4({ width: 320, height: 180, seconds: 3 }) },
    ])
    await expect(tray(page)).toHaveText(safe(2), { timeout: 60_000 })
    expect(await photosOf(olivia, id)).toHaveLength(2)

    // The browser drew the still of the film; both have a picture in the album.
    for (const picture of await page.locator('[data-photo] img[loading]').all())
      await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

    await page.locator('[data-photo]').filter({ hasText: 'Video' }).click()
    const playing = page.getByRole('dialog').locator('video')
    await expect(playing).toBeVisible({ timeout: 60_000 })
    await playing.evaluate((video: HTMLVideoElement) => video.play())
    await expect.poll(() => playing.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0)
    expect(await playing.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBe(320)
    await page.keyboard.press('Escape')

    await page.locator('[data-photo]').filter({ hasNotText: 'Video' }).click()
    const large = page.getByRole('dialog').getByRole('img', { name: 'Photo by Olivia Ortega' }).first()
    await expect.poll(() => large.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    expect(complaints).toEqual([])
  })
})

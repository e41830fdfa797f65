import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { newFolder } from '../../server/test/new-folder.ts'
import { evening } from '../../server/test/party.ts'
import { padded } from '../../server/test/picture-blocks.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

const folder = newFolder('tabs')

/** Only a file on disk is bound to the process that chose it. */
const onDisk = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const path = join(folder, `evening-${at}.jpg`)
      await writeFile(path, padded(await jpeg({ width: 96, height: 64, seed: 300 + at }), 400_000))
      return path
    }),
  )
const status = (page: Page) => page.getByRole('region', { name: 'Uploading' }).getByRole('status')

needing(browser).describe('an upload that two tabs show', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })
  const files = await onDisk(12)

  test('disappears from the other when the tab that could not store its files is closed', async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    const { page: one, context } = await visit({ size: 'desktop' })
    await signIn(one, olivia)
    await one.addInitScript(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      }
    })
    const other = await context.newPage()
    for (const page of [one, other]) {
      await page.goto(`/events/${id}/photos`)
      await expect(page.getByText('No photos yet')).toBeVisible()
    }
    // Both tabs know the waiting files; only one of them could send them.
    await one.route('**/api/gallery/upload*', route => route.abort())
    await one.locator('input[type=file]:not([data-camera])').setInputFiles(files.slice(0, 2))
    await expect(status(other)).toHaveText(/of 2 added/)
    await expect(one.getByText('Keep this page open')).toBeVisible()
    await one.close()
    await expect(other.getByRole('region', { name: 'Uploading' })).toHaveCount(0)
    expect((await olivia.api.gallery.listPhotos({ event_id: id, page: 1, page_length: 10 })).data).toEqual([])
  })

  test.each([
    ['closed', (page: Page) => page.close()],
    ['reloaded', (page: Page) => page.reload()],
    ['left', (page: Page) => page.goto('about:blank')],
  ])('continues in the other when the one that chose the files is %s', { tags: 'slow' }, async (_, end) => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    const photos = async () => (await olivia.api.gallery.listPhotos({ event_id: id, page: 1, page_length: 100 })).data
    const { page: one, context } = await visit({ size: 'desktop' })
    await signIn(one, olivia)
    await one.goto(`/events/${id}/photos`)
    await one.evaluate(() => navigator.serviceWorker.ready)
    await one.reload()
    const other = await context.newPage()
    let crashed = false
    other.on('crash', () => {
      crashed = true
    })
    await other.addInitScript(() => {
      const heard = new BroadcastChannel('afterglow.uploads')
      heard.onmessage = ({ data }) => {
        const values = (data.changed ?? []).flatMap((upload: object) => Object.values(upload))
        if (values.some((value: unknown) => value instanceof Blob)) Object.assign(window, { toldBytes: true })
      }
    })
    await other.goto(`/events/${id}/photos`)
    for (const page of [one, other]) await expect(page.getByText('No photos yet')).toBeVisible()
    expect(await one.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    // A phone's network, so that most files are still waiting when the tab closes.
    const network = await context.newCDPSession(one)
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 50,
      downloadThroughput: 1e6,
      uploadThroughput: 300_000,
    })
    await one.locator('input[type=file]:not([data-camera])').setInputFiles(files)
    await expect(status(other)).toHaveText(/of 12 added/)
    await expect.poll(async () => (await photos()).length, { intervals: [50] }).toBeGreaterThan(1)
    await end(one)
    await expect.poll(async () => [crashed, (await photos()).length]).toEqual([false, 12])
    expect(await other.evaluate(() => 'toldBytes' in window)).toBe(false)
    expect(new Set((await photos()).map(photo => photo.id)).size).toBe(12)
  })
})

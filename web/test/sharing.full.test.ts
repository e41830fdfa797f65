import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

needing(browser).describe('photos shared from another app', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })

  test('arrive through the system’s share sheet, and go into the album of the chosen event', async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
    await bringIn(olivia, id, gus)
    const { page, complaints } = await visit()
    await signIn(page, gus)
    await page.goto('/events')
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
    // The system's share request, as the manifest defines it.
    await page.evaluate(() => {
      const form = document.body.appendChild(document.createElement('form'))
      Object.assign(form, { action: '/share', method: 'post', enctype: 'multipart/form-data', id: 'shared' })
      const files = form.appendChild(document.createElement('input'))
      Object.assign(files, { type: 'file', name: 'photos', multiple: true })
    })
    const photo = async (seed: number) => ({
      name: `Täble ${seed}.jpg`,
      mimeType: 'image/jpeg',
      buffer: Buffer.from(await jpeg({ width: 320, height: 240, seed })),
    })
    await page.locator('#shared input').setInputFiles([await photo(1), await photo(2)])
    await page.evaluate(() => (document.querySelector('#shared') as HTMLFormElement).submit())
    await expect(page.getByText('Where should the 2 photos go?')).toBeVisible()
    await page.getByRole('button', { name: 'Lanterns' }).click()
    await expect(page).toHaveURL(new RegExp(`/events/${id}/photos$`))
    await expect(page.locator('[data-photo]')).toHaveCount(2)
    // The shared files are offered once: a second visit finds nothing.
    await page.goto('/share')
    await expect(page.getByText('No photos were shared')).toBeVisible()
    expect(complaints).toEqual([])
  })
})

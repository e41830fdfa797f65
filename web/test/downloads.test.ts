import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import * as yauzl from 'yauzl'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { avif, jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

const namesIn = async (path: string) => {
  const zip = await yauzl.fromBufferPromise(await readFile(path))
  const names = []
  for await (const { fileName } of zip.eachEntry()) names.push(fileName.split(' ').slice(2).join(' '))
  return names
}
const saved = async (page: Page, act: () => Promise<unknown>) => {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), path: await download.path() }
}

needing(browser).describe('downloading photos', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  test('offers an album in two sizes with their weights; a selection as one file; one photo in full', {
    tags: 'slow',
  }, async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
    await bringIn(olivia, id, gus)
    for (const [at, by] of [olivia, gus, gus].entries()) {
      const file = await jpeg({ width: 2600, height: 1800, grain: 8, seed: 900 + at })
      const image = new File([new Uint8Array(file)], `DSC_${at}.JPG`)
      await by.api.gallery.uploadPhoto({ event_id: id, image })
    }
    const { page, complaints } = await visit({ size: 'desktop', still: true })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/photos`)

    const dialog = page.getByRole('dialog', { name: 'Download photos' })
    const full = dialog.getByRole('button', { name: /^Full size \([\d.,]+ MB\)$/ })
    const screens = dialog.getByRole('button', { name: /^Smaller, for sharing \([\d.,]+ [kM]B\)$/ })
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await expect(full).toBeVisible()
    await expectAccessible(page)
    const whole = await saved(page, () => full.click())
    expect(whole.name).toBe('Lanterns.zip')
    expect(await namesIn(whole.path)).toEqual(['Olivia DSC_0.jpg', 'Gus DSC_1.jpg', 'Gus DSC_2.jpg'])

    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await dialog.getByRole('tab', { name: 'Mine' }).click()
    expect(await namesIn((await saved(page, () => screens.click())).path)).toEqual(['Olivia DSC_0.jpg'])

    await page.getByRole('button', { name: 'Select' }).click()
    const selection = page.getByRole('region', { name: 'Select' })
    for (const at of [0, 1]) await page.locator('button[aria-pressed]').nth(at).click()
    await selection.getByRole('button', { name: 'Download' }).click()
    expect(await namesIn((await saved(page, () => full.click())).path)).toEqual(['Gus DSC_1.jpg', 'Gus DSC_2.jpg'])
    await selection.getByRole('button', { name: 'Cancel' }).click()

    await page.locator('[data-photo]').first().click()
    const saving = page.getByRole('button', { name: /^Download full size \([\d.,]+ MB\)$/ })
    expect((await saved(page, () => saving.click())).name).toBe('DSC_2.jpg')
    expect(complaints).toEqual([])
  })

  test('offers an album once, with its weight, if no size makes it lighter', async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Small' }))
    const image = new Blob([new Uint8Array(await avif({ width: 500, height: 400, seed: 950 }))])
    await olivia.api.gallery.uploadPhoto({ event_id: id, image })
    const { page } = await visit({ still: true })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/photos`)
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Download photos' })
    const only = dialog.getByRole('button', { name: /^Download \([\d.,]+ [kM]B\)$/ })
    await expect(only).toBeVisible()
    await expect(dialog.getByRole('button', { name: /^Smaller, for sharing/ })).toHaveCount(0)
    expect((await saved(page, () => only.click())).name).toBe('Small.zip')
  })
})

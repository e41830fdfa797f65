import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { raw } from '../../server/test/raw.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { messageOf, signIn } from './steps.ts'

const megabyte = 1024 * 1024
const picture = async (name: string, { seed = 1, bytes = 0 } = {}) => {
  const small = await jpeg({ width: 96, height: 64, seed })
  const buffer = Buffer.concat([small, Buffer.alloc(Math.max(bytes - small.length, 0))])
  return { name, mimeType: 'image/jpeg', buffer }
}
const choose = (page: Page, files: Awaited<ReturnType<typeof picture>>[]) =>
  page.locator('input[type=file]:not([data-camera])').setInputFiles(files)

needing(browser).describe('a picture over the limit', async () => {
  const app = await openTestApp(
    { attachmentBytesMax: megabyte, photoBytesMax: 2 * megabyte, rawBytesMax: 3 * megabyte },
    { webClient: await readyClient() },
  )
  const { visit } = openBrowser(app.url)
  const olivia = await enter(app, 'olivia')
  const { id } = await olivia.api.events.saveEvent(evening())
  const attachment = await picture('lake.jpg', { bytes: megabyte + 1 })
  /**
   * `told`: the service has answered how large a file may be; otherwise a fast user has sent it long before that is
   * known.
   */
  const open = async (path: string, { locale = 'en', told = true } = {}) => {
    const visitor = await visit({ locale })
    if (!told) await visitor.page.route('**/upload/limits?*', route => sleep(2000).then(() => route.abort()))
    await signIn(visitor.page, olivia)
    await visitor.page.goto(path)
    return visitor
  }

  test('is left out of a message, which is sent with the others', { tags: 'slow' }, async () => {
    const { page, complaints } = await open(`/events/${id}/chat`)
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
    await choose(page, [await picture('one.jpg'), attachment, await picture('two.jpg', { seed: 2 })])
    await expect(page.getByText('lake.jpg: This file is too big. The limit is 1 MB.').first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^Remove photo/ })).toHaveCount(2)
    await page.getByRole('textbox', { name: 'Caption' }).fill('At the lake')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(messageOf(page, 'At the lake').getByRole('button', { name: /^Open photo/ })).toHaveCount(2)
    expect(complaints).toEqual([])
  })

  test('is left out of the album: 13 of 14 are safe, and the reason is shown', { tags: 'slow' }, async () => {
    const { page, complaints } = await open(`/events/${id}/photos`)
    await expect(page.getByText('No photos yet')).toBeVisible()
    const good = await Promise.all(Array.from({ length: 13 }, (_, seed) => picture(`${seed}.jpg`, { seed })))
    const big = await picture('lake.jpg', { bytes: 2 * megabyte + 1 })
    await choose(page, [...good.slice(0, 5), big, ...good.slice(5)])
    const tray = page.getByRole('region', { name: 'Uploading' })
    await expect(tray.getByRole('status')).toHaveText('13 photos added')
    await expect(tray.getByText('lake.jpg: This file is too big. The limit is 2 MB.')).toBeVisible()
    await expect(page.locator('[data-photo]')).toHaveCount(13)
    await tray.getByRole('button', { name: 'Show each file' }).click()
    await expect(tray.getByRole('listitem').first()).toContainText('lake.jpg')
    expect(complaints).toEqual([])
  })

  test('that is a RAW is left out, and its JPEG is sent; the dialog says who may have a RAW', {
    tags: 'slow',
  }, async () => {
    const { page, complaints } = await open(`/events/${id}/photos`)
    const rawOf = (name: string, bytes: Buffer) => ({ name, mimeType: '', buffer: Buffer.from(bytes) })
    const preview = await jpeg({ seed: 81 })
    await expect(page.getByRole('button', { name: 'Add photos' })).toBeVisible()
    await page.evaluate(() => localStorage.setItem('afterglow.uploads.paused', 'yes'))
    await page.reload()
    await choose(page, [
      await picture('DSC_1.JPG', { seed: 82 }),
      rawOf('DSC_1.NEF', raw('nef', { preview, noise: 1.6 * megabyte })),
      await picture('DSC_2.JPG', { seed: 83 }),
      rawOf('DSC_2.NEF', raw('nef', { preview, noise: 1.1 * megabyte })),
      await picture('DSC_3.JPG', { seed: 84 }),
      rawOf('DSC_3.NEF', Buffer.from('no RAW')),
    ])
    const tray = page.getByRole('region', { name: 'Uploading' })
    await expect(tray.getByText('You and the hosts can download them')).toBeVisible()
    await tray.getByRole('button', { name: 'Resume' }).click()
    await expect(tray.getByRole('status')).toHaveText('3 photos added')
    await expect(tray.getByRole('listitem').filter({ hasText: 'DSC_1.NEF' })).toContainText('The limit is 3 MB.')
    await expect(tray.getByRole('listitem').filter({ hasText: 'DSC_3.NEF' })).toBeVisible()
    const { data } = await olivia.extra.gallery.listPhotos({ event_id: id, page: 1, page_length: 3 })
    const raws = data.map(({ extra }) => [extra?.original?.name, extra?.raw?.name])
    expect(raws.sort()).toEqual([
      ['DSC_1.jpg', undefined],
      ['DSC_2.jpg', 'DSC_2.nef'],
      ['DSC_3.jpg', undefined],
    ])
    await page.getByRole('button', { name: 'Download', exact: true }).first().click()
    await expect(page.getByText('1 RAW files in full size. They contain the location.')).toBeVisible()
    expect(complaints).toEqual([])
  })

  test.each([
    { whose: 'one’s own', path: '/settings/profile', saved: 'Saved' },
    { whose: 'an event’s', path: `/events/${id}/edit`, saved: 'Midsummer at the lake' },
  ])('is not accepted for $whose, and another is', { tags: 'slow' }, async ({ path, saved }) => {
    const { page, complaints } = await open(path)
    await expect(page.getByRole('button', { name: 'Choose photo' })).toBeVisible()
    await choose(page, [attachment])
    const problem = page.getByText('This file is too big. The limit is 1 MB.')
    await expect(problem).toBeVisible()
    await choose(page, [await picture('small.jpg')])
    await expect(problem).toHaveCount(0)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(saved).first()).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('is refused by the service if the client did not know the limit, in the same words', async () => {
    const unasked = { locale: 'de', told: false }
    const said = (most: number) => `Diese Datei ist zu groß. Möglich sind höchstens ${most} MB.`
    const profile = await open('/settings/profile', unasked)
    await expect(profile.page.getByRole('button', { name: 'Foto wählen' })).toBeVisible()
    await choose(profile.page, [attachment])
    await profile.page.getByRole('button', { name: 'Speichern' }).click()
    await expect(profile.page.getByText(said(1))).toBeVisible()

    const chat = await open(`/events/${id}/chat`, unasked)
    await expect(chat.page.getByRole('textbox', { name: 'Nachricht' })).toBeVisible()
    await choose(chat.page, [attachment])
    await chat.page.getByRole('button', { name: 'Senden' }).click()
    await expect(chat.page.getByRole('alert').filter({ hasText: said(1) })).toBeVisible()

    const album = await open(`/events/${id}/photos`, unasked)
    await expect(album.page.getByRole('heading', { level: 1 })).toBeVisible()
    await choose(album.page, [await picture('see.jpg', { bytes: 2 * megabyte + 1 })])
    await expect(album.page.getByText(`see.jpg: ${said(2)}`)).toBeVisible()
    for (const { complaints } of [profile, chat, album]) expect(complaints).toEqual([])
  })
})

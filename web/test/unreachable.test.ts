import { expect as expectNow, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { later } from '../../server/test/later.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { messageOf, signIn } from './steps.ts'

needing(browser).describe('an organizer', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'block' })
  const elsewhere = openBrowser(named(app.url), { serviceWorkers: 'block' })

  test('gets no code, print or wall code for an address that phones cannot reach, and reads which setting to change', {
    tags: 'slow',
  }, async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
    await olivia.api.links.makeLink({ event_id: id })
    const { page, complaints } = await visit({ size: 'desktop' })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/links`)
    await page.getByRole('button', { name: /^Guests/ }).click()
    await expect(page.getByText('Phones can’t open this address')).toBeVisible()
    await expect(page.getByText(/127\.0\.0\.1:\d+ only works on this computer\..*PUBLIC_URL/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Print' })).toHaveCount(0)
    await expect(page.getByRole('img', { name: 'QR code that leads to Lanterns' })).toHaveCount(0)
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await page.waitForTimeout(300)
    await expect(page.locator('.print-alone')).toHaveCount(0)
    const links = later(page.waitForResponse(/\/wall\//))
    await page.goto(`/events/${id}/wall`)
    await links
    await page.waitForTimeout(500)
    await expect(page.getByText('Scan to join')).toHaveCount(0)
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Add a device' }).click()
    await expect(page.getByRole('dialog').getByText('Phones can’t open this address')).toBeVisible()

    const guest = await elsewhere.visit({ size: 'desktop' })
    await signIn(guest.page, olivia)
    await guest.page.goto(`/events/${id}/links`)
    await guest.page.getByRole('button', { name: /^Guests/ }).click()
    await expect(guest.page.getByRole('img', { name: 'QR code that leads to Lanterns' })).toBeVisible()
    for (const each of [complaints, guest.complaints]) expectNow(each).toEqual([])
  })

  test('who hides a photo or a message reads so at once, and undoes it with a tap', async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const image = new Blob([new Uint8Array(await jpeg({ width: 640, height: 480, seed: 91 }))])
    const photo = await gus.api.gallery.uploadPhoto({ event_id: id, image })
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Not for here' })
    const { page, complaints } = await visit({ still: true })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/photos/${photo.id}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Hide from guests' }).click()
    const said = page.getByText('Hidden. Only hosts can see it.').first()
    await expect(said).toBeVisible()
    await expect(page.getByRole('dialog').getByText('Hidden by a host')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Everyone can see it again.').first()).toBeVisible()
    await expect(page.getByRole('dialog').getByText('Hidden by a host')).toHaveCount(0)
    expectNow((await gus.extra.gallery.readPhoto({ event_photo_id: photo.id })).extra?.hidden).toBe(false)

    await page.goto(`/events/${id}/chat`)
    await messageOf(page, 'Not for here').getByRole('button', { name: 'Reactions and more' }).click()
    await page.getByRole('menuitem', { name: 'Hide from guests' }).click()
    await expect(said).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Everyone can see it again.').first()).toBeVisible()
    expectNow(complaints).toEqual([])
  })
})

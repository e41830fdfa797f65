import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { png } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { messageOf, signIn, write } from './steps.ts'

const weekMs = 7 * 24 * 60 * 60_000

needing(browser).describe('a tab that slept for a week', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })

  test('shows what happened meanwhile, renews its session, and sends new messages', async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const { page, context, complaints } = await visit({ still: true })
    await page.clock.install()
    await signIn(page, gus)
    await page.goto(`/events/${id}/chat`)
    await write(page, 'Good night')
    await expect(page.getByText('sending')).toHaveCount(0)
    const album = await context.newPage()
    await album.goto(`/events/${id}/photos`)
    await expect(album.getByText('No photos yet')).toBeVisible()
    await context.setOffline(true)
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Good morning' })
    await olivia.api.gallery.uploadPhoto({ event_id: id, image: new Blob([await png({ width: 240, height: 160 })]) })
    await page.clock.fastForward(weekMs)
    await expect(page.getByText('You’re offline. You can still read what you’ve opened.')).toBeVisible()
    await expect(messageOf(page, 'Good morning')).toHaveCount(0)
    await context.setOffline(false)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(messageOf(page, 'Good morning')).toBeVisible()
    await expect(album.locator('[data-photo]')).toHaveCount(1)
    await write(page, 'I am awake')
    await expect(page.getByText('sending')).toHaveCount(0)
    await expect(messageOf(page, 'I am awake')).toBeVisible()
    await expect
      .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('afterglow.session') ?? '{}').token))
      .not.toBe(gus.token)
    expect(complaints.filter(words => !/ERR_|Failed to fetch/.test(words))).toEqual([])
  })
})

import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { later } from '../../server/test/later.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { write } from './steps.ts'

const hourMs = 60 * 60_000

needing(browser).describe('a phone with a wrong clock', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  test.each([
    ['an hour ahead', hourMs],
    ['an hour behind', -hourMs],
    ['a day ahead', 24 * hourMs],
  ])('%s signs in, writes, receives and sends a photo like any other', async (_, offMs) => {
    const olivia = await enter(app, 'olivia')
    const gus = await enter(app, 'gus')
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)

    const { page, complaints } = await visit()
    await page.clock.install({ time: Date.now() + offMs })
    await page.goto('/sign-in')
    await page.getByLabel('E-mail or username').fill(gus.username)
    await page.getByLabel('Password').fill(gus.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible()

    await page.goto(`/events/${id}/chat`)
    await write(page, 'Where are you all?')
    const said = async () => {
      const { data } = await olivia.api.chats.listMessages({ group_chat_id, page: 1, page_length: 10 })
      return data.map(({ message_content }) => message_content)
    }
    // Drawn before it is sent.
    await expect.poll(said).toEqual(['Where are you all?'])
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'At the pier' })
    await expect(page.getByText('At the pier')).toBeVisible()
    expect(await said()).toEqual(['At the pier', 'Where are you all?'])

    await page.goto(`/events/${id}/photos`)
    const choosing = later(page.waitForEvent('filechooser'))
    await page.getByRole('button', { name: 'Add photos' }).first().click()
    const buffer = Buffer.from(await jpeg({ width: 320, height: 240, seed: offMs }))
    await (await choosing).setFiles([{ name: 'one.jpg', mimeType: 'image/jpeg', buffer }])
    await expect(page.locator('[data-photo]')).toHaveCount(1)

    // Others' acts are never in the future.
    const [photo] = (await olivia.api.gallery.listPhotos({ event_id: id, page: 1, page_length: 1 })).data
    await olivia.api.gallery.saveComment({ event_photo_id: Number(photo?.id), event_photo_comment: 'Lovely' })
    await page.goto('/notifications')
    await expect(page.getByText(/commented/)).toBeVisible()
    await expect(page.locator('main')).not.toContainText(/\bin (?:an?|\d+) ?(?:hr|hour|h)\b/)
    expect(complaints).toEqual([])
  })
})

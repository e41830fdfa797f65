import { describe, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { evening } from '../../server/test/party.ts'
import { expect, hasBrowser, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { isKept, messageOf, signIn, write } from './steps.ts'

describe.skipIf(!hasBrowser)('a browser whose database', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  test('never answers shows the page nevertheless, and what comes later', { timeout: 60_000 }, async () => {
    const olivia = await enter(app, 'olivia')
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    const { page, complaints } = await visit()
    await signIn(page, olivia)
    await page.goto(`/events/${id}/chat`)
    await write(page, 'Bring a lantern')
    await expect(page.getByText('sending')).toHaveCount(0)
    await expect.poll(() => isKept(page, 'Bring a lantern')).toBe(true)
    await page.addInitScript(() => {
      // As where another page holds it.
      IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
    })
    await page.reload()
    await expect(messageOf(page, 'Bring a lantern')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'And a blanket' })
    await expect(messageOf(page, 'And a blanket')).toBeVisible()
    expect(complaints).toEqual([])
  })
})

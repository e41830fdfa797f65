import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { isKept, joinAs, messageOf, signIn, write } from './steps.ts'

needing(browser).describe('a browser whose storage', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })

  test('never answers shows the page nevertheless, and later updates', async () => {
    const olivia = await enter(app, 'olivia')
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    const { page, complaints } = await visit()
    await signIn(page, olivia)
    await page.goto(`/events/${id}/chat`)
    await write(page, 'Bring a lantern')
    await expect(page.getByText('sending')).toHaveCount(0)
    await expect.poll(() => isKept(page, 'Bring a lantern')).toBe(true)
    await page.addInitScript(() => {
      // Simulates another page that holds the database.
      IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
    })
    await page.reload()
    await expect(messageOf(page, 'Bring a lantern')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'And a blanket' })
    await expect(messageOf(page, 'And a blanket')).toBeVisible()
    expect(complaints).toEqual([])
  })

  /** A browser that blocks cookies, and one whose storage is full. */
  const faults = {
    'is forbidden': () => {
      const get = () => {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      }
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
        Object.defineProperty(window, name, { get, configurable: true })
    },
    'is full': () => {
      Storage.prototype.setItem = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      }
    },
  }
  test.each(Object.entries(faults))('%s lets users join, write and navigate all the same', async (_, fault) => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns', event_visibility: 2 }))
    const { link_code } = await olivia.api.links.makeLink({ event_id: id })
    const { page, complaints } = await visit()
    await page.addInitScript(fault)
    await page.goto(`/j/${link_code}`)
    await joinAs(page, 'Anna')
    await expect(page.getByRole('heading', { name: 'You’re in, Anna!' })).toBeVisible()
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await write(page, 'Bring a lantern')
    await expect(messageOf(page, 'Bring a lantern')).toBeVisible()
    await expect(page.getByText('sending')).toHaveCount(0)
    expect(complaints).toEqual([])
  })
})

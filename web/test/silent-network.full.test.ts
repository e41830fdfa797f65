import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { openSilentProxy } from '../../server/test/silent-proxy.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { messageOf, signIn, write } from './steps.ts'

needing(browser).describe('a network that falls silent without closing a connection', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })

  // A browser may keep several such connections, and tries one after the other.
  test('delays neither a message nor others’ messages for good', { timeout: 300_000 }, async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const network = await openSilentProxy(Number(new URL(app.url).port))
    const { page } = await visit({ size: 'phone' })
    await signIn(page, gus)
    await page.goto(`http://127.0.0.1:${network.port}/events/${id}/chat`)
    await write(page, 'In the open')
    await expect(page.getByText('sending')).toHaveCount(0)
    network.silence()
    await write(page, 'In the cellar')
    await expect(page.getByText('sending')).toHaveCount(1)
    network.goOn()
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Where are you?' })
    await expect(page.getByText('sending')).toHaveCount(0, { timeout: 150_000 })
    await expect(messageOf(page, 'Where are you?')).toBeVisible({ timeout: 100_000 })
    const { data } = await olivia.api.chats.listMessages({ group_chat_id, page: 1, page_length: 10 })
    expect(data.map(({ message_content }) => message_content)).toEqual([
      'In the cellar',
      'Where are you?',
      'In the open',
    ])
  })
})

import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

needing(browser).describe('a page in long use', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })

  test('frees the memory of pages, photos and dialogs that were closed', async () => {
    const olivia = await enter(app, 'olivia')
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    for (const seed of [1, 2, 3]) {
      const image = new Blob([new Uint8Array(await jpeg({ width: 600, height: 400, seed }))])
      await olivia.api.gallery.uploadPhoto({ event_id: id, image })
      await olivia.api.chats.saveMessage({ group_chat_id, message_content: `Message ${seed}` })
    }
    const { page, context, complaints } = await visit({ still: true })
    await signIn(page, olivia)
    const cdp = await context.newCDPSession(page)
    await cdp.send('Performance.enable')
    const held = async () => {
      await cdp.send('HeapProfiler.collectGarbage')
      const { metrics } = await cdp.send('Performance.getMetrics')
      const of = (name: string) => metrics.find(metric => metric.name === name)?.value ?? 0
      return { nodes: of('Nodes'), listeners: of('JSEventListeners') }
    }
    const round = async (at: number) => {
      await page.getByRole('link', { name: /lake/ }).first().click()
      await page.getByRole('link', { name: 'Photos', exact: true }).click()
      await page
        .locator('[data-photo]')
        .nth(at % 3)
        .click()
      await page.getByRole('button', { name: /^Comments and details/ }).click()
      await page.getByRole('textbox', { name: 'Add a comment' }).waitFor()
      await page.goBack()
      await page.goBack()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await page.goBack()
      await page.getByRole('link', { name: 'Chat', exact: true }).click()
      await page.getByRole('textbox', { name: 'Message' }).waitFor()
      await page.goBack()
      await page.getByRole('link', { name: 'Photos', exact: true }).waitFor()
      await page.goBack()
    }
    await page.goto('/events')
    for (let at = 0; at < 4; at++) await round(at)
    // The last page's garbage is collected a moment later.
    await expect.poll(async () => (await held()).nodes).toBeLessThan(1000)
    const before = await held()
    for (let at = 0; at < 10; at++) await round(at)
    await expect.poll(async () => (await held()).nodes).toBeLessThan(before.nodes + 100)
    expect((await held()).listeners).toBeLessThan(before.listeners + 20)
    expect(complaints).toEqual([])
  })
})

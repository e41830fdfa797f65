import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

/* Runs with the rate limits of a real instance. */

needing(browser).describe('a user who opens page after page', async () => {
  const app = await openTestApp({ rateFactor: 1 }, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })

  test('in two browsers hits no limit, counts as active within them, and misses nothing', {
    tags: 'slow',
  }, async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const [{ page }, other] = [await visit(), await visit({ size: 'desktop' })]
    const refused: string[] = []
    let told = 0
    for (const each of [page, other.page]) {
      await signIn(each, olivia)
      each.on('response', reply => {
        if (reply.status() === 429) refused.push(reply.url())
        if (reply.url().includes('realtime/ping') && reply.ok()) told += 1
      })
    }
    const pages = [
      '/events',
      `/events/${id}`,
      `/events/${id}/chat`,
      '/chats',
      '/notifications',
      '/settings',
      '/friends',
    ]
    for (let number = 0; number < 25; number++) {
      const at = pages[number % pages.length] ?? '/'
      await Promise.all([page.goto(at), other.page.goto(at)])
      // The channel is connected by then, and the page reports that it is active.
      await page.waitForTimeout(700)
    }
    expect(told).toBeGreaterThan(3)
    // Too early to count as active again, so the notification is not sent to the page, which finds it once it is
    // active.
    await page.goto('/notifications')
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Where are you?' })
    await expect(page.getByText('Where are you?')).toBeVisible({ timeout: 60_000 })
    expect(refused).toEqual([])
  })

  test('finds the header and the back link of a chat that fails to load, and it loads by itself', async () => {
    const olivia = await enter(app, 'olivia')
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Here I am' })
    const { page } = await visit()
    await signIn(page, olivia)
    let away = true
    await page.route(/\/api\/message\/list/, route =>
      away
        ? route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { message: 'Too Many Attempts.' } })
        : route.fallback(),
    )
    await page.goto(`/events/${id}/chat`)
    await expect(page.getByRole('heading', { name: 'Lanterns' })).toBeVisible()
    await expect(page.getByText('We’ll keep trying.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Back' })).toBeVisible()
    away = false
    await expect(page.getByText('Here I am')).toBeVisible()
  })

  test('is told of an outage by a line that covers nothing', async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
    const { page, context } = await visit()
    await signIn(page, olivia)
    for (const path of ['/events', `/events/${id}`, `/events/${id}/chat`, '/settings']) {
      await page.goto(path)
      await expect(page.getByRole('heading').first()).toBeVisible()
      await context.setOffline(true)
      const line = page.getByText('You’re offline. You can still read what you’ve opened.')
      await expect(line).toBeVisible()
      const covered = await line.evaluate(element => {
        const bottom = element.getBoundingClientRect().bottom
        const heading = document.querySelector('h1')?.getBoundingClientRect()
        const last = document.querySelector('textarea, nav:not(.max-lg\\:hidden)')?.getBoundingClientRect()
        return { heading: (heading?.top ?? 0) < bottom, last: (last?.bottom ?? 0) > innerHeight + 1 }
      })
      expect([path, covered]).toEqual([path, { heading: false, last: false }])
      await context.setOffline(false)
      await expect(line).toHaveCount(0)
    }
  })
})

import { expect, type Locator } from '@playwright/test'
import { describe, test } from 'vitest'
import { enter } from '../../server/test/cast.ts'
import { openNotifiedApp } from '../../server/test/notified.ts'
import { evening } from '../../server/test/party.ts'
import { hasBrowser, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { messageOf, signIn } from './steps.ts'

describe.skipIf(!hasBrowser)('a first load', async () => {
  const { app } = await openNotifiedApp({ webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  test('what was asked for early is what the page needs, and is not asked for twice', async () => {
    const olivia = await enter(app, 'olivia')
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Bring a lantern' })
    const { page, complaints } = await visit()
    await signIn(page, olivia)
    let asked: string[] = []
    page.on('request', request => {
      if (request.isNavigationRequest()) asked = []
      asked.push(request.url().slice(app.url.length))
    })
    // The channel, which has everything loaded anew, comes later.
    await page.route('**/following-*.js', () => {})
    const waiting = () =>
      page.evaluate(() => [...((globalThis as { afterglowEarly?: Map<string, unknown> }).afterglowEarly?.keys() ?? [])])
    const opens = async (path: string, shown: Locator, early: string[]) => {
      await page.goto(path)
      await expect(shown).toBeVisible()
      for (const url of early.map(each => `/api/${each}include=extra`))
        expect([url, asked.filter(each => each === url).length]).toEqual([url, 1])
      expect(await waiting()).toEqual([])
    }
    await opens(`/events/${id}/chat`, messageOf(page, 'Bring a lantern'), [
      `event/details/${id}?`,
      `message/group/${group_chat_id}?`,
      `message/list?group_chat_id=${group_chat_id}&page=1&page_length=50&`,
    ])
    await opens(`/events/${id}`, page.getByRole('heading', { level: 1 }), [`event/details/${id}?`])
    await opens(`/events/${id}/photos`, page.getByText('No photos yet'), [
      `event/details/${id}?`,
      `gallery/photos/${id}?sort=newest&page=1&page_length=60&`,
    ])
    const card = page.getByRole('link', { name: evening().event_name })
    const lists = ['event/list?filter=upcoming&page=1&page_length=20&', 'event/invites?page=1&page_length=50&']
    await opens('/events', card, lists)
    await opens('/', card, lists)
    await opens('/chats', page.getByRole('main').getByText('Bring a lantern'), [
      'message/group/list?page=1&page_length=50&',
    ])
    expect(complaints).toEqual([])
  })
})

import { expect } from '@playwright/test'
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
    const asked: string[] = []
    page.on('request', request => asked.push(request.url().slice(app.url.length)))
    // The channel, which has everything loaded anew, comes later.
    await page.route('**/following-*.js', () => {})
    await page.goto(`/events/${id}/chat`)
    await expect(messageOf(page, 'Bring a lantern')).toBeVisible()
    const early = [
      `/api/event/details/${id}?include=extra`,
      `/api/message/group/${group_chat_id}?include=extra`,
      `/api/message/list?group_chat_id=${group_chat_id}&page=1&page_length=50&include=extra`,
    ]
    for (const url of early) expect([url, asked.filter(each => each === url).length]).toEqual([url, 1])
    expect(
      await page.evaluate(() => (globalThis as { afterglowEarly?: Map<string, unknown> }).afterglowEarly?.size),
    ).toBe(0)

    asked.length = 0
    await page.goto(`/events/${id}/photos`)
    await expect(page.getByText('No photos yet')).toBeVisible()
    const photos = `/api/gallery/photos/${id}?sort=newest&page=1&page_length=60&include=extra`
    expect(asked.filter(each => each === photos)).toHaveLength(1)
    expect(
      await page.evaluate(() => (globalThis as { afterglowEarly?: Map<string, unknown> }).afterglowEarly?.size),
    ).toBe(0)
    expect(complaints).toEqual([])
  })
})

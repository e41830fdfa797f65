import type { Locator, Page } from '@playwright/test'
import { test } from 'vitest'
import { enter } from '../../server/test/cast.ts'
import { later } from '../../server/test/later.ts'
import { needing } from '../../server/test/needing.ts'
import { openNotifiedApp } from '../../server/test/notified.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { messageOf, signIn } from './steps.ts'

needing(browser).describe('a first load', async () => {
  const { app, quiet } = await openNotifiedApp({ webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })

  test('requests the channel’s cursor first, and then its data, once', {
    tags: 'slow',
  }, async () => {
    const olivia = await enter(app, 'olivia')
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Bring a lantern' })
    /** A first visit: the offline data finds its own way to continue. */
    const opens = async (path: string, shownOn: (page: Page) => Locator, needed: string[]) => {
      const { page, context, complaints } = await visit()
      await signIn(page, olivia)
      const asked: string[] = []
      page.on('request', request => asked.push(request.url().slice(app.url.length)))
      const caughtUp = later(page.waitForResponse(/realtime\/sync\?cursor=/))
      await page.goto(path)
      await expect(shownOn(page)).toBeVisible()
      // The channel continues from before the first request, so nothing is reloaded for it.
      await caughtUp
      await page.waitForTimeout(200)
      for (const url of ['realtime/sync?', ...needed].map(each => `/api/${each}include=extra`))
        expect([url, asked.filter(each => each === url).length]).toEqual([url, 1])
      expect(asked.find(each => each.startsWith('/api/'))).toBe('/api/realtime/sync?include=extra')
      expect(complaints).toEqual([])
      await context.close()
    }
    await opens(`/events/${id}/chat`, page => messageOf(page, 'Bring a lantern'), [
      `event/details/${id}?`,
      `message/group/${group_chat_id}?`,
      `message/list?group_chat_id=${group_chat_id}&page=1&page_length=50&`,
    ])
    await opens(`/events/${id}`, page => page.getByRole('heading', { level: 1 }), [`event/details/${id}?`])
    await opens(`/events/${id}/photos`, page => page.getByText('No photos yet'), [
      `event/details/${id}?`,
      `gallery/photos/${id}?sort=taken_newest&page=1&page_length=60&`,
    ])
    const card = (page: Page) => page.getByRole('link', { name: evening().event_name })
    const lists = ['event/list?filter=upcoming&page=1&page_length=20&', 'event/invites?page=1&page_length=50&']
    await opens('/events', card, lists)
    await opens('/', card, lists)
    const gus = await enter(app, 'gus')
    await gus.api.events.askToJoin({ event_id: id })
    await quiet()
    await opens('/notifications', page => page.getByText('Gus Grant'), ['notification/list?page=1&page_length=30&'])
    await opens('/chats', page => page.getByRole('main').getByText('Bring a lantern'), [
      'message/group/list?page=1&page_length=50&',
    ])
  })

  test('requests the picture of an event once, no larger than shown', { tags: 'slow' }, async () => {
    const olivia = await enter(app, 'olivia')
    const event_avatar = new Blob([new Uint8Array(await jpeg({ width: 2000, height: 1500, seed: 11 }))])
    const { id } = await olivia.api.events.saveEvent(evening({ event_avatar }))
    const picturesOf = async (path: string) => {
      const { page, context } = await visit()
      await signIn(page, olivia)
      const asked: (string | null)[] = []
      page.on('request', request => {
        const { pathname, searchParams } = new URL(request.url())
        if (/\/display\.\w+$/.test(pathname)) asked.push(searchParams.get('w'))
      })
      await page.goto(path)
      const isShown = (picture: Element) => (picture as HTMLImageElement).naturalWidth > 0
      await expect.poll(() => page.locator('img[src*="/display"]').first().evaluate(isShown)).toBe(true)
      await context.close()
      return asked
    }
    expect(await picturesOf(`/events/${id}`)).toEqual(['640'])
    for (const list of ['/events', '/chats']) expect(new Set(await picturesOf(list))).toEqual(new Set(['400']))
  })

  test('shows an event from between loading and listening', async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Bring a lantern' })
    const { page } = await visit()
    await signIn(page, gus)
    const listening = Promise.withResolvers<void>()
    await listensAfter(page, listening.promise)
    let lists = 0
    page.on('request', request => {
      lists += Number(request.url().includes('/api/message/list'))
    })
    await page.goto(`/events/${id}/chat`)
    await expect(messageOf(page, 'Bring a lantern')).toBeVisible()
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'And a blanket' })
    await expect(messageOf(page, 'And a blanket')).toHaveCount(0)
    listening.resolve()
    await expect(messageOf(page, 'And a blanket')).toBeVisible()
    expect(lists).toBe(1)
  })

  test('lists a notification from between loading and listening', { tags: 'slow' }, async () => {
    const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
    const { id } = await olivia.api.events.saveEvent(evening())
    await gus.api.events.askToJoin({ event_id: id })
    await quiet()
    const { page } = await visit()
    await signIn(page, olivia)
    const listening = Promise.withResolvers<void>()
    await listensAfter(page, listening.promise)
    await page.goto('/notifications')
    const rows = page.getByRole('main')
    await expect(rows.getByText('Gus')).toBeVisible()
    await ana.api.events.askToJoin({ event_id: id })
    await quiet()
    await expect(rows.getByText('Ana')).toHaveCount(0)
    listening.resolve()
    await expect(rows.getByText('Ana')).toBeVisible()
  })
})

/** The channel's code arrives no sooner than this. */
const listensAfter = (page: Page, until: Promise<void>) =>
  page.route('**/follow-channel-*.js', async route => {
    await until
    await route.continue()
  })

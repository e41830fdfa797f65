import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

needing(browser).describe('a link for viewing', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))
  const olivia = await enter(app, 'olivia')

  /** An evening with two photos, one of which has comments. */
  const hold = async (event_visibility: number) => {
    const { id, group_chat_id } = await olivia.api.events.saveEvent(
      evening({ event_name: 'Lanterns', event_visibility }),
    )
    for (const [at, event_photo_caption] of ['Arriving', 'The first dance'].entries()) {
      const image = new Blob([new Uint8Array(await jpeg({ width: 480, height: 320, seed: at + 1 }))])
      const photo = await olivia.api.gallery.uploadPhoto({ event_id: id, image, event_photo_caption })
      const event_photo_id = Number(photo.id)
      if (at === 1) await olivia.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'What a view' })
    }
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'See you at the lake' })
    return id
  }
  const refusalsOf = (page: Page) => {
    const refused: string[] = []
    page.on('response', reply => {
      if (reply.status() >= 400) refused.push(`${reply.status()} ${reply.url()}`)
    })
    return refused
  }
  /** How much data of the visit is stored for later. */
  const storedOf = (page: Page) =>
    page.evaluate(async () => {
      const told = <Value>(request: IDBRequest<Value>) =>
        new Promise<Value>(resolve => {
          request.onsuccess = () => resolve(request.result)
        })
      // Opening it too early would create it.
      if (!(await indexedDB.databases()).some(({ name }) => name === 'afterglow')) return 0
      const open = await told(indexedDB.open('afterglow'))
      const count = await told(open.transaction('seen').objectStore('seen').count())
      open.close()
      return count
    })
  const album = (page: Page) => page.locator('a[data-photo]')

  test('shows the album, its comments and the chat without a form, even after a reload, until it is closed', async () => {
    const event_id = await hold(3)
    const link = await olivia.api.links.makeLink({ event_id, kind: 'look', shows_chat: true })
    const { page, complaints } = await visit()
    const refused = refusalsOf(page)
    await page.goto(`/j/${link.link_code}`)
    await expect(album(page)).toHaveCount(2)
    await expect(page.getByRole('heading', { name: 'Lanterns' })).toBeVisible()
    await expect(page.getByRole('textbox')).toHaveCount(0)
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Add photos' })).toHaveCount(0)

    await page.getByAltText('The first dance').click()
    await expect(page.getByRole('button', { name: /^Like/ })).toHaveCount(0)
    await page.getByRole('button', { name: /comment/i }).click()
    await expect(page.getByText('What a view')).toBeVisible()
    await expect(page.getByRole('textbox')).toHaveCount(0)
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`^/j/${link.link_code}/photos/\\d+$`))

    await page.reload()
    await expect(page.getByRole('dialog').getByText('The first dance').last()).toBeVisible()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(album(page)).toHaveCount(2)
    await page.getByRole('link', { name: 'Chat' }).click()
    await expect(page.getByText('See you at the lake')).toBeVisible()
    await expect(page.getByRole('textbox')).toHaveCount(0)
    await page.goBack()
    await expect(album(page)).toHaveCount(2)
    expect(refused).toEqual([])
    expect(complaints).toEqual([])
    await expect.poll(() => storedOf(page)).toBeGreaterThan(0)

    await olivia.api.links.revokeLink({ link_id: link.id })
    await expect(page.getByText('This link no longer works')).toBeVisible()
    await expect(page.locator('img[src*="/media/"]')).toHaveCount(0)
    expect(await page.evaluate(() => Object.keys(localStorage).filter(place => /looking/.test(place)))).toEqual([])
    await expect.poll(() => storedOf(page)).toBe(0)
    await page.reload()
    await expect(page.getByText('This link no longer works')).toBeVisible()
  })

  test('leaves nothing of it on a device once it has ended, whichever page is opened next', async () => {
    const event_id = await hold(3)
    const link = await olivia.api.links.makeLink({ event_id, kind: 'look' })
    const { page } = await visit()
    await page.goto(`/j/${link.link_code}`)
    await expect(album(page)).toHaveCount(2)
    await expect.poll(() => storedOf(page)).toBeGreaterThan(0)
    await page.goto('about:blank')
    await olivia.api.links.revokeLink({ link_id: link.id })
    await page.goto('/')
    await expect.poll(() => storedOf(page)).toBe(0)
    const held = () => page.evaluate(async () => [Object.keys(localStorage), await caches.keys()].flat())
    expect((await held()).filter(name => /looking|pictures/.test(name))).toEqual([])
  })

  test('keeps the account of a device signed in, and is the event itself for a guest', {
    tags: 'slow',
  }, async () => {
    const event_id = await hold(1)
    const { link_code, extra } = await olivia.extra.links.makeLink({ event_id, kind: 'look', pin: '2468' })
    const [stranger, guest] = await Promise.all([enter(app, 'gus'), enter(app, 'sam')])
    await bringIn(olivia, event_id, guest)

    const { page } = await visit({ size: 'desktop' })
    await signIn(page, stranger)
    await page.goto('/settings')
    await page.goto(`/${extra.short_code?.toLowerCase()}`)
    await page.getByLabel('PIN').fill('2468')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect(album(page)).toHaveCount(2)
    await page.goBack()
    await expect(page.getByRole('navigation')).toBeVisible()
    await page.goForward()
    await expect(album(page)).toHaveCount(2)

    const other = await visit({ size: 'desktop' })
    await signIn(other.page, guest)
    await other.page.goto(`/j/${link_code}`)
    await expect(other.page).toHaveURL(new RegExp(`/events/${event_id}$`))
  })
})

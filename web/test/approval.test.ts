import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

needing(browser).describe('photos that wait', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))

  test('are approved and refused by a key each, or many at once, and marked for their uploaders', async () => {
    const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(
      evening({ event_photo_approval: 'album' }),
    )
    for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
    for (let seed = 1; seed <= 4; seed++) {
      const image = new Blob([new Uint8Array(await jpeg({ width: 120, height: 80, seed }))])
      await gus.api.gallery.uploadPhoto({ event_id, image })
    }
    const [{ page, complaints }, guest] = [await visit({ size: 'desktop' }), await visit({ size: 'phone' })]
    await signIn(page, olivia)
    await page.goto(`/events/${event_id}`)
    await page.getByRole('link', { name: '4 photos to approve', exact: true }).click()
    const waiting = page.getByRole('button', { name: /^Select the photo by/ })
    await expect(waiting).toHaveCount(4)
    await expectAccessible(page)
    // A key without a meaning here decides nothing, and a key held down decides once.
    await page.keyboard.press('ArrowRight')
    await page.waitForTimeout(300)
    await expect(waiting).toHaveCount(4)
    const first = page.getByRole('group', { name: /^Photo by Gus/ })
    await first.focus()
    await page.keyboard.down('ArrowRight')
    await expect(waiting).toHaveCount(3)
    await page.keyboard.down('ArrowRight')
    await page.waitForTimeout(300)
    await expect(waiting).toHaveCount(3)
    await page.keyboard.up('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await expect(waiting).toHaveCount(2)
    await waiting.first().click()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(waiting).toHaveCount(1)
    const seenBy = async ({ api }: typeof ana) =>
      (await api.gallery.listPhotos({ event_id, page: 1, page_length: 9 })).data.length
    await expect.poll(() => seenBy(ana)).toBe(2)

    await signIn(guest.page, gus)
    await guest.page.goto(`/events/${event_id}/photos`)
    await expect(guest.page.getByText('waiting', { exact: true })).toHaveCount(1)
    await page.getByRole('button', { name: 'Approve 1 photo' }).click()
    await expect(page.getByText('Nothing is waiting')).toBeVisible()
    await expect(guest.page.getByText('waiting', { exact: true })).toHaveCount(0)

    const attachments = [new Blob([new Uint8Array(await jpeg({ width: 120, height: 80, seed: 5 }))])]
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'The pier', attachments })
    await guest.page.goto(`/events/${event_id}/chat`)
    await guest.page.getByRole('button', { name: 'Add to the album' }).click()
    await expect(guest.page.getByText('Waiting for a host’s approval').first()).toBeVisible()
    expect([...complaints, ...guest.complaints]).toEqual([])
  })

  test('are swiped one by one on a phone, even after approval is switched off', {
    tags: 'slow',
  }, async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_photo_approval: 'album' }))
    await bringIn(olivia, event_id, gus)
    for (let seed = 1; seed <= 3; seed++) {
      const image = new Blob([new Uint8Array(await jpeg({ width: 120, height: 80, seed }))])
      await gus.api.gallery.uploadPhoto({ event_id, image })
    }
    await olivia.api.events.saveEvent(evening({ event_id, event_photo_approval: 'none' }))
    const { page, context, complaints } = await visit({ size: 'phone' })
    await signIn(page, olivia)
    await page.goto(`/events/${event_id}`)
    await page.getByRole('link', { name: '3 photos to approve' }).click()
    await expect(page.getByText(/^New photos appear right away\./)).toBeVisible()
    await page
      .getByRole('button', { name: /^Select the photo by/ })
      .nth(2)
      .waitFor()
    const cdp = await context.newCDPSession(page)
    const swipe = async (from: number, to: number) => {
      const { y, height } = (await page.locator('.touch-pan-y').boundingBox()) ?? { y: 0, height: 0 }
      const at = (x: number) => [{ x, y: y + height / 2 }]
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) })
      for (let step = 1; step <= 8; step++)
        await cdp.send('Input.dispatchTouchEvent', {
          type: 'touchMove',
          touchPoints: at(from + ((to - from) * step) / 8),
        })
      await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    const hiddenOf = async () =>
      (await olivia.extra.gallery.listPhotos({ event_id, sort: 'oldest', page: 1, page_length: 9 })).data.map(
        ({ extra }) => [extra?.hidden, extra?.waiting],
      )
    await swipe(60, 300)
    await expect(page.getByRole('button', { name: /^Select the photo by/ })).toHaveCount(2)
    await swipe(300, 60)
    await expect(page.getByRole('button', { name: /^Select the photo by/ })).toHaveCount(1)
    await expect.poll(hiddenOf).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ])
    expect(complaints).toEqual([])
  })
})

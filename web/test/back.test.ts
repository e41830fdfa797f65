import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { png } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { joinAs, signIn } from './steps.ts'

needing(browser).describe('going back', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  const party = async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
    await bringIn(olivia, id, gus)
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'See you there' })
    const photo = await gus.api.gallery.uploadPhoto({ event_id: id, image: new Blob([await png()]) })
    return { olivia, gus, id, photo }
  }
  /** Opens the event from the list of events, as people do. */
  const openEvent = async (who: Parameters<typeof signIn>[1]) => {
    const visitor = await visit()
    await signIn(visitor.page, who)
    await visitor.page.goto('/events')
    await visitor.page.getByRole('link', { name: 'Lanterns' }).click()
    return visitor
  }
  const at = (page: Page, path: string | RegExp) => expect(page).toHaveURL(path)
  const event = (id: number) => new RegExp(`/events/${id}$`)

  test('closes the top layer first, and its own button is the same step', { tags: 'slow' }, async () => {
    const { gus, id } = await party()
    const { page, complaints } = await openEvent(gus)
    await at(page, event(id))

    const menu = page.getByRole('menu')
    const leave = page.getByRole('alertdialog', { name: 'Leave this event?' })
    await page.getByRole('button', { name: 'More about this event' }).click()
    await expect(menu).toBeVisible()
    await page.goBack()
    await expect(menu).toHaveCount(0)
    await at(page, event(id))

    // The menu has a confirmation: one step back closes the confirmation, and the next one leaves.
    for (const close of ['back', 'button'] as const) {
      await page.getByRole('button', { name: 'More about this event' }).click()
      await page.getByRole('menuitem', { name: 'Leave' }).click()
      await expect(leave).toBeVisible()
      // The menu's own history step ends first.
      await page.waitForFunction(() => history.state?.layer > 0)
      if (close === 'back') await page.goBack()
      else await leave.getByRole('button', { name: 'Cancel' }).click()
      await expect(leave).toHaveCount(0)
      await at(page, event(id))
    }
    await page.goBack()
    await at(page, /\/events$/)

    // Going forward returns to the page, without its closed layers.
    await page.goForward()
    await at(page, event(id))
    await page.goForward()
    await expect(menu).toHaveCount(0)
    await expect(leave).toHaveCount(0)
    await page.getByRole('link', { name: 'Back' }).click()
    await at(page, /\/events$/)
    expect(complaints).toEqual([])
  })

  test('closes a layer that has just been rendered', async () => {
    const { gus, id } = await party()
    const { page } = await openEvent(gus)
    await page.evaluate(() => {
      new MutationObserver((_, watch) => {
        if (!document.querySelector('[role=menu]')) return
        watch.disconnect()
        Object.assign(window, { layerThen: window.history.state.layer ?? 0 })
        window.history.back()
      }).observe(document.body, { childList: true, subtree: true })
    })
    await page.getByRole('button', { name: 'More about this event' }).click()
    // Reads in the very task that drew the menu: no user goes back sooner.
    const layerThen = () => page.evaluate(() => (window as { layerThen?: number }).layerThen)
    await expect.poll(layerThen).toBe(1)
    await expect(page.getByRole('menu')).toHaveCount(0)
    await at(page, event(id))
  })

  test('skips a menu that led to a page', async () => {
    const { olivia, id } = await party()
    const { page } = await openEvent(olivia)
    await page.getByRole('button', { name: 'More about this event' }).click()
    await page.getByRole('menuitem', { name: 'Edit event' }).click()
    await at(page, /\/edit$/)
    await page.goBack()
    await at(page, event(id))
    await expect(page.getByRole('menu')).toHaveCount(0)
    await page.goBack()
    await at(page, /\/events$/)
  })

  test('leads from a photo’s comments to the photo, the album and the event', { tags: 'slow' }, async () => {
    const { gus, id, photo } = await party()
    const { page, complaints } = await openEvent(gus)
    await at(page, event(id))
    await page.getByRole('link', { name: 'Photos', exact: true }).click()
    await page.locator(`[data-photo="${photo.id}"]`).click()
    await at(page, new RegExp(`/photos/${photo.id}$`))
    const about = page.getByRole('region', { name: 'About this photo' })
    await page.getByRole('button', { name: /^Comments and details/ }).click()
    await expect(about).toBeVisible()
    await page.goBack()
    await expect(about).toHaveCount(0)
    await at(page, new RegExp(`/photos/${photo.id}$`))
    await page.goBack()
    await at(page, /\/photos$/)
    // The photo's own button takes the same step: the photo is not behind the album.
    await page.locator(`[data-photo="${photo.id}"]`).click()
    await page.getByRole('button', { name: 'Close' }).click()
    await at(page, /\/photos$/)
    await page.getByRole('button', { name: 'Select' }).click()
    const selection = page.getByRole('region', { name: 'Select' })
    await expect(selection).toBeVisible()
    await page.goBack()
    await expect(selection).toHaveCount(0)
    await at(page, /\/photos$/)
    await page.goBack()
    await at(page, event(id))
    expect(complaints).toEqual([])
  })

  test('leads from an event’s chat to the event, or to the list of chats that it was opened from', {
    tags: 'slow',
  }, async () => {
    const { gus, id } = await party()
    const { page } = await visit()
    await signIn(page, gus)
    await page.goto(`/events/${id}`)
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await at(page, /\/chat$/)
    await page.getByRole('button', { name: 'Search messages' }).click()
    await expect(page.getByRole('search')).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('search')).toHaveCount(0)
    await page.getByRole('link', { name: 'Back' }).click()
    await at(page, event(id))
    await page.goto('/chats')
    await page.getByRole('link', { name: /^Lanterns/ }).click()
    await at(page, /\/chat$/)
    await page.getByRole('link', { name: 'Back' }).click()
    await at(page, /\/chats$/)

    // Opened from elsewhere, such as a notification, the page has nothing to go back to.
    await page.goto(`/events/${id}/chat`)
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
    const opened = await page.context().newPage()
    await signIn(opened, gus)
    await opened.goto(`/events/${id}/chat`)
    await opened.getByRole('link', { name: 'Back' }).click()
    await at(opened, event(id))
  })

  test('never leads to the invitation link', async () => {
    const { olivia, id } = await party()
    const { link_url } = await olivia.api.links.makeLink({ event_id: id })
    const { page } = await visit()
    await page.goto('/sign-in')
    await page.goto(link_url)
    await joinAs(page, 'Ana')
    await at(page, new RegExp(`/events/${id}`))
    await page.goBack()
    // Whatever the earlier page was, a signed-in user is not asked to sign in, and has one event.
    await at(page, /\/events\/\d+$/)
  })

  test('closes nothing on a reloaded page', async () => {
    const { gus, id } = await party()
    const { page } = await openEvent(gus)
    await page.getByRole('button', { name: 'More about this event' }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Lanterns' })).toBeVisible()
    await page.goBack()
    await at(page, /\/events$/)
    await page.goForward()
    await at(page, event(id))
  })

  test.each(['phone', 'desktop'] as const)(
    'restores the scroll position, and a new page begins at its top; %s',
    async size => {
      const { olivia, id } = await party()
      await olivia.api.events.saveEvent({
        ...evening({ event_name: 'Lanterns' }),
        event_id: id,
        event_description: 'A word about the evening.\n'.repeat(60),
      })
      const { page } = await visit({ size })
      if (size === 'desktop') await page.setViewportSize({ width: 1360, height: 200 })
      await signIn(page, olivia)
      await page.goto(`/events/${id}`)
      await expect(page.getByText('A word about the evening.')).toBeVisible()
      const scroll = (how: 'ask' | 'down') =>
        page.evaluate(how => {
          const pane = document.querySelector('[data-scrolls]')
          const element = pane && getComputedStyle(pane).overflowY === 'auto' ? pane : document.documentElement
          if (how === 'down') element.scrollTop = 400
          return element.scrollTop
        }, how)
      expect(await scroll('down')).toBe(400)
      await page.getByRole('link', { name: 'Add a co-host' }).evaluate((link: HTMLAnchorElement) => link.click())
      await at(page, /\/guests$/)
      await expect.poll(() => scroll('ask')).toBe(0)
      await page.goBack()
      await at(page, event(id))
      // A picture or a name above may have a new height and move it.
      await expect.poll(async () => Math.abs((await scroll('ask')) - 400)).toBeLessThan(20)
    },
  )
})

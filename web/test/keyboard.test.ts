import type { Locator, Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { later } from '../../server/test/later.ts'
import { needing } from '../../server/test/needing.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { atDesktop, messageOf } from './steps.ts'

const stepsMax = 60

/** Presses Tab until an element has the focus, like a user without a mouse. */
const tabTo = async (page: Page, wanted: Locator, key = 'Tab') => {
  await expect(wanted).toBeVisible()
  for (let step = 0; step < stepsMax; step++) {
    if (await wanted.evaluate(element => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${wanted} is not reached by ${stepsMax} × ${key}`)
}

needing(browser).describe('a keyboard user', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)
  const arrive = () => atDesktop(app, visit)

  test('finds, reads, answers, reacts in and searches a chat', async () => {
    const { page, gus, group_chat_id, complaints } = await arrive()
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Is there parking?' })
    await page.goto('/chats')
    await tabTo(page, page.getByRole('link', { name: /Lanterns/ }))
    await page.keyboard.press('Enter')
    await expect(messageOf(page, 'Is there parking?')).toBeVisible()

    // The chat opens with the focus in the message field. Its history is one tab stop, and arrow keys move between
    // messages.
    const field = page.getByRole('textbox', { name: 'Message' })
    await expect(field).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await tabTo(page, page.getByRole('log'), 'Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await expect(page.getByRole('button', { name: 'More about this chat' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('log')).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(messageOf(page, 'Is there parking?')).toBeFocused()

    // The menu of a message, its emoji, and the reply: afterwards the focus is in the message field.
    const menu = messageOf(page, 'Is there parking?').getByRole('button', { name: 'Reactions and more' })
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: '❤️' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: '❤️, 1 person' })).toBeVisible()
    await expect(menu).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: '❤️' })).toBeFocused()
    await page.keyboard.press('R')
    await expect(page.getByRole('menuitem', { name: 'Reply' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(field).toBeFocused()
    await page.keyboard.type('Behind the boathouse, @g')
    await expect(page.getByRole('option', { name: /@gus/ })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(field).toHaveValue(/^Behind the boathouse, @gus\S* $/)
    await page.keyboard.press('Enter')
    await expect(messageOf(page, 'Behind the boathouse')).toContainText('Is there parking?')
    await expect(field).toBeFocused()

    await tabTo(page, page.getByRole('button', { name: 'Search messages' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('searchbox', { name: 'Search messages' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Search messages' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('searchbox', { name: 'Search messages' })).toBeFocused()
    await page.keyboard.type('parking')
    await tabTo(page, page.getByRole('button', { name: /^Gus Grant.*parking/ }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('searchbox')).toHaveCount(0)
    await expect(page.getByRole('log')).toBeFocused()
    await expect(messageOf(page, 'Is there parking?').last()).toBeInViewport()
    expect(complaints).toEqual([])
  })

  test('views, likes, comments on and selects photos of an album', { tags: 'slow' }, async () => {
    const { page, gus, id, complaints } = await arrive()
    for (const seed of [1, 2, 3]) {
      const image = new Blob([new Uint8Array(await jpeg({ width: 480, height: 320, seed }))])
      await gus.api.gallery.uploadPhoto({ event_id: id, image, event_photo_caption: `Photo ${seed}` })
    }
    await page.goto(`/events/${id}/photos`)
    const tile = (name: string) => page.locator('[data-photo]').filter({ has: page.getByAltText(name) })
    await tabTo(page, tile('Photo 3'))
    await page.keyboard.press('Enter')
    const photo = page.getByRole('dialog')
    await expect(photo).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(photo).toHaveAccessibleName('Photo 2')
    await tabTo(page, photo.getByRole('button', { name: 'Like, 0 so far' }))
    await page.keyboard.press('Enter')
    await expect(photo.getByRole('button', { name: 'Like, 1 so far' })).toHaveAttribute('aria-pressed', 'true')
    await tabTo(page, photo.getByRole('textbox', { name: 'Add a comment' }))
    await page.keyboard.type('What a light!')
    await page.keyboard.press('Enter')
    await expect(photo.getByRole('article')).toContainText('What a light!')
    await page.keyboard.press('Escape')
    await expect(photo).toHaveCount(0)
    await expect(tile('Photo 2')).toBeFocused()

    await tabTo(page, page.getByRole('button', { name: 'Select' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: 'Photo 1' }))
    await page.keyboard.press('Space')
    await expect(page.getByText('1 selected')).toBeVisible()
    await tabTo(page, page.getByRole('button', { name: 'Delete', exact: true }))
    await page.keyboard.press('Enter')
    const asked = page.getByRole('alertdialog')
    await expect(asked.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByAltText('Photo 1')).toHaveCount(0)

    const add = page.getByRole('button', { name: 'Add photos' })
    await tabTo(page, add, 'Shift+Tab')
    const chooser = later(page.waitForEvent('filechooser'))
    // The browser is told to ask the test instead of opening a chooser: that must have arrived.
    await expect(add).toBeFocused()
    await page.keyboard.press('Enter')
    await chooser
    expect(complaints).toEqual([])
  })
})

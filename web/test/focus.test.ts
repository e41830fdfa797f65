import type { Page } from '@playwright/test'
import { describe, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { expect, hasBrowser, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { atDesktop, messageOf } from './steps.ts'

describe.skipIf(!hasBrowser)('the focus', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)
  const arrive = () => atDesktop(app, visit)
  const photo = async (seed: number) =>
    new File([new Uint8Array(await jpeg({ seed }))], `${seed}.jpg`, { type: 'image/jpeg' })

  /** Opens something, closes it with Escape, and expects to be where it was opened. */
  const opensAndReturns = async (page: Page, button: ReturnType<Page['getByRole']>, item?: string) => {
    await button.click()
    if (item) await page.getByRole('menuitem', { name: item, exact: true }).click()
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toHaveCount(0)
    await expect(button).toBeFocused()
  }

  test('goes back to where each dialog was opened from', { timeout: 120_000 }, async () => {
    const { page, olivia, gus, id, group_chat_id, complaints } = await arrive()
    const image = await photo(1)
    await gus.api.gallery.uploadPhoto({ event_id: id, image })
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Look', attachments: [await photo(2)] })
    await olivia.api.links.makeLink({ event_id: id })
    const button = (name: string | RegExp) => page.getByRole('button', { name })

    await page.goto(`/events/${id}/links`)
    await opensAndReturns(page, button('New link'))
    await page.goto(`/events/${id}/guests`)
    await opensAndReturns(page, button('Invite'))
    await page.goto(`/events/${id}/photos`)
    await opensAndReturns(page, button('Deleted photos'))
    await page.goto(`/events/${id}/chat`)
    const actions = messageOf(page, 'Look').getByRole('button', { name: 'Reactions and more' })
    await opensAndReturns(page, actions, 'Report')
    await opensAndReturns(page, actions, 'Delete')
    await opensAndReturns(page, messageOf(page, 'Look').getByRole('button', { name: 'Open picture 1' }))
    await page.goto(`/people/${gus.id}`)
    await opensAndReturns(page, button('More about this person'), 'Block')
    expect(complaints).toEqual([])
  })

  test('is on what is wrong with a form', { timeout: 60_000 }, async () => {
    const { page, complaints } = await visit({ size: 'desktop' })
    await page.goto('/sign-in')
    await page.getByLabel('E-mail or username').fill('nobody@example.com')
    await page.getByLabel('Password').fill('a wrong password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('alert').filter({ hasText: /\w/ })).toBeFocused()
    const gus = await enter(app, 'gus')
    await page.goto('/register')
    for (const [label, value] of [
      ['First name', 'Gus'],
      ['Last name', 'Grant'],
      ['Username', gus.username],
      ['E-mail', 'another@example.com'],
      ['Password', 'a long password'],
    ] as const)
      await page.getByLabel(label).fill(value)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByLabel('Username')).toBeFocused()
    expect(complaints).toEqual([])
  })

  test('stays where the first Tab into a chat brought it', { timeout: 60_000 }, async () => {
    const { page, gus, group_chat_id, id, complaints } = await arrive()
    for (let line = 1; line <= 40; line++)
      await gus.api.chats.saveMessage({ group_chat_id, message_content: `Line ${line}` })
    await page.goto(`/events/${id}/chat`)
    await expect(page.getByRole('article').first()).toBeVisible()
    const described = () =>
      page.evaluate(
        () =>
          `${document.activeElement?.tagName} ${document.activeElement?.ariaLabel} ${document.activeElement?.closest('[data-row]')?.getAttribute('data-row')}`,
      )
    await page.getByRole('button', { name: 'Search messages' }).focus()
    let before = ''
    // Into the history, in which each row has buttons.
    for (let step = 0; step < 12 && !/\d$/.test(before); step++) {
      await page.keyboard.press('Tab')
      before = await described()
    }
    expect(before).toMatch(/\d$/)
    await expect(page.getByRole('log')).toHaveAttribute('aria-busy', 'false')
    expect(await described()).toBe(before)
    expect(complaints).toEqual([])
  })
})

import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { atDesktop } from './steps.ts'

needing(browser).describe('the focus', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)
  const arrive = () => atDesktop(app, visit)

  test('moves to the first error in a form', async () => {
    const { page, complaints } = await visit({ size: 'desktop' })
    await page.goto('/sign-in')
    await page.getByLabel('E-mail or username').fill('nobody@example.com')
    await page.getByLabel('Password').fill('a wrong password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('alert').filter({ hasText: /\w/ })).toBeFocused()
    const { user_email: taken } = await (await enter(app, 'gus')).api.accounts.readAccount()
    await page.goto('/register')
    for (const [label, value] of [
      ['Your name', 'Gus Grant'],
      ['E-mail', taken],
      ['Password', 'a long password'],
    ] as const)
      await page.getByLabel(label).fill(value)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByLabel('E-mail')).toBeFocused()
    expect(complaints).toEqual([])
  })

  test('stays where the first Tab into a chat moved it', { tags: 'slow' }, async () => {
    const { page, gus, group_chat_id, id, complaints } = await arrive()
    for (let line = 1; line <= 40; line++)
      await gus.api.chats.saveMessage({ group_chat_id, message_content: `Line ${line}` })
    await page.goto(`/events/${id}/chat`)
    await expect(page.getByRole('article').first()).toBeVisible()
    const log = page.getByRole('log')
    const isInLog = () => log.evaluate(element => element.contains(document.activeElement))
    await page.getByRole('button', { name: 'Search messages' }).focus()
    for (let step = 0; step < 12 && !(await isInLog()); step++) await page.keyboard.press('Tab')
    await expect(log).toHaveAttribute('aria-busy', 'false')
    expect(await isInLog()).toBe(true)
    expect(complaints).toEqual([])
  })
})

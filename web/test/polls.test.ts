import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { needing } from '../../server/test/needing.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { atDesktop, messageOf, signIn } from './steps.ts'

needing(browser).describe('a poll in the chat', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  test('is made in the chat, voted on with a tap, updated live with its voters, and closed', async () => {
    const { page, complaints, gus, id } = await atDesktop(app, visit)
    await page.goto(`/events/${id}/chat`)
    await page.getByRole('button', { name: 'Poll' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Question').fill('When does the bus leave?')
    for (const [at, choice] of ['At five', 'At five', 'Never'].entries())
      await dialog.getByLabel(`Choice ${at + 1}`).fill(choice)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Ask', exact: true }).click()
    await expect(dialog.getByText('Two of these are the same.')).toBeVisible()
    await dialog.getByLabel('Choice 2').fill('At six')
    await dialog.getByRole('button', { name: 'Ask', exact: true }).click()
    const asked = messageOf(page, 'When does the bus leave?')
    await expect(asked.getByText('0 people voted')).toBeVisible()

    const other = await visit({ still: true })
    await signIn(other.page, gus)
    await other.page.goto(`/events/${id}/chat`)
    const shown = messageOf(other.page, 'When does the bus leave?')
    await shown.getByRole('button', { name: /At six/ }).click()
    await expect(shown.getByRole('button', { name: /At six/, pressed: true })).toBeVisible()
    await expect(asked.getByRole('button', { name: 'At six 1', pressed: false })).toBeVisible()
    await shown.getByRole('button', { name: /At five/ }).click()
    await expect(asked.getByRole('button', { name: 'At five 1' })).toBeVisible()
    await expect(asked.getByRole('button', { name: 'At six 0' })).toBeVisible()
    await expectAccessible(other.page)

    await asked.getByRole('button', { name: 'Who voted' }).click()
    await expect(page.getByRole('dialog').getByText(/^Gus/)).toBeVisible()
    await page.keyboard.press('Escape')
    await asked.getByRole('button', { name: 'Reactions and more' }).click()
    await page.getByRole('menuitem', { name: 'Close the poll' }).click()
    await page.getByRole('button', { name: 'Close the poll' }).click()
    await expect(asked.getByText('Closed')).toBeVisible()
    await expect(shown.getByText('Closed')).toBeVisible()
    await expect(shown.getByRole('button', { name: /At six/ })).toBeDisabled()
    expect([...complaints, ...other.complaints]).toEqual([])
  })
})

import { describe, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { expect, hasBrowser, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { createEvent, messageOf, register, write } from './steps.ts'

describe.skipIf(!hasBrowser)('an evening of two people', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  test('from registering to talking with each other, on a phone and a desktop', { timeout: 120_000 }, async () => {
    const olivia = await visit({ size: 'desktop' })
    const gus = await visit({ size: 'phone' })
    await register(olivia.page, 'Olivia', 'Ortega')
    const id = await createEvent(olivia.page, 'Lanterns on the lake')

    await register(gus.page, 'Gus', 'Grant')
    await gus.page.getByRole('tab', { name: 'Public' }).click()
    await gus.page.getByRole('link', { name: /Lanterns on the lake/ }).click()
    await gus.page.getByRole('button', { name: 'Ask to join' }).click()
    await expect(gus.page.getByText('You asked to join')).toBeVisible()

    // She hears of it without doing anything, and so does he of her answer.
    await olivia.page.getByRole('link', { name: '1 person waits to join' }).click()
    await olivia.page.getByRole('button', { name: 'Let in Gus Grant' }).click()
    await gus.page.getByRole('link', { name: 'Chat', exact: true }).click()
    await olivia.page.goto(`/events/${id}/chat`)

    await write(gus.page, 'Is there parking?')
    await expect(messageOf(olivia.page, 'Is there parking?')).toBeVisible()
    await write(olivia.page, 'Behind the boathouse, @gus')
    await expect(messageOf(gus.page, 'Behind the boathouse')).toBeVisible()

    // He reacts, she sees it; she is seen reading.
    await messageOf(gus.page, 'Behind the boathouse').getByRole('button', { name: 'Reactions and more' }).click()
    await gus.page.getByRole('menuitem', { name: '🎉' }).click()
    await expect(olivia.page.getByRole('button', { name: '🎉, 1 person' })).toBeVisible()
    await expect(olivia.page.getByText('Seen by Gus Grant')).toBeAttached()

    for (const { complaints } of [olivia, gus]) expect(complaints).toEqual([])
  })
})

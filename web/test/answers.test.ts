import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

needing(browser).describe('the answers of an event', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))

  test('are entered by a host, also of somebody without a phone, who comes in later', async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_places: 3 }))
    await bringIn(olivia, event_id, gus)
    const { page, complaints } = await visit({ size: 'phone', still: true })
    await signIn(page, olivia)
    await page.goto(`/events/${event_id}/guests`)
    const list = page.getByRole('main')

    await list.getByRole('button', { name: 'Add someone without a phone' }).click()
    const adding = page.getByRole('dialog', { name: 'Add someone without a phone' })
    await adding.getByLabel('First name').fill('Erna')
    await adding.getByLabel('Bringing anyone?').fill('1')
    await adding.getByLabel('Note for the host').fill('No fish')
    await expectAccessible(page)
    await adding.getByRole('button', { name: 'Save' }).click()
    const erna = list.getByRole('listitem').filter({ hasText: 'Erna' })
    for (const words of ['+1', 'Added by a host', 'No fish']) await expect(erna.getByText(words)).toBeVisible()
    const heading = (name: string) => list.getByRole('heading', { name })
    await expect(heading('2 coming')).toBeVisible()
    await expectAccessible(page)

    const change = async () => {
      await list.getByRole('button', { name: /^More about Gus/ }).click()
      await page.getByRole('menuitem', { name: 'Change answer' }).click()
    }
    await change()
    const changing = page.getByRole('dialog', { name: /^Gus/ })
    await changing.getByLabel('Bringing anyone?').fill('1')
    await changing.getByRole('button', { name: 'Save' }).click()
    await expect(heading('Waitlist · 2')).toBeVisible()
    await change()
    await changing.getByLabel('Reason (hosts can read it)').fill('She drives the bus')
    await changing.getByRole('button', { name: 'Move to the front' }).click()
    await expect(changing).toBeHidden()

    const { link_code: code } = await olivia.api.links.makeLink({ event_id })
    const { user, token } = await app.as().links.joinByLink({ code, user_first_name: 'Erna' })
    const phone = await visit({ size: 'phone', still: true })
    await signIn(phone.page, { token, id: user.id })
    await phone.page.goto(`/events/${event_id}`)
    await phone.page.getByRole('button', { name: 'That’s me' }).click()
    await expect(phone.page.getByText('A host has to confirm it.', { exact: true })).toBeVisible()

    await page.goto(`/events/${event_id}/requests`)
    await expect(page.getByText('Erna says they’re the person you added')).toBeVisible()
    await page.getByRole('button', { name: 'Let in Erna' }).click()
    await expect(page.getByText('Erna says they’re the person you added')).toBeHidden()
    await page.goto(`/events/${event_id}/log`)
    await expect(page.getByText('Confirmed that Erna is someone a host had added')).toBeVisible()
    expect(complaints).toEqual([])
  })
})

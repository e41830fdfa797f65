import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { joinAs, signIn } from './steps.ts'

needing(browser).describe('a guest who joined by a code and sent a photo', { timeout: 240_000 }, async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))

  const hold = async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns', event_visibility: 2 }))
    const { link_code } = await olivia.api.links.makeLink({ event_id: id })
    return { olivia, id, path: `/j/${link_code}` }
  }
  type Party = Awaited<ReturnType<typeof hold>>
  const say = async (page: Page, path: string) => {
    await page.goto(path)
    await joinAs(page, 'Fabio')
  }
  const come = async ({ path, id }: Party, seed: number) => {
    const visitor = await visit()
    await say(visitor.page, path)
    await expect(visitor.page.getByRole('heading', { name: 'You’re in, Fabio!' })).toBeVisible()
    const token = await visitor.page.evaluate(() => JSON.parse(localStorage.getItem('afterglow.session') ?? '{}').token)
    const image = new Blob([new Uint8Array(await jpeg({ width: 320, height: 240, seed }))])
    await app.as(token).gallery.uploadPhoto({ event_id: id, image })
    return { ...visitor, me: (await app.as(token).accounts.readAccount()).id }
  }
  const whoIs = async (page: Page) =>
    page.evaluate(() => JSON.parse(localStorage.getItem('afterglow.session') ?? '{}').userId)
  const isBack = async (page: Page, { id }: Party, me: number) => {
    await expect(page).toHaveURL(new RegExp(`/events/${id}$`))
    expect(await whoIs(page)).toBe(me)
  }

  test('continues as the same guest with one tap once the session has ended, and not after signing out', {
    tags: 'slow',
  }, async () => {
    const party = await hold()
    const { page, me, complaints } = await come(party, 1)
    await page.waitForFunction(id => localStorage.getItem(`afterglow.return.${id}`)?.includes('known'), me)
    await page.evaluate(() => localStorage.removeItem('afterglow.session'))
    await page.goto(`/events/${party.id}`)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Continue as Fabio' }).click()
    await isBack(page, party, me)

    await page.evaluate(() => localStorage.removeItem('afterglow.session'))
    await page.goto(party.path)
    await page.getByRole('button', { name: 'Continue as Fabio' }).click()
    await isBack(page, party, me)

    await page.goto('/settings')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByLabel('Password')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Continue as Fabio' })).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  test('returns in a new browser by their recovery code', { tags: 'slow' }, async () => {
    const party = await hold()
    const { page, me, complaints } = await come(party, 2)
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.getByRole('button', { name: 'Save your recovery code' }).click()
    const shown = page.getByRole('dialog').getByText(/^(?:[A-Z2-9]{5}-){3}[A-Z2-9]{5}$/)
    await expect(shown).toBeVisible()
    await expectAccessible(page)
    const code = (await shown.textContent()) ?? ''

    const later = await visit()
    await later.page.goto(`${party.path}/photos`)
    await later.page.getByText('I already joined on another device').click()
    await later.page.getByRole('link', { name: 'I have a recovery code' }).click()
    const typed = later.page.getByLabel('Recovery code')
    const goOn = later.page.getByRole('button', { name: 'Continue', exact: true })
    const wrong = `${code.slice(0, -1)}${code.endsWith('X') ? 'Y' : 'X'}`
    await typed.fill(wrong)
    await goOn.click()
    await expect(later.page.getByText('This code is wrong or expired. Check it, or get a new one.')).toBeVisible()
    await expect(typed).toHaveValue(wrong)
    await typed.fill(code.toLowerCase())
    await goOn.click()
    await later.page.getByRole('button', { name: 'Continue as Fabio' }).click()
    await expect(later.page).toHaveURL(new RegExp(`/events/${party.id}/photos$`))
    expect(await whoIs(later.page)).toBe(me)
    for (const each of [complaints, later.complaints]) expect(each).toEqual([])
  })

  test('returns in a new browser by an organizer’s tap', async () => {
    const party = await hold()
    const { me } = await come(party, 3)
    const later = await visit()
    await say(later.page, party.path)
    await expect(later.page.getByRole('heading', { name: 'There is a Fabio here already. Is that you?' })).toBeVisible()
    await expectAccessible(later.page)
    await later.page.getByRole('button', { name: 'Yes, that’s me' }).click()
    await expect(later.page.getByRole('heading', { name: 'We’ve asked the hosts' })).toBeVisible()

    const organizer = await visit({ size: 'desktop' })
    await signIn(organizer.page, party.olivia)
    await organizer.page.goto(`/events/${party.id}/requests`)
    await expect(organizer.page.getByText('Fabio says they were here before')).toBeVisible()
    await expectAccessible(organizer.page)
    await organizer.page.getByRole('button', { name: 'Let in Fabio' }).click()
    await isBack(later.page, party, me)
    await later.page.goto(`/events/${party.id}/photos`)
    await expect(later.page.locator('[data-photo]')).toHaveCount(1)
    for (const { complaints } of [later, organizer]) expect(complaints).toEqual([])
  })

  test('is separate from another of that name, and an organizer’s code merges the two', {
    tags: 'slow',
  }, async () => {
    const party = await hold()
    const { me } = await come(party, 4)
    const other = await visit()
    await say(other.page, party.path)
    await other.page.getByRole('button', { name: 'No, I’m new here' }).click()
    await expect(other.page.getByRole('heading', { name: 'You’re in, Fabio!' })).toBeVisible()
    expect(await whoIs(other.page)).not.toBe(me)

    const { transfer_url } = await party.olivia.api.returns.letInAgain({ event_id: party.id, user_id: me })
    await other.page.goto(`/transfer${new URL(transfer_url).hash}`)
    await expect(other.page.getByText('You’re now Fabio here.', { exact: false })).toBeVisible()
    await other.page.getByRole('button', { name: 'Continue as Fabio' }).click()
    await isBack(other.page, party, me)
    await expect
      .poll(async () => (await party.olivia.api.events.readEvent({ event_id: party.id })).event_guests_count)
      .toBe(2)
    expect(other.complaints).toEqual([])
  })
})

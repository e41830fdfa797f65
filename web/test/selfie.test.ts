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
import { joinAs } from './steps.ts'

needing(browser).describe('a new guest', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))
  const olivia = await enter(app, 'olivia')
  const { id } = await olivia.api.events.saveEvent(evening())
  const { link_code } = await olivia.api.links.makeLink({ event_id: id })
  const asked = (page: Page) => page.getByText('Add a selfie so people know who you are')
  const join = async (name: string) => {
    const visitor = await visit({ still: true })
    await visitor.page.goto(`/j/${link_code}`)
    await joinAs(visitor.page, name)
    await expect(asked(visitor.page)).toBeVisible()
    return visitor
  }
  const avatarOf = async (name: string) => {
    const { data } = await olivia.api.events.listGuests({ event_id: id, page: 1, page_length: 10 })
    return data.find(({ user }) => user.user_first_name === name)?.user.user_avatar_url
  }

  test('takes a selfie, which everybody sees, and is not asked again', async () => {
    const { page, complaints } = await join('Ana')
    await expectAccessible(page)
    await expect(page.getByRole('button', { name: 'Take a selfie' })).toBeVisible()
    expect(await avatarOf('Ana')).toContain('/media/initials/')
    const buffer = Buffer.from(await jpeg({ width: 600, height: 800, seed: 5 }))
    await page.locator('[data-selfie]').setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer })
    await expect(page.getByText('Nice to see you!', { exact: true })).toBeVisible()
    await expect(asked(page)).toHaveCount(0)
    expect(await avatarOf('Ana')).not.toContain('/media/initials/')
    await page.reload()
    await expect(page.getByRole('link', { name: 'Chat', exact: true })).toBeVisible()
    await expect(asked(page)).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  test('skips the selfie, keeps initials, and is not asked again', async () => {
    const { page } = await join('Ben')
    await page
      .getByRole('group', { name: /selfie/ })
      .getByRole('button', { name: 'Not now' })
      .click()
    await expect(asked(page)).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('link', { name: 'Chat', exact: true })).toBeVisible()
    await expect(asked(page)).toHaveCount(0)
    expect(await avatarOf('Ben')).toContain('/media/initials/')
  })
})

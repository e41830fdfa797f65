import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { png } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { messageOf, signIn, steppedBack } from './steps.ts'

needing(browser).describe('a guest’s report', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)
  const [olivia, gus, ana] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus'), enter(app, 'ana')])
  const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, id, gus)
  await bringIn(olivia, id, ana)
  await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Something nasty' })
  const image = new Blob([await png({ width: 240, height: 160 })])
  const { id: photo } = await gus.api.gallery.uploadPhoto({ event_id: id, image })

  const explain = async (page: Page, why: string) => {
    const dialog = page.getByRole('dialog', { name: 'Report' })
    await expect(dialog.getByText('The hosts read it without your name')).toBeVisible()
    await dialog.getByLabel('What is wrong?').fill(why)
    await dialog.getByRole('button', { name: 'Report' }).click()
    await expect(dialog).toBeHidden()
    await steppedBack(page)
  }

  test('reaches the organizer, who views and hides the item, and finds her act in the log', async () => {
    const guest = await visit()
    await signIn(guest.page, ana)
    await guest.page.goto(`/events/${id}/chat`)
    await messageOf(guest.page, 'Something nasty').getByRole('button', { name: 'Reactions and more' }).click()
    await guest.page.getByRole('menuitem', { name: 'Report' }).click()
    await explain(guest.page, 'Not how we talk')
    await guest.page.goto(`/events/${id}/photos/${photo}`)
    await guest.page.getByRole('button', { name: 'More actions' }).click()
    await guest.page.getByRole('menuitem', { name: 'Report' }).click()
    await explain(guest.page, 'Not my best side')

    const host = await visit({ size: 'desktop' })
    await signIn(host.page, olivia)
    await host.page.goto('/notifications')
    await host.page
      .getByRole('link', { name: /was reported/ })
      .first()
      .click()
    await expect(host.page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible()
    const card = (what: string) => host.page.getByRole('listitem').filter({ hasText: what })
    await expect(card('Not how we talk')).not.toContainText('Ana')
    await expectAccessible(host.page)
    await card('Not how we talk').getByRole('link', { name: 'View' }).click()
    await expect(messageOf(host.page, 'Something nasty')).toBeVisible()
    await host.page.goBack()
    await card('Not how we talk').getByRole('button', { name: 'Hide and close' }).click()
    await expect(card('Not how we talk')).toHaveCount(0)
    await card('Not my best side').getByRole('button', { name: 'Close', exact: true }).click()
    await expect(host.page.getByText('Nothing to review')).toBeVisible()
    await host.page.getByRole('tab', { name: 'Closed' }).click()
    await expect(card('Not my best side')).toContainText('Closed by Olivia Ortega')

    // Only people who may read reports see a link to them.
    await guest.page.goto('/settings')
    await expect(guest.page.getByRole('link', { name: 'Devices' })).toBeVisible()
    await expect(guest.page.getByRole('link', { name: 'Reports' })).toHaveCount(0)
    await host.page.goto('/settings')
    await host.page.getByRole('link', { name: 'Reports' }).click()
    await host.page.getByRole('tab', { name: 'Closed' }).click()
    await card('Not my best side').getByRole('link', { name: 'View' }).click()
    await expect(host.page).toHaveURL(new RegExp(`/events/${id}/photos/${photo}$`))
    await expect(host.page.getByRole('img', { name: /Gus/ }).first()).toBeVisible()
    // Only a page with a live channel hears of it: a page that reloads says instead that the photo is gone.
    await gus.api.gallery.captionPhoto({ event_photo_id: Number(photo), event_photo_caption: 'By the lake' })
    await expect(host.page.getByText('By the lake').first()).toBeVisible()
    await gus.api.gallery.deletePhoto({ event_photo_id: Number(photo) })
    // The page goes back by itself, which would close a page that is opened meanwhile.
    await expect(host.page).toHaveURL(/\/reports$/)
    await host.page.reload()
    await host.page.getByRole('tab', { name: 'Closed' }).click()
    await expect(card('Not how we talk').getByRole('link', { name: 'View' })).toBeVisible()
    await expect(card('Not my best side')).toBeVisible()
    await expect(card('Not my best side').getByRole('link')).toHaveCount(0)

    await host.page.goto(`/events/${id}`)
    await host.page.getByRole('button', { name: 'More about this event' }).click()
    await host.page.getByRole('menuitem', { name: 'Hosts’ activity' }).click()
    await expect(host.page.getByText('Hid a message by Gus Grant')).toBeVisible()
    await expect(host.page.getByText('Closed a report')).toHaveCount(2)
    await guest.page.goto(`/events/${id}/chat`)
    await expect(guest.page.getByText('Hidden by a host')).toBeVisible()
    await expect(guest.page.getByText('Something nasty')).toHaveCount(0)
    for (const { complaints } of [guest, host]) expect(complaints).toEqual([])
  })
})

import { photographerPhotosMax } from '@afterglow/contract/limits'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { joinAs, messageOf, signIn, write } from './steps.ts'

needing(browser).describe('a code at the door', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))

  test('is made by the organizer, and lets a stranger in with only a name, within ten seconds', async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
    const host = await visit({ size: 'desktop' })
    await signIn(host.page, olivia)
    await host.page.goto(`/events/${id}/links`)
    await host.page.getByRole('button', { name: 'New link' }).click()
    await host.page.getByRole('button', { name: 'Create link' }).click()
    const code = host.page.getByRole('img', { name: 'QR code that leads to Lanterns' })
    await expect(code).toBeVisible()
    expect(
      await code.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBeGreaterThan(0)
    const { data } = await olivia.api.links.listLinks({ event_id: id, page: 1, page_length: 5 })
    const address = data[0]?.link_url

    const guest = await visit({ size: 'phone' })
    const began = Date.now()
    // Typed as from paper.
    const short =
      (await host.page
        .getByText(/^[A-Z]+-\d{4}$/)
        .first()
        .textContent()) ?? ''
    await guest.page.goto(`/${short.toLowerCase().replace('-', ' ')}.`)
    await expect(guest.page).toHaveURL(url => url.pathname === new URL(address ?? '').pathname)
    await joinAs(guest.page, 'Ana')
    await expect(guest.page.getByRole('link', { name: 'Photos', exact: true })).toBeVisible()
    expect(Date.now() - began).toBeLessThan(10_000)
    await guest.page.getByRole('link', { name: 'Chat', exact: true }).click()
    await write(guest.page, 'I am in')
    await expect(messageOf(guest.page, 'I am in')).toBeVisible()

    // She can save her account.
    await guest.page.goto('/settings')
    await guest.page.getByRole('link', { name: 'You’re here as a guest. Save your account.' }).click()
    await guest.page.getByLabel('E-mail').fill('ana@example.com')
    await guest.page.getByLabel('Password').fill('a long password')
    await guest.page.getByRole('button', { name: 'Save account' }).click()
    await expect(guest.page.getByText('You’re here as a guest')).toHaveCount(0)
    for (const { complaints } of [host, guest]) expect(complaints).toEqual([])
  })

  test('is not needed after an invitation by name, and guests cannot be invited', async () => {
    const [olivia, gus, ana] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus'), enter(app, 'ana')])
    const { id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const { page, complaints } = await visit()
    await signIn(page, olivia)
    await page.goto(`/events/${id}/guests`)
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'By name' }).click()
    const dialog = page.getByRole('dialog', { name: 'By name' })
    const search = dialog.getByLabel('Name or username')
    await search.fill(gus.username)
    const known = dialog.getByRole('button', { name: `@${gus.username}` })
    await expect(known).toBeDisabled()
    await expect(known).toContainText('Guest')
    await search.fill(ana.username)
    await dialog.getByRole('button', { name: `@${ana.username}` }).click()
    await dialog.getByRole('button', { name: 'Invite 1' }).click()
    await expect(page.getByText('1 person invited', { exact: true })).toBeVisible()
    expect((await ana.api.events.listInvitations({ page: 1, page_length: 5 })).data).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  test('opens the page in its address for a newcomer, a guest, and a viewer', {
    tags: 'slow',
  }, async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, event_id, gus)
    const image = new Blob([new Uint8Array(await jpeg({ width: 480, height: 320, seed: 1 }))])
    const photo = await olivia.api.gallery.uploadPhoto({ event_id, image, event_photo_caption: 'The first dance' })
    const message = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'See you at the lake' })
    const { extra, link_code } = await olivia.extra.links.makeLink({ event_id })
    const looking = await olivia.api.links.makeLink({ event_id, kind: 'look', shows_chat: true })
    const at = (page: Page, place: string) => expect(page).toHaveURL(url => url.pathname === place)
    const [ana, guest, looker] = await Promise.all([visit(), visit(), visit()])

    await ana.page.goto(`/${extra?.short_code}/photos/${photo.id}`)
    await joinAs(ana.page, 'Ana')
    await expect(ana.page.getByRole('dialog').getByText('The first dance').last()).toBeVisible()
    await at(ana.page, `/events/${event_id}/photos/${photo.id}`)

    await signIn(guest.page, gus)
    for (const code of [link_code, looking.link_code]) {
      await guest.page.goto(`/j/${code}/photos/${photo.id}`)
      await at(guest.page, `/events/${event_id}/photos/${photo.id}`)
      await guest.page.goto(`/j/${code}/chat?message=${message.id}`)
      await expect(guest.page.getByText('See you at the lake')).toBeVisible()
    }
    await at(guest.page, `/events/${event_id}/chat`)

    await looker.page.goto(`/j/${looking.link_code}/photos/${photo.id}`)
    await expect(looker.page.getByRole('dialog').getByText('The first dance').last()).toBeVisible()
    await looker.page.goto(`/j/${looking.link_code}/chat`)
    await expect(looker.page.getByText('See you at the lake')).toBeVisible()

    const photographer = await olivia.api.links.makeLink({ event_id, kind: 'drop', photographer: true })
    await guest.page.goto(`/j/${photographer.link_code}`)
    await expect(guest.page.getByText('This link is for the photographer')).toBeVisible()
    await expect(guest.page.getByText('Nothing changes for you')).toBeVisible()
    await guest.page.getByRole('button', { name: 'Add photos as the photographer' }).click()
    await at(guest.page, `/events/${event_id}/photos`)
    expect(await gus.api.gallery.readAllowance({ event_id })).toMatchObject({ photos_max: photographerPhotosMax })
    for (const { complaints } of [ana, guest, looker]) expect(complaints).toEqual([])
  })

  test('that is invalid says so, and so does an unreachable service', async () => {
    const { page } = await visit()
    await page.route('**/api/**', route => route.abort())
    await page.goto('/j/none-such')
    await expect(page.getByText('We’ll pick up where you left off.')).toBeVisible()
    await page.unroute('**/api/**')
    await expect(page.getByText('This link no longer works')).toBeVisible()
    await page.goto('/j/none-such')
    await expect(page.getByText('This link no longer works')).toBeVisible()
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    const { link_code } = await olivia.api.links.makeLink({ event_id: id })
    await olivia.api.events.cancelEvent({ event_id: id })
    await page.goto(`/j/${link_code}`)
    await expect(page.getByRole('heading', { name: 'This event has been cancelled.' })).toBeVisible()
    await expect(page.getByText('Ask the host for a new one')).toHaveCount(0)
  })
})

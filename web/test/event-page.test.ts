import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg, png } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { phaseAt } from '../src/events/phase.ts'
import { expectAccessible } from './axe.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

const hourMs = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString()

test('an event without an end is over a day after it began', () => {
  const event = { event_starts_at: '2030-06-21T20:00:00Z', event_ends_at: null }
  const at = (time: string) => phaseAt(event, new Date(time).getTime())
  expect(at('2030-06-21T19:59:59Z')).toBe('before')
  expect(at('2030-06-21T20:00:00Z')).toBe('during')
  expect(at('2030-06-22T20:00:00Z')).toBe('after')
  expect(phaseAt({ ...event, event_ends_at: '2030-06-21T23:00:00Z' }, Date.UTC(2030, 5, 21, 23))).toBe('after')
})

needing(browser).describe('the page of an event', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))

  test('begins with the important part before, during and after it, on a narrow phone, until that is switched off', async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    const hold = async (hours: number) => {
      const { id, group_chat_id } = await olivia.api.events.saveEvent(
        evening({ event_starts_at: inHours(hours), event_ends_at: inHours(hours + 4) }),
      )
      await bringIn(olivia, id, gus)
      return { id, group_chat_id, path: `/events/${id}` }
    }
    const cover = new Blob([new Uint8Array(await png({ width: 64, height: 48 }))])
    const [before, during, after] = [await hold(72), await hold(-1), await hold(-40)]
    await gus.api.chats.saveMessage({ group_chat_id: during.group_chat_id, message_content: 'Where is the cake?' })
    const add = async (event_id: number, seed: number) => {
      const image = new Blob([new Uint8Array(await jpeg({ width: 120, height: 80, seed }))])
      return Number((await gus.api.gallery.uploadPhoto({ event_id, image })).id)
    }
    await add(during.id, 1)
    const addLoved = async (seed: number) => {
      const event_photo_id = await add(after.id, seed)
      await olivia.api.gallery.likePhoto({ event_photo_id })
      return event_photo_id
    }
    const ids = [await addLoved(2)]

    const { event_name, event_starts_at } = await olivia.api.events.readEvent({ event_id: before.id })
    await olivia.api.events.saveEvent({ event_id: before.id, event_name, event_starts_at, event_avatar: cover })
    const { page, complaints } = await visit({ size: 'phone' })
    await page.setViewportSize({ width: 320, height: 640 })
    await signIn(page, olivia)
    const fits = async () => {
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    }
    await page.goto(before.path)
    const preparing = page.getByRole('region', { name: 'Before it begins' })
    await expect(page.getByText('In 3 days')).toBeVisible()
    await expect(page.locator('main .bg-ember')).toHaveText('Invite')
    await expect(preparing.getByRole('button', { name: 'Posters & table cards' })).toBeVisible()
    await expect(preparing.getByRole('link', { name: 'Add a co-host' })).toBeVisible()
    await expect(page.getByRole('link', { name: /coming/ })).toBeVisible()
    // The event has the colours of its cover.
    await expect(page.locator('article')).toHaveAttribute('style', /--day-ember: #/)
    await fits()

    await page.goto(during.path)
    const lasting = page.getByRole('region', { name: 'While it lasts' })
    await expect(page.locator('main .bg-ember')).toHaveText('Add photos')
    await expect(lasting.getByRole('link', { name: /Gus: Where is the cake\?/ })).toBeVisible()
    await expect(lasting.locator('[data-photo]')).toHaveCount(1)
    await add(during.id, 3)
    await expect(lasting.locator('[data-photo]')).toHaveCount(2)
    await fits()

    const loved = page.waitForRequest(/sort=most_liked/)
    await page.goto(after.path)
    expect(new URL((await loved).url()).searchParams.get('page_length')).toBe('4')
    const over = page.getByRole('region', { name: 'Now that it’s over' })
    await expect(page.locator('main .bg-ember')).toHaveText('Open the album')
    await expect(page.getByRole('link', { name: /^2 people · 1 photo/ })).toBeVisible()
    await expect(over.getByRole('heading', { name: 'Favourites' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add to calendar' })).toHaveCount(0)
    await fits()
    await over.getByRole('button', { name: 'Say thank you' }).click()
    await page.getByLabel('What should everyone know?').fill('Thank you all!')
    const thanks = page.getByRole('dialog', { name: 'Say thank you' })
    await expect(thanks.getByRole('button', { pressed: true })).toHaveCount(1)
    // Adds a photo that nobody has seen yet, which is then in the album.
    const buffer = Buffer.from(await jpeg({ width: 320, height: 240, seed: 77 }))
    await thanks.locator('input[type=file]').setInputFiles({ name: 'farewell.jpg', mimeType: 'image/jpeg', buffer })
    await expect(thanks.getByRole('img', { name: 'farewell.jpg' })).toBeVisible()
    await thanks.getByRole('button', { name: 'Send to everyone', exact: true }).click()
    await expect(page.getByText('Thank you all!')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Announcement' }).getByRole('img')).toHaveCount(2)

    // The fifth of equally liked photos moves up when one of the four is deleted.
    for (const seed of [21, 22, 23, 24]) ids.unshift(await addLoved(seed))
    await page.reload()
    const best = over.getByRole('heading', { name: 'Favourites' }).locator('..').getByRole('link')
    const shown = () =>
      best.evaluateAll(links => links.map(link => Number(link.getAttribute('href')?.split('/').at(-1))))
    await expect.poll(shown).toEqual(ids.slice(0, 4))
    await gus.api.gallery.deletePhoto({ event_photo_id: ids[0] ?? 0 })
    await expect.poll(shown).toEqual(ids.slice(1))

    const guest = await visit({ size: 'phone', theme: 'dark' })
    await signIn(guest.page, gus)
    await guest.page.goto(before.path)
    await guest.page.getByRole('button', { name: 'Yes', exact: true }).click()
    await expect(guest.page.locator('main .bg-ember')).toHaveText('Yes')
    await guest.page.locator('summary').click()
    await expectAccessible(guest.page)

    await olivia.api.events.saveEvent({ event_id: after.id, event_page_lives: false })
    await page.goto(after.path)
    await expect(page.getByRole('button', { name: 'Add photos' })).toBeVisible()
    await expect(over).toHaveCount(0)
    expect(complaints).toEqual([])
  })
})

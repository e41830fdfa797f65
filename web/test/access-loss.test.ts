import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { png } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { messageOf, signIn } from './steps.ts'

needing(browser).describe('a page whose access ends while it is open', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  /** Gus has four pages of an event open at once. */
  const looking = async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    await gus.api.gallery.uploadPhoto({ event_id: id, image: new Blob([await png({ width: 240, height: 160 })]) })
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'I am here' })
    const { page, context, complaints } = await visit()
    await signIn(page, gus)
    await page.goto(`/events/${id}`)
    const open = async (path: string) => {
      const next = await context.newPage()
      await next.goto(`/events/${id}${path}`)
      return next
    }
    const pages = {
      event: page,
      photos: await open('/photos'),
      guests: await open('/guests'),
      chat: await open('/chat'),
    }
    const seen = {
      event: pages.event.getByRole('link', { name: 'Photos' }),
      photos: pages.photos.locator('[data-photo]'),
      guests: pages.guests.getByText('@olivia'),
      chat: messageOf(pages.chat, 'I am here'),
    }
    for (const each of Object.values(seen)) await expect(each).toBeVisible()
    return { olivia, gus, id, pages, seen, complaints }
  }

  test('of a deleted event closes, and says so', { tags: 'slow' }, async () => {
    const { olivia, id, pages, seen, complaints } = await looking()
    await olivia.api.events.deleteEvent({ event_id: id })
    for (const each of [pages.event, pages.photos, pages.guests]) {
      await expect(each.getByText('This event was deleted, or you’re not on its guest list')).toBeVisible()
      await expect(each.getByRole('main').getByRole('link', { name: 'Events' })).toBeVisible()
    }
    await expect(pages.chat.getByText('This chat was deleted, or you’re not on its guest list')).toBeVisible()
    for (const each of Object.values(seen)) await expect(each).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  test('of an organizer who becomes a guest closes, and says whose it is', {
    tags: 'slow',
  }, async () => {
    const { olivia, gus, id, pages, complaints } = await looking()
    await olivia.api.events.makeOrganizer({ event_id: id, user_id: gus.id })
    const open = { event: 'links', photos: 'waiting', guests: 'log', chat: 'edit' } as const
    for (const [page, path] of Object.entries(open))
      await pages[page as keyof typeof open].goto(`/events/${id}/${path}`)
    await expect(pages.event.getByRole('button', { name: 'New link' })).toBeVisible()
    await olivia.api.events.unmakeOrganizer({ event_id: id, user_id: gus.id })
    for (const page of Object.values(pages)) await expect(page.getByText('Only hosts can see this page')).toBeVisible()
    await pages.event.getByRole('link', { name: 'Event details' }).click()
    await expect(pages.event).toHaveURL(new RegExp(`/events/${id}$`))
    expect(complaints).toEqual([])
  })

  test('of a removed guest shows nothing of the event any more', async () => {
    const { olivia, gus, id, pages, seen, complaints } = await looking()
    await olivia.api.events.removeGuest({ event_id: id, user_id: gus.id })
    for (const each of Object.values(seen)) await expect(each).toHaveCount(0)
    for (const each of [pages.photos, pages.guests])
      await expect(each.getByText('This event was deleted, or you’re not on its guest list')).toBeVisible()
    await expect(pages.chat.getByText('This chat is for guests only')).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('of a hidden photo closes for its viewers, but not for its organizer', {
    tags: 'slow',
  }, async () => {
    const [olivia, gus, ana] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus'), enter(app, 'ana')])
    const { id } = await olivia.api.events.saveEvent(evening())
    for (const guest of [gus, ana]) await bringIn(olivia, id, guest)
    const image = new Blob([await png({ width: 240, height: 160 })])
    const photo = await gus.api.gallery.uploadPhoto({ event_id: id, image })
    const [guest, host] = await Promise.all([visit(), visit({ size: 'desktop' })])
    await signIn(guest.page, ana)
    await signIn(host.page, olivia)
    await guest.page.goto(`/events/${id}/photos`)
    const looking = await guest.context.newPage()
    for (const page of [looking, host.page]) await page.goto(`/events/${id}/photos/${photo.id}`)
    const tile = guest.page.locator('[data-photo]')
    await expect(tile).toBeVisible()
    for (const page of [looking, host.page])
      await expect(page.getByRole('button', { name: /^Comments and details/ })).toBeVisible()
    await olivia.api.gallery.hidePhoto({ event_photo_id: Number(photo.id) })
    await expect(looking.getByText('This photo was deleted', { exact: true })).toBeVisible()
    await expect(looking).toHaveURL(`/events/${id}/photos`)
    await expect(looking.getByText('No photos yet')).toBeVisible()
    await expect(tile).toHaveCount(0)
    await host.page.getByRole('button', { name: 'More actions' }).click()
    await host.page.getByRole('menuitem', { name: 'Show to guests' }).click()
    await expect(tile).toBeVisible()
    await expect(looking.locator('[data-photo]')).toBeVisible()
    for (const { complaints } of [guest, host]) expect(complaints).toEqual([])
  })

  test('in one tab is up to date when another tab shows it again', {
    tags: 'slow',
  }, async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const image = new Blob([await png({ width: 240, height: 160 })])
    const photo = await gus.api.gallery.uploadPhoto({ event_id: id, image })
    const { page, context } = await visit()
    await signIn(page, gus)
    await page.goto('/chats')
    await expect(page.getByRole('link', { name: /lake/ }).first()).toBeVisible()
    const album = await context.newPage()
    await album.goto(`/events/${id}/photos`)
    await expect(album.locator('[data-photo]')).toHaveCount(1)
    const kept = (words: string) =>
      page.evaluate(async what => {
        const open = await new Promise<IDBDatabase>(resolve => {
          const asked = indexedDB.open('afterglow')
          asked.onsuccess = () => resolve(asked.result)
        })
        const all = open.transaction('seen').objectStore('seen').getAll()
        await new Promise(resolve => {
          all.onsuccess = resolve
        })
        open.close()
        return JSON.stringify(all.result).includes(what)
      }, words)
    await expect.poll(() => kept(`"id":"${photo.id}"`)).toBe(true)
    await album.close()

    await olivia.api.gallery.deletePhoto({ event_photo_id: Number(photo.id) })
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'One photo fewer' })
    await expect(page.getByText('One photo fewer').first()).toBeVisible()
    await expect.poll(() => kept('One photo fewer')).toBe(true)
    await page.reload()
    await page.getByRole('link', { name: 'Events' }).first().click()
    await page.getByRole('link', { name: /lake/ }).first().click()
    await page.getByRole('link', { name: 'Photos' }).click()
    await expect(page.getByText('No photos yet')).toBeVisible()
  })

  test('keeps an unfinished message over a sign-in, which leads back to the chat', {
    tags: 'slow',
  }, async () => {
    const { gus, id, pages, complaints } = await looking()
    const { chat } = pages
    await chat.getByRole('textbox', { name: 'Message' }).fill('I was just about to say')
    await gus.api.accounts.logout({ all_devices: true })
    await expect(chat.getByText('Your session has ended.')).toBeVisible()
    await chat.getByLabel('E-mail or username').fill(gus.email)
    await chat.getByLabel('Password').fill(gus.password)
    await chat.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(chat.getByRole('textbox', { name: 'Message' })).toHaveValue('I was just about to say')
    expect(chat.url()).toBe(`${app.url}/events/${id}/chat`)
    expect(complaints).toEqual([])
  })
})

import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter, type Member } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { png } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { messageOf, write } from './steps.ts'

needing(browser).describe('a device after its user’s session ended', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })

  /** The number of entries that this browser stores for each user. */
  const stored = (page: Page) =>
    page.evaluate(async () => {
      // Opening it here first would create it without its stores.
      const made = (await indexedDB.databases()).some(({ name }) => name === 'afterglow')
      if (!made) return { kept: 0, seen: 0, outbox: 0, pictures: 0 }
      const open = await new Promise<IDBDatabase>((resolve, reject) => {
        const asked = indexedDB.open('afterglow')
        asked.onsuccess = () => resolve(asked.result)
        asked.onerror = () => reject(asked.error)
      })
      const rows = (store: string) =>
        new Promise<unknown[]>(resolve => {
          const asked = open.transaction(store).objectStore(store).getAll()
          asked.onsuccess = () => resolve(asked.result)
        })
      const [kept, seen, outbox] = [await rows('kept'), await rows('seen'), await rows('outbox')]
      open.close()
      return {
        kept: kept.length,
        seen: seen.length,
        outbox: outbox.length,
        pictures: (await (await caches.open('afterglow-pictures')).keys()).length,
      }
    })
  const comesIn = async (page: Page, { email, password }: Member) => {
    await page.goto('/sign-in')
    await page.getByLabel('E-mail or username').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible()
  }

  test('is cleared in all its tabs, however it ended; unsent items wait for their author alone', async () => {
    const [olivia, gus, sam] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'sam')]
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
    await bringIn(olivia, id, gus)
    await olivia.api.events.saveEvent(evening({ event_id: id, event_name: 'Lanterns', event_visibility: 3 }))
    const image = new Blob([await png({ width: 240, height: 160 })])
    await olivia.api.gallery.uploadPhoto({ event_id: id, image })
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'The boat leaves!' })

    const { page: one, context } = await visit({ still: true })
    await comesIn(one, gus)
    await one.goto(`/events/${id}/photos`)
    await one.goto(`/events/${id}/chat`)
    await expect(messageOf(one, 'The boat leaves!')).toBeVisible()
    const other = await context.newPage()
    await other.goto(`/events/${id}/chat`)
    await expect(messageOf(other, 'The boat leaves!')).toBeVisible()
    await expect.poll(async () => (await stored(one)).seen).toBeGreaterThan(0)
    await one.evaluate(() =>
      caches.open('afterglow-pictures').then(cache => cache.put('/media/1/preview', new Response('x'))),
    )

    // The session ends from another device while something waits to be sent, and another text is unfinished.
    await context.setOffline(true)
    await write(one, 'Not sent yet')
    await expect.poll(async () => (await stored(one)).outbox).toBe(1)
    await one.getByRole('textbox', { name: 'Message' }).fill('Only begun')
    const device_id = await one.evaluate(() => localStorage.getItem('afterglow.device') ?? '')
    await gus.api.accounts.removeDevice({ device_id })
    await context.setOffline(false)
    for (const page of [one, other]) {
      await expect(page).toHaveURL(/\/sign-in/)
      await expect(page.getByText('Unsent messages stay on this device')).toBeVisible()
      await expect(page.getByText('The boat leaves!')).toHaveCount(0)
    }
    await expect.poll(() => stored(one)).toEqual({ kept: 0, seen: 0, outbox: 1, pictures: 0 })

    // Another user finds nothing of it, sends none of it, and takes none of it along.
    await comesIn(one, sam)
    await expect(one.getByText('Lanterns')).toHaveCount(0)
    await one.goto('/settings')
    await one.getByRole('button', { name: 'Sign out' }).click()
    await one.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    await expect(one).toHaveURL(/\/(?:sign-in.*)?$/)
    await expect.poll(() => stored(one)).toMatchObject({ kept: 0, seen: 0, outbox: 1 })
    const said = async () =>
      (await olivia.api.chats.listMessages({ group_chat_id, page: 1, page_length: 10 })).data.map(
        ({ message_content, user }) => [message_content, user.id],
      )
    expect(await said()).toEqual([['The boat leaves!', olivia.id]])

    await comesIn(one, gus)
    await expect.poll(said).toEqual([
      ['Not sent yet', gus.id],
      ['The boat leaves!', olivia.id],
    ])
    await one.goto(`/events/${id}/chat`)
    await expect(one.getByRole('textbox', { name: 'Message' })).toHaveValue('Only begun')
  })

  test('shows the other tabs nothing of the previous user once another signs in', async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    await olivia.api.events.saveEvent(evening({ event_name: 'Olivia alone', event_visibility: 3 }))
    const { page: one, context } = await visit({ still: true })
    await comesIn(one, olivia)
    await expect(one.getByText('Olivia alone')).toBeVisible()
    const other = await context.newPage()
    await other.goto('/events')
    await expect(other.getByText('Olivia alone')).toBeVisible()
    await expect.poll(async () => (await stored(one)).seen).toBeGreaterThan(0)
    const { token } = await app.as().accounts.authenticate({
      user_login_option_type: 1,
      user_login_id: gus.email,
      user_password: gus.password,
      device_id: 'web-the-same',
      user_timezone: 'UTC',
      user_device_platform: 'web',
    })
    const session = { token, expiresAt: new Date(Date.now() + 86_400_000).toISOString(), userId: gus.id }
    await one.evaluate(kept => localStorage.setItem('afterglow.session', kept), JSON.stringify(session))
    await one.reload()
    for (const page of [one, other]) {
      await expect(page.getByText('Nothing planned yet')).toBeVisible()
      await expect(page.getByText('Olivia alone')).toHaveCount(0)
    }
  })
})

import { randomUUID } from 'node:crypto'
import { test } from 'vitest'
import type { CompressedFile } from '../../server/src/platform/http/compressed-file.ts'
import { enter, type Member } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { openNotifiedApp } from '../../server/test/notified.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { wholeBrowser } from '../../server/test/tools.ts'
import { landingAt } from '../src/installed/push-display.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { pusher, shown, tap } from './pushes.ts'
import { isKept, messageOf, signIn, write } from './steps.ts'

needing(wholeBrowser).describe('the client as an app', async () => {
  const webClient = await readyClient()
  const { app, service } = await openNotifiedApp({ webClient })
  const { visit } = openBrowser(app.url, { installs: true, serviceWorkers: 'allow' })

  test('is installed, read offline, notified by push and updated', async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const picture = new File([await jpeg({ width: 640, height: 480 })], 'lantern.jpg', { type: 'image/jpeg' })
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Bring a lantern', attachments: [picture] })

    const { page, context, complaints } = await visit()
    await context.grantPermissions(['notifications'])
    // Only the browser's subscription is simulated, as its maker's push service is out of reach.
    const { subscription, messages } = service.subscribe()
    await page.addInitScript(({ endpoint, p256dh, auth }) => {
      const subscribed = { toJSON: () => ({ endpoint, keys: { p256dh, auth } }), unsubscribe: async () => true }
      PushManager.prototype.subscribe = async () => subscribed as unknown as PushSubscription
    }, subscription)
    await signIn(page, gus)
    await page.goto('/events')
    const cdp = await context.newCDPSession(page)

    // It can be installed, and its worker works.
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
    expect((await cdp.send('Page.getAppManifest')).errors).toEqual([])
    expect((await cdp.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual(installable)

    // Pages seen before work offline, at their own address and after a restart.
    await page.goto(`/events/${id}/chat`)
    await expect(messageOf(page, 'Bring a lantern')).toBeVisible()
    await expect.poll(() => isKept(page, 'Bring a lantern')).toBe(true)
    const preview = await page
      .locator('img[src*="/preview"]')
      .first()
      .evaluate(image => (image as HTMLImageElement).src)
    await expect.poll(() => page.evaluate(pictures)).toContain(new URL(preview).pathname)
    await context.setOffline(true)
    await page.reload()
    // This includes a URL with another day's signature, which no other cache knows.
    expect(await page.evaluate(widthOf, `${new URL(preview).pathname}?s=another`)).toBe(640)
    await expect(messageOf(page, 'Bring a lantern')).toBeVisible()
    await expect(page.getByText('You’re offline. You can still read what you’ve opened.')).toBeVisible()
    await context.setOffline(false)

    // After the first message the page offers pushes, and a test push arrives.
    await write(page, 'I bring two')
    await expect(page.getByRole('button', { name: 'Turn on' })).toBeVisible()
    // The offer stands above the chat, which makes room for it.
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
    for (const each of [messageOf(page, 'I bring two'), page.getByRole('textbox')]) {
      await expect(each).toBeInViewport({ ratio: 1 })
    }
    await page.getByRole('button', { name: 'Turn on' }).click()
    await expect(page.getByText('Shall we tell you')).toBeHidden()
    await page.goto('/settings')
    await page.getByRole('main').getByRole('link', { name: 'Notifications' }).click()
    await expect(page.getByRole('switch', { name: 'Push notifications' })).toBeChecked()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await expect.poll(messages).toHaveLength(1)
    const push = await pusher(cdp, app.url)
    await push(messages()[0])
    // A push service may deliver it twice.
    await push(messages()[0])
    await expect.poll(() => shown(page)).toEqual([['Afterglow', 'Pushes reach this device.']])

    // A tap on another notification opens the exact message, and it is read.
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: `How many, @${gus.username}?` })
    await expect.poll(() => toldOf(gus, 'mention')).toBeDefined()
    await push({ ...(await toldOf(gus, 'mention')), tag: `chat:${group_chat_id}`, unread: 1 })
    await expect.poll(() => shown(page)).toHaveLength(2)
    await context.serviceWorkers()[0]?.evaluate(tap(`chat:${group_chat_id}`))
    await expect(page).toHaveURL(new RegExp(`/events/${id}/chat`))
    await expect(messageOf(page, 'How many')).toBeInViewport()
    await expect.poll(() => toldOf(gus, 'mention')).toMatchObject({ read: true })
    await expect.poll(() => shown(page)).toHaveLength(1)

    // A page that a tap opens, as none was open, reads the tapped notification's link.
    await page.goto((await toldOf(gus, 'mention'))?.link + landingAt({ id: messages()[0].id, link: '' }))
    await expect(messageOf(page, 'How many')).toBeInViewport()
    await expect.poll(() => toldOf(gus, 'test')).toMatchObject({ read: true })
    expect(page.url()).not.toContain('#')

    // The page offers a newer build, and a tap installs it.
    const { files } = webClient.current()
    const { type, immutable, plain } = files.get('/sw.js') as CompressedFile
    const etag = randomUUID()
    files.set('/sw.js', { type, immutable, etag, plain: Buffer.concat([plain, Buffer.from(`// ${etag}`)]) })
    await page.evaluate(async () => void (await navigator.serviceWorker.getRegistration())?.update())
    await expect(page.getByText('A new version is ready')).toBeVisible()
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reload' }).click()])
    await expect(messageOf(page, 'How many')).toBeVisible()
    await expect.poll(() => page.evaluate(isWaiting)).toBe(false)

    // Signing out leaves nothing behind.
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await expect.poll(() => page.evaluate(pictures)).toEqual([])
    expect(await isKept(page, 'Bring a lantern')).toBe(false)
    expect(complaints).toEqual([])
  })
})

const isWaiting = async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting)

/** The pictures that are available offline. */
const pictures = async () => {
  if (!(await caches.has('afterglow-pictures'))) return []
  const kept = await (await caches.open('afterglow-pictures')).keys()
  return kept.map(({ url }) => new URL(url).pathname)
}

const widthOf = async (src: string) => {
  const image = new Image()
  image.src = src
  await image.decode()
  return image.naturalWidth
}

/** A private window can do everything except install. */
const installable = [{ errorId: 'in-incognito', errorArguments: [] }]

/** A member's newest notification of a kind, as a push shows it. */
const toldOf = async ({ api }: Member, kind: string) => {
  const { data } = await api.notifications.listNotifications({ page: 1, page_length: 10 })
  const found = data.find(({ notification_kind }) => notification_kind === kind)
  return (
    found && {
      id: String(found.id),
      kind: found.notification_kind,
      title: found.notification_title,
      body: found.notification_body,
      link: found.notification_link,
      read: found.read,
    }
  )
}

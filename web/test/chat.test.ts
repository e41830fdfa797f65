import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { isKept, messageOf, signIn, write } from './steps.ts'

needing(browser).describe('a chat', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })
  /** An event of two people, both in its chat. */
  const gathering = async (lines = 0) => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    for (let line = 1; line <= lines; line++)
      await gus.api.chats.saveMessage({ group_chat_id, message_content: `Line number ${line} of the evening` })
    if (lines > 0) {
      const { data } = await olivia.api.chats.listMessages({ group_chat_id, page: 1, page_length: 1 })
      await olivia.api.chats.markSeen({ message_id: data[0]?.id ?? 0 })
    }
    const { page, context, complaints } = await visit({ size: 'phone' })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/chat`)
    return { olivia, gus, page, context, complaints, event_id: id, group_chat_id }
  }
  /** Holds back everything from the channel until released. */
  const heldChannel = async (page: Page) => {
    const held = Promise.withResolvers<void>()
    await page.routeWebSocket(/realtime/, socket => {
      socket.connectToServer().onMessage(frame => void held.promise.then(() => socket.send(frame)))
    })
    return { letThrough: held.resolve }
  }
  const said = async (who: { api: Awaited<ReturnType<typeof enter>>['api'] }, group_chat_id: number) =>
    (await who.api.chats.listMessages({ group_chat_id, page: 1, page_length: 100 })).data
      .map(({ message_content }) => message_content)
      .toReversed()

  test('a message written offline outlives a reload and arrives once, in order', async () => {
    const { page, context, gus, group_chat_id, complaints } = await gathering()
    await write(page, 'With a network')
    await expect(page.getByText('sending')).toHaveCount(0)
    await expect.poll(() => isKept(page, 'With a network')).toBe(true)
    await context.setOffline(true)
    await expect(page.getByText('You’re offline. You can still read what you’ve opened.')).toBeVisible()
    for (const words of ['First', 'Second', 'Third']) await write(page, words)
    await expect(page.getByText('sending')).toHaveCount(3)

    // The page itself reloads, but its service is unavailable.
    await page.route('**/api/**', route => route.abort())
    await context.setOffline(false)
    await page.reload()
    await expect(messageOf(page, 'With a network')).toBeVisible()
    await expect(page.getByText('sending')).toHaveCount(3)
    expect(await said(gus, group_chat_id)).toEqual(['With a network'])

    await page.unrouteAll({ behavior: 'wait' })
    await expect(page.getByText('sending')).toHaveCount(0, { timeout: 60_000 })
    await expect(messageOf(page, 'Third')).toHaveCount(1)
    expect(await said(gus, group_chat_id)).toEqual(['With a network', 'First', 'Second', 'Third'])
    expect(complaints.filter(words => !/Failed to fetch|ERR_/.test(words))).toEqual([])
  })

  test('a message written before the page has loaded its outbox stays, and is sent', async () => {
    const { page, gus, group_chat_id, complaints } = await gathering()
    await page.addInitScript(() => {
      const { getAll } = IDBObjectStore.prototype
      IDBObjectStore.prototype.getAll = function (...asked) {
        const request = getAll.apply(this, asked)
        if (this.name !== 'outbox') return request
        const listen = request.addEventListener.bind(request)
        const held = (event: string, tell: EventListener) =>
          listen(event, event === 'success' ? told => Object.assign(window, { tellRead: () => tell(told) }) : tell)
        return Object.assign(request, { addEventListener: held })
      }
    })
    const held = Promise.withResolvers<void>()
    await page.route('**/api/message?*', route => held.promise.then(() => route.continue()))
    await page.reload()
    await page.waitForFunction(() => 'tellRead' in window)
    await write(page, 'At once')
    await expect(page.getByText('sending')).toHaveCount(1)
    await page.evaluate(() => (window as unknown as { tellRead(): void }).tellRead())
    await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    await expect(page.getByText('sending')).toHaveCount(1)
    held.resolve()
    await expect(page.getByText('sending')).toHaveCount(0)
    expect(await said(gus, group_chat_id)).toEqual(['At once'])
    expect(complaints).toEqual([])
  })

  test('a message appears even if the one after it is announced first', { tags: 'slow' }, async () => {
    const { page, gus, group_chat_id, complaints } = await gathering()
    const channel = await heldChannel(page)
    await page.reload()
    await write(page, 'One')
    await expect(page.getByText('sending')).toHaveCount(0)
    let asked = 0
    await page.route('**/api/message/list?*', route => (asked++ === 0 ? route.abort() : route.continue()))
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Two' })
    await write(page, 'Three')
    for (const words of ['Two', 'Three']) await expect(messageOf(page, words)).toBeVisible()

    // While the page with Four is loading, Five stays in place, and the channel announces both.
    await page.unrouteAll()
    const [answered, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/api/message/list?*', async route => {
      const response = await route.fetch()
      answered.resolve()
      await held.promise
      await route.fulfill({ response })
    })
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Four' })
    await write(page, 'Five')
    await answered.promise
    await expect(page.getByText('Five', { exact: true })).toBeVisible()
    await expect(page.getByText('sending')).toHaveCount(1)
    await expect(page.getByText('Four', { exact: true })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Jump to the newest message' })).toHaveCount(0)
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Six' })
    channel.letThrough()
    // A channel held for long may reload everything, which waits for the page as well.
    held.resolve()
    for (const words of ['Four', 'Five', 'Six']) await expect(messageOf(page, words)).toBeVisible()
    await expect(page.getByText('sending')).toHaveCount(0)
    for (const words of ['Four', 'Five', 'Six']) await expect(messageOf(page, words)).toHaveCount(1)
    expect(complaints.filter(words => !/ERR_/.test(words))).toEqual([])
  })

  test('a message read offline is marked as seen once online', async () => {
    const { page, context, olivia, gus, group_chat_id, complaints } = await gathering()
    await write(page, 'Anybody?')
    await expect.poll(() => isKept(page, 'Anybody?')).toBe(true)
    await page.route('**/api/message/seen/**', async route => {
      await context.setOffline(true)
      await route.abort()
    })
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Me' })
    await expect(page.getByText('You’re offline. You can still read what you’ve opened.')).toBeVisible()
    await page.unrouteAll()
    await context.setOffline(false)
    const seen = async () =>
      (await gus.api.chats.listMessages({ group_chat_id, page: 1, page_length: 1 })).data[0]?.seens.map(
        ({ user }) => user.id,
      )
    await expect.poll(seen).toContain(olivia.id)
    expect(complaints.filter(words => !/ERR_/.test(words))).toEqual([])
  })

  test('a long history scrolls upwards without jumps, and a search result is shown in its place', {
    tags: 'slow',
  }, async () => {
    const { page, complaints } = await gathering(160)
    const log = page.getByRole('log')
    await expect(messageOf(page, 'Line number 160 of')).toBeVisible()
    const seen = new Set<number>()
    const givesUpAt = Date.now() + 60_000
    while (!seen.has(1) && Date.now() < givesUpAt) {
      for (const words of await log.getByRole('article').allInnerTexts())
        seen.add(Number(/number (\d+)/.exec(words)?.[1]))
      await log.evaluate(element => element.scrollBy(0, -300))
      // Slowly enough to be read.
      await page.waitForTimeout(180)
    }
    expect(Array.from({ length: 160 }, (_, at) => at + 1).filter(line => !seen.has(line))).toEqual([])

    await page.getByRole('button', { name: 'Jump to the newest message' }).click()
    await expect(messageOf(page, 'Line number 160 of')).toBeInViewport()
    // However fast the user scrolls, and however late the frames come: the place where they stop has text.
    await log.evaluate(
      element =>
        new Promise<void>(stopped => {
          const step = () => {
            const before = element.scrollTop
            element.scrollTop -= 150
            const until = performance.now() + 25
            while (performance.now() < until);
            if (element.scrollTop === before) stopped()
            else requestAnimationFrame(step)
          }
          requestAnimationFrame(step)
        }),
    )
    await expect(messageOf(page, 'Line number 1 of')).toBeInViewport()
    await expect(log).toHaveAttribute('aria-busy', 'false')
    await page.getByRole('button', { name: 'Search messages' }).click()
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('number 42')
    await page.getByRole('button', { name: /Line number 42 of/ }).click()
    await expect(messageOf(page, 'Line number 42 of')).toBeInViewport()
    expect(complaints).toEqual([])
  })

  test('a reader further up stays in place while messages and reactions come below and older pages above', {
    tags: 'slow',
  }, async () => {
    const { page, gus, group_chat_id, complaints } = await gathering(130)
    const log = page.getByRole('log')
    const line = messageOf(page, 'Line number 110 of')
    const top = () => line.evaluate(element => element.getBoundingClientRect().top)
    await expect(messageOf(page, 'Line number 130 of')).toBeInViewport()
    await expect(log).toHaveAttribute('aria-busy', 'false')
    let comes = () => {}
    const coming = new Promise<void>(resolve => {
      comes = resolve
    })
    await page.route('**/api/message/list?*', route => coming.then(() => route.continue()))
    const drawn = () =>
      page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
    // A skipped off-screen row has a guessed height until the jump to it is drawn.
    await line.evaluate(element => element.scrollIntoView({ block: 'center' }))
    await drawn()
    const before = await top()
    // The older page is requested as the user comes near.
    comes()
    await expect(messageOf(page, 'Line number 40 of')).toBeAttached()
    await expect(log).toHaveAttribute('aria-busy', 'false')
    expect(Math.abs((await top()) - before)).toBeLessThan(1)

    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'One more\nof two lines' })
    await expect(messageOf(page, 'One more')).toBeAttached()
    expect(Math.abs((await top()) - before)).toBeLessThan(1)
    const { data } = await gus.api.chats.listMessages({ group_chat_id, page: 1, page_length: 20 })
    for (const words of ['Line number 112 of', 'Line number 129 of']) {
      const { id } = data.find(({ message_content }) => message_content.startsWith(words)) ?? { id: '' }
      await gus.api.chats.reactToMessage({ message_id: id, message_reaction: '🎉' })
      await expect(messageOf(page, words).getByRole('button', { name: '🎉, 1 person' })).toBeAttached()
    }
    await drawn()
    expect(Math.abs((await top()) - before)).toBeLessThan(1)
    expect(complaints).toEqual([])
  })

  test('a reader at the end stays there, and a returning one begins at the first unread message', {
    tags: 'slow',
  }, async () => {
    const { page, olivia, gus, event_id, group_chat_id, complaints } = await gathering(60)
    await expect(messageOf(page, 'Line number 60 of')).toBeInViewport()
    await expect(page.getByRole('log')).toHaveAttribute('aria-busy', 'false')
    for (let line = 1; line <= 3; line++)
      await gus.api.chats.saveMessage({ group_chat_id, message_content: `New at the end ${line}` })
    await expect(messageOf(page, 'New at the end 3')).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: 'Jump to the newest message' })).toHaveCount(0)
    const seen = async () =>
      (await gus.api.chats.listMessages({ group_chat_id, page: 1, page_length: 1 })).data[0]?.seens.map(
        ({ user }) => user.id,
      )
    await expect.poll(seen).toContain(olivia.id)

    const later = await visit({ size: 'phone' })
    await page.close()
    for (let line = 1; line <= 70; line++)
      await gus.api.chats.saveMessage({ group_chat_id, message_content: `Unread number ${line} of seventy` })
    await signIn(later.page, olivia)
    await later.page.goto(`/events/${event_id}/chat`)
    await expect(messageOf(later.page, 'Unread number 1 of')).toBeInViewport()
    await expect(later.page.getByRole('log')).toHaveAttribute('aria-busy', 'false')
    const [log, line] = [
      await later.page.getByRole('log').boundingBox(),
      await later.page.getByRole('log').getByText('New', { exact: true }).boundingBox(),
    ]
    expect(Math.abs((line?.y ?? 0) - (log?.y ?? 0))).toBeLessThan(40)
    await expect(messageOf(later.page, 'Unread number 70 of')).not.toBeInViewport()
    await later.page.getByRole('button', { name: 'Jump to the newest message' }).click()
    await expect(messageOf(later.page, 'Unread number 70 of')).toBeInViewport({ ratio: 1 })
    expect([complaints, later.complaints]).toEqual([[], []])
  })

  test('a reply links to its quote, a picture is added to the album, a draft is kept', {
    tags: 'slow',
  }, async () => {
    const { page, gus, group_chat_id, event_id, complaints } = await gathering(3)
    await messageOf(page, 'Line number 2').getByRole('button', { name: 'Reactions and more' }).click()
    await page.getByRole('menuitem', { name: 'Reply' }).click()
    await write(page, 'That one')
    const reply = messageOf(page, 'That one')
    await expect(reply.getByRole('button', { name: /Replies to.*Line number 2/ })).toBeVisible()

    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Add photos' }).click(),
    ])
    await chooser.setFiles('demo/photos/lanterns-on-the-lake.jpg')
    await page.getByRole('textbox', { name: 'Add a caption' }).fill('Look at this')
    await page.getByRole('button', { name: 'Send' }).click()
    await messageOf(page, 'Look at this').getByRole('button', { name: 'Add to the album' }).click()
    await expect(messageOf(page, 'Look at this').getByText('In the album')).toBeVisible()
    expect((await gus.api.gallery.listPhotos({ event_id, page: 1, page_length: 10 })).data).toHaveLength(1)

    await page.getByRole('textbox', { name: 'Message' }).fill('Not yet sent @g')
    await page.getByRole('option', { name: /@gus/ }).click()
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(/^Not yet sent @gus\S* $/)
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(/^Not yet sent @gus\S* $/)
    expect((await said(gus, group_chat_id)).filter(words => words.startsWith('Not yet'))).toEqual([])
    expect(complaints).toEqual([])
  })

  test('a reply to a message deleted meanwhile arrives by itself', { tags: 'slow' }, async () => {
    const { page, gus, group_chat_id, complaints } = await gathering()
    const asked = await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Is there parking?' })
    await messageOf(page, 'Is there parking?').getByRole('button', { name: 'Reactions and more' }).click()
    await page.getByRole('menuitem', { name: 'Reply' }).click()
    await gus.api.chats.deleteMessage({ message_id: asked.id })
    await expect(page.getByText('Message deleted')).toBeVisible()
    await write(page, 'Behind the pier')
    await expect(messageOf(page, 'Behind the pier')).toBeVisible()
    await expect.poll(() => said(gus, group_chat_id)).toContain('Behind the pier')
    expect(complaints).toEqual([])
  })

  test('a pinned message leads a guest to it, and disappears from the top when unpinned', {
    tags: 'slow',
  }, async () => {
    const { page, gus, event_id, complaints } = await gathering(60)
    await messageOf(page, 'Line number 60 of').getByRole('button', { name: 'Reactions and more' }).click()
    await page.getByRole('menuitem', { name: 'Pin', exact: true }).click()
    const pinned = page.getByRole('region', { name: 'Pinned message' })
    await expect(pinned).toContainText('Line number 60 of')

    const guest = await visit()
    await signIn(guest.page, gus)
    await guest.page.goto(`/events/${event_id}/chat`)
    const onTop = guest.page.getByRole('region', { name: 'Pinned message' })
    await expect(onTop).toContainText('Line number 60 of')
    await expect(onTop.getByRole('button', { name: 'Unpin' })).toHaveCount(0)
    await guest.page.getByRole('log').evaluate(log => log.scrollTo(0, -log.scrollHeight))
    await expect(messageOf(guest.page, 'Line number 60 of')).not.toBeInViewport()
    await onTop.getByRole('button').click()
    await expect(messageOf(guest.page, 'Line number 60 of')).toBeInViewport()

    await pinned.getByRole('button', { name: 'Unpin' }).click()
    for (const bar of [pinned, onTop]) await expect(bar).toHaveCount(0)
    expect([complaints, guest.complaints]).toEqual([[], []])
  })
})

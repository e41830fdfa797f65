import type { CDPSession, Locator } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { messageOf, signIn } from './steps.ts'

needing(browser).describe('a touch in a chat', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  const chat = async (locale = 'en') => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
    await bringIn(olivia, id, gus)
    for (const message_content of ['The first boat leaves at nine', 'Bring a jacket'])
      await gus.api.chats.saveMessage({ group_chat_id, message_content })
    const visitor = await visit({ still: true, locale })
    await signIn(visitor.page, olivia)
    await visitor.page.goto(`/events/${id}/chat`)
    await expect(visitor.page.getByRole('textbox')).toBeVisible()
    return { ...visitor, olivia, gus, group_chat_id, cdp: await visitor.context.newCDPSession(visitor.page) }
  }
  const point = async (message: Locator) => {
    const box = (await message.locator('p').first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  type Point = { x: number; y: number }
  const touch = (cdp: CDPSession, type: 'touchStart' | 'touchMove' | 'touchEnd', at?: Point, timestamp?: number) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [], ...(timestamp && { timestamp }) })
  /** A tenth of a second apart, even on a busy machine. */
  const tapTwice = async (cdp: CDPSession, at: Point) => {
    const start = Date.now() / 1000
    for (const tap of [start, start + 0.1]) {
      await touch(cdp, 'touchStart', at, tap)
      await touch(cdp, 'touchEnd', undefined, tap + 0.02)
    }
  }
  /** Sent at once: awaited one by one, a busy machine holds the finger long enough for the menu. */
  const swipe = (cdp: CDPSession, from: Point, dx: number) =>
    Promise.all([
      touch(cdp, 'touchStart', from),
      ...[1, 2, 3, 4, 5, 6, 7, 8].map(step => touch(cdp, 'touchMove', { x: from.x + (dx * step) / 8, y: from.y })),
      touch(cdp, 'touchEnd'),
    ])

  test('held on a message opens its menu', async () => {
    const { page, cdp, complaints } = await chat()
    await touch(cdp, 'touchStart', await point(messageOf(page, 'Bring a jacket')))
    await expect(page.getByRole('menuitem', { name: 'Reply' })).toBeVisible()
    await touch(cdp, 'touchEnd')
    await expect(page.getByRole('menuitem', { name: 'Reply' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('menu')).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  test('twice on a message adds a heart, and does not remove it', async () => {
    const { page, cdp, complaints } = await chat()
    const message = messageOf(page, 'Bring a jacket')
    const loved = () =>
      expect(message.getByRole('button', { name: '❤️, 1 person' })).toHaveAttribute('aria-pressed', 'true', {
        timeout: 60_000,
      })
    // The chat may still be moving under the first touch.
    await expect(async () => {
      await tapTwice(cdp, await point(message))
      await loved()
    }).toPass()
    await tapTwice(cdp, await point(message))
    await page.waitForLoadState('networkidle')
    await loved()
    expect(complaints).toEqual([])
  })

  test.each([
    ['en', 90],
    ['ar', -90],
  ])('swiped over a message in %s replies to it, and scrolling does not', async (locale, dx) => {
    const { page, cdp } = await chat(locale)
    const message = messageOf(page, 'The first boat leaves at nine')
    await swipe(cdp, await point(message), -dx)
    await swipe(cdp, await point(message), dx / 4)
    const quoted = page.locator('[id=main] .border-ember').filter({ hasText: 'The first boat' })
    await expect(quoted).toHaveCount(0)
    await swipe(cdp, await point(message), dx)
    await expect(quoted).toHaveCount(1)
    // A key press after the touch is no click of the touch.
    await page.locator('[id=main] .border-ember').getByRole('button').press('Enter')
    await expect(quoted).toHaveCount(0)
  })

  test('pulls a sheet down to close it, and a short pull lets it return', async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    const { page, context, complaints } = await visit()
    const cdp = await context.newCDPSession(page)
    await signIn(page, olivia)
    await page.goto(`/events/${id}/links`)
    await page.getByRole('button', { name: 'New link' }).first().click()
    const sheet = page.getByRole('dialog')
    const title = sheet.getByRole('heading')
    const top = async () => Math.round((await title.boundingBox())?.y ?? 0)
    const pull = async (dy: number) => {
      const { x = 0, y = 0 } = (await title.boundingBox()) ?? {}
      const at = (step: number) => ({ x: x + 30, y: y + 10 + (dy * step) / 8 })
      await touch(cdp, 'touchStart', at(0))
      for (let step = 1; step <= 8; step++) {
        await touch(cdp, 'touchMove', at(step))
        // The finger pauses before it is released: no fling.
        await page.waitForTimeout(step === 8 ? 100 : 10)
      }
      await touch(cdp, 'touchMove', at(8))
      await touch(cdp, 'touchEnd')
    }
    await sheet.evaluate(each => Promise.all(each.getAnimations().map(({ finished }) => finished)))
    const before = await top()
    await pull(60)
    await expect.poll(top).toBe(before)
    await pull(500)
    await expect(sheet).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  test('keeps the last message and the field above the keyboard', async () => {
    const { page, complaints } = await chat()
    const field = page.getByRole('textbox')
    const last = messageOf(page, 'Bring a jacket')
    const above = async (height: number) => {
      await page.setViewportSize({ width: 360, height })
      for (const each of [last, field]) await expect(each).toBeInViewport({ ratio: 1 })
      const [message, writing] = await Promise.all([last.boundingBox(), field.boundingBox()])
      expect((message?.y ?? 0) + (message?.height ?? 0)).toBeLessThanOrEqual(writing?.y ?? 0)
      expect(height - (writing?.y ?? 0) - (writing?.height ?? 0)).toBeLessThan(40)
    }
    await field.tap()
    // Chromium's report: the page itself is lower by the same amount.
    for (const height of [360, 740]) await above(height)
    expect(complaints).toEqual([])
  })

  test('chooses three pictures, which look the same before and after sending', { tags: 'slow' }, async () => {
    const { page, context } = await chat()
    const pictures = await Promise.all(
      [1, 2, 3].map(async seed => ({
        name: `${seed}.jpg`,
        mimeType: 'image/jpeg',
        buffer: Buffer.from(await jpeg({ width: 400, height: 300, seed })),
      })),
    )
    const sizes = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('[role=log] .grid > div')].map(each => {
          const { width, height } = each.getBoundingClientRect()
          return [Math.round(width), Math.round(height)]
        }),
      )
    await context.setOffline(true)
    await page.locator('input[type=file]').setInputFiles(pictures)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText('sending').first()).toBeVisible()
    await expect.poll(async () => (await sizes()).length).toBe(3)
    const before = await sizes()
    await context.setOffline(false)
    await expect(page.getByText('sending')).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Open photo/ })).toHaveCount(3)
    expect(await sizes()).toEqual(before)
  })

  test('chooses a person to mention, and the following text stays in order', async () => {
    const { page } = await chat()
    const field = page.getByRole('textbox')
    await field.fill('Hello , how are you?')
    await page.evaluate(() => (document.querySelector('textarea') as HTMLTextAreaElement).setSelectionRange(6, 6))
    await field.press('@')
    await field.press('g')
    await expect(page.getByRole('option').first()).toBeVisible()
    // Faster than a frame.
    await page.evaluate(() => {
      const field = document.querySelector('textarea') as HTMLTextAreaElement
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
      for (const key of 'and') document.execCommand('insertText', false, key)
    })
    await expect(field).toHaveValue(/^Hello @gus[\w.]* and, how are you\?$/)
  })
})

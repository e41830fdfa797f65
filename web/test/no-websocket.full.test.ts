import { expect as expectNow, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { freePort } from '../../server/test/free-port.ts'
import { needing } from '../../server/test/needing.ts'
import { openNginx, upgrading } from '../../server/test/nginx.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser, nginx } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { firefox } from './engines/firefox.ts'
import { tabOf } from './engines/tab.ts'
import { webkit } from './engines/webkit.ts'
import { messageOf, signIn } from './steps.ts'

const soon = { timeout: 60_000 }

needing(browser, nginx).describe('behind an nginx that lets no WebSocket through', { timeout: 120_000 }, async () => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const app = await openTestApp({}, { webClient: await readyClient(), env: { PUBLIC_URL: publicUrl } })
  const nginx = await openNginx(app.url, { port, location: '' })
  const { visit } = openBrowser(publicUrl)

  const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
  const { id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
  await bringIn(olivia, id, gus)
  const says = (message_content: string) => olivia.api.chats.saveMessage({ group_chat_id, message_content })
  const upload = async (seed: number) => {
    const image = new Blob([new Uint8Array(await jpeg({ width: 320, height: 240, seed }))])
    await olivia.api.gallery.uploadPhoto({ event_id: id, image })
  }
  const bar = 'Slow connection: new messages may be delayed.'

  test('a guest sees others’ messages and photos within seconds, and reads that they come a little later', async () => {
    const { page } = await visit()
    await signIn(page, gus)
    await says('Before you came')
    await page.goto(`/events/${id}/chat`)
    await expect(messageOf(page, 'Before you came')).toBeVisible()
    await says('While you look')
    await expect(messageOf(page, 'While you look')).toBeVisible(soon)
    await expect(page.getByText(bar)).toBeVisible()
    await expectAccessible(page)

    // A returning user finds stored messages, and new ones.
    await page.goto('about:blank')
    await says('While you were away')
    await page.goto(`/events/${id}/chat`)
    await expect(messageOf(page, 'While you were away')).toBeVisible(soon)

    await page.goto(`/events/${id}/photos`)
    await upload(1)
    await expect(page.locator('[data-photo]')).toHaveCount(1, soon)
    await page.goto('about:blank')
    await upload(2)
    await page.goto(`/events/${id}/photos`)
    await expect(page.locator('[data-photo]')).toHaveCount(2, soon)
  })

  test('a page opened from another one reloads its data, and a hidden one polls nothing', async () => {
    const { page } = await visit()
    await signIn(page, gus)
    await page.goto('/events')
    await page
      .getByRole('link', { name: /Lanterns/ })
      .first()
      .click()
    await expect(page.getByText(bar)).toBeVisible()

    const asked: string[] = []
    page.on('request', request => request.url().includes('/realtime/sync') && asked.push(request.url()))
    const look = (state: string) =>
      page.evaluate(now => {
        Object.defineProperty(document, 'visibilityState', { value: now, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await look('hidden')
    await page.waitForTimeout(500)
    asked.length = 0
    await page.waitForTimeout(8_000)
    expect(asked).toEqual([])
    await says('While it was in a pocket')
    await look('visible')
    await expect.poll(() => asked.length, soon).toBeGreaterThan(0)
    await page.goto(`/events/${id}/chat`)
    await expect(messageOf(page, 'While it was in a pocket')).toBeVisible(soon)
  })

  const arabic = 'الاتصال بطيء: قد تتأخر الرسائل الجديدة.'
  /** Runs in the page: checks the bar with this message. */
  const wrongBar = (_: Element | null, words: string) => {
    const bar = document.querySelector('[data-bar] p')
    if (!bar?.textContent?.includes(words)) return ['it is not said']
    const { left, right } = bar.getBoundingClientRect()
    return [
      document.documentElement.scrollWidth > innerWidth && 'the page is wider than its window',
      (left < 0 || right > innerWidth) && 'it is outside',
      (bar.scrollHeight > bar.clientHeight || bar.scrollWidth > bar.clientWidth) && 'it is cut off',
      getComputedStyle(bar).direction !== 'rtl' && 'it is read from the left',
    ].filter(Boolean)
  }

  test('the bar is whole at 320 px in Arabic', async () => {
    const { page } = await visit({ locale: 'ar' })
    await page.setViewportSize({ width: 320, height: 640 })
    await signIn(page, gus)
    for (const at of ['', '/chat']) {
      await page.goto(`/events/${id}${at}`)
      await expect(page.getByText(arabic)).toBeVisible(soon)
      expectNow(await page.evaluate(`(${wrongBar})(null, ${JSON.stringify(arabic)})`)).toEqual([])
    }
  })

  for (const engine of [webkit, firefox])
    needing(engine.tool).test(`the bar is whole in Arabic in ${engine.name}, and messages arrive`, async () => {
      const opened = await engine.open({ width: 390, height: 844, phone: true })
      try {
        const tab = tabOf(opened.driver, publicUrl)
        await tab.signIn(gus, 'ar')
        await tab.open(`/events/${id}/chat`)
        await tab.reads(arabic)
        expectNow(await tab.run(wrongBar, undefined, arabic)).toEqual([])
        await says(`Said to ${engine.name}`)
        await tab.reads(`Said to ${engine.name}`)
      } finally {
        await opened.close()
      }
    })

  test('a client that can connect again uses the channel, and the bar disappears', async () => {
    const { page } = await visit()
    await signIn(page, gus)
    await page.goto(`/events/${id}/chat`)
    await expect(page.getByText(bar)).toBeVisible()
    nginx.change(upgrading)
    await page.waitForTimeout(1_000)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(page.getByText(bar)).toHaveCount(0)
    await says('At once')
    await expect(messageOf(page, 'At once')).toBeVisible(soon)
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { builtClient, readyClient } from './client.ts'
import { messageOf, signIn, write } from './steps.ts'

needing(browser).describe('a page’s code', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })

  test('is reloaded after a newer version has replaced it', async () => {
    const olivia = await enter(app, 'olivia')
    await olivia.api.events.saveEvent(evening())
    const { page, complaints } = await visit()
    await signIn(page, olivia)
    // Prevents the offline shell, which would have kept the files.
    await page.addInitScript(() => {
      ServiceWorkerContainer.prototype.register = () => new Promise(() => {})
    })
    await page.goto('/events')
    await page.waitForLoadState('networkidle')
    let replaced = true
    await page.route('**/assets/*.js', route => (replaced ? route.fulfill({ status: 404 }) : route.continue()))
    page.on('request', request => {
      replaced &&= !request.isNavigationRequest()
    })
    await page.getByRole('link', { name: /lake/ }).first().click()
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await write(page, 'Still here')
    await expect(messageOf(page, 'Still here')).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('is not requested endlessly if a file is gone for good', { tags: 'slow' }, async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    const { page } = await visit()
    await signIn(page, olivia)
    await page.addInitScript(() => {
      ServiceWorkerContainer.prototype.register = () => new Promise(() => {})
      // It has reloaded twice so far; a third time would be twenty seconds later.
      sessionStorage.setItem('afterglow.reloaded', `${Date.now() - 11_000} 2`)
    })
    let requested = 0
    await page.route('**/assets/menu-sheet-*.js', route => {
      requested += 1
      return route.fulfill({ status: 404 })
    })
    let opened = 0
    page.on('request', request => {
      opened += request.isNavigationRequest() ? 1 : 0
    })
    await page.goto(`/events/${id}/chat`)
    await page.getByRole('button', { name: 'More about this chat' }).click()
    await expect(page.getByText('This part did not load.')).toBeVisible()
    await expect.poll(() => requested).toBeGreaterThan(2)
    expect(opened).toBe(1)
  })

  test('loads although its module was returned before it had run, and the page says so until then', {
    tags: 'slow',
  }, async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    const { page, complaints } = await visit()
    await signIn(page, olivia)
    const assets = join(builtClient, 'assets')
    const file = readdirSync(assets).find(name => /^menu-sheet-.*\.js$/.test(name)) ?? ''
    const [, names = ''] = /export\{([^}]*)\}/.exec(readFileSync(join(assets, file), 'utf8')) ?? []
    const exported = names.split(',').map(each => each.split(' as ').at(-1))
    // Simulates an engine that does not wait: every name exists, and has no value yet.
    const unready = `let ${exported.map(name => `_${name}`)}
      export {${exported.map(name => `_${name} as ${name}`)}}
      addEventListener('ready', async () => {
        const all = await import('./${file}?ready')
        ${exported.map(name => `_${name} = all.${name}`).join(';')}
      })`
    await page.route(`**/assets/${file}`, route => route.fulfill({ contentType: 'text/javascript', body: unready }))
    // The page does not reload: it already has.
    await page.addInitScript(() => sessionStorage.setItem('afterglow.reloaded', String(Date.now())))
    await page.goto(`/events/${id}/chat`)
    await page.getByRole('button', { name: 'More about this chat' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'This part did not load.' }).first()).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('ready')))
    await expect(page.getByRole('menu')).toBeVisible()
    await expect(page.getByText('This part did not load.')).toHaveCount(0)
    // Other callers of that module cannot know meanwhile.
    expect(complaints.filter(words => !/is not a function/.test(words))).toEqual([])
  })

  test('follows the channel and sends waiting items, although neither loaded at first', {
    tags: 'slow',
  }, async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const { page } = await visit()
    await signIn(page, olivia)
    await page.addInitScript(() => {
      ServiceWorkerContainer.prototype.register = () => new Promise(() => {})
    })
    const failed = new Set<string>()
    await page.route(/\/(?:follow-channel|outbox|idb|upload-queue)-[^/]*\.js$/, route => {
      failed.add(new URL(route.request().url()).pathname.replace(/-.*/, ''))
      return route.abort('internetdisconnected')
    })
    await page.goto(`/events/${id}/chat`)
    await expect.poll(() => [...failed]).toContain('/assets/follow')
    await page.evaluate(() => Object.assign(window, { stillHere: true }))
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Are you there?' })
    await page.unrouteAll()
    await expect(messageOf(page, 'Are you there?')).toBeVisible()
    expect(await page.evaluate(() => 'stillHere' in window)).toBe(true)
  })

  test('of a menu or dialog that fails to load says so, can be closed, and opens once it can', {
    tags: 'slow',
  }, async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id } = await olivia.api.events.saveEvent(evening())
    const { page, context } = await visit()
    await signIn(page, olivia)
    // Simulates a first visit, while the service worker does not have the client's files yet.
    await page.addInitScript(() => {
      ServiceWorkerContainer.prototype.register = () => new Promise(() => {})
    })
    const sentence = page.getByRole('alert').filter({ hasText: 'This part did not load.' })
    const browser = await context.newCDPSession(page)
    const openWithoutCode = async (path: string, button: string, opened: 'menu' | 'dialog') => {
      await browser.send('Network.clearBrowserCache')
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      await context.setOffline(true)
      await page.getByRole('button', { name: button }).first().click()
      await expect(sentence).toBeInViewport()
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await expect(sentence).toHaveCount(0)
      await page.getByRole('button', { name: button }).first().click()
      await expect(sentence).toBeVisible()
      await context.setOffline(false)
      await expect(page.getByRole(opened)).toBeVisible()
      await expect(sentence).toHaveCount(0)
    }
    await openWithoutCode(`/people/${gus.id}`, 'More about this person', 'menu')
    await openWithoutCode(`/events/${id}/chat`, 'More about this chat', 'menu')
    await openWithoutCode(`/events/${id}/links`, 'New link', 'dialog')
  })
})

import { globSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect as expectNow, test } from 'vitest'
import { readConfig } from '../../server/src/settings/config.ts'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { freePort } from '../../server/test/free-port.ts'
import { needing } from '../../server/test/needing.ts'
import { newFolder } from '../../server/test/new-folder.ts'
import { openNginx, upgrading } from '../../server/test/nginx.ts'
import { evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { nginx, wholeBrowser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { firefox } from './engines/firefox.ts'
import { button, field, link, tabOf } from './engines/tab.ts'
import { webkit } from './engines/webkit.ts'
import { pusher, shown, tap } from './pushes.ts'
import { isKept, joinAs, messageOf, password, safe, write } from './steps.ts'

const publicPath = '/party'

test('no path of the service equals one of the client’s', async () => {
  // Imported by its path, as the types of the whole client would come along otherwise.
  const { pages }: { pages: object } = await import(join(import.meta.dirname, '../src/shell/page-table.ts'))
  const service = ['/api', '/assets', '/calendar', '/docs', '/healthz', '/media', '/metrics', '/readyz', '/realtime']
  const mails = ['/undo-email', '/unsubscribe']
  for (const path of [...Object.keys(pages), ...service, ...mails].filter(path => path !== '/'))
    expectNow(() => readConfig({ PUBLIC_URL: `https://club.example${path.replace(/\/:.*/, '')}` }), path).toThrow()
})

test('two instances on one host share no name of a storage, channel or lock', () => {
  const sources = join(import.meta.dirname, '../src')
  const fixed = globSync('**/*.{ts,tsx}', { cwd: sources }).filter(file =>
    /['"`]afterglow[.-]|open(?:DB<\w+>)?\(['"`]|new BroadcastChannel\('|locks\??\.request\('|caches\.open\('/.test(
      readFileSync(join(sources, file), 'utf8'),
    ),
  )
  expectNow(fixed).toEqual([])
})

test('no page links to the root of the host', () => {
  const sources = join(import.meta.dirname, '../src')
  const leading = globSync('**/*.{ts,tsx}', { cwd: sources }).filter(file =>
    /location\.(?:replace|assign)\(['"`]\/|location(?:\.href)? = ['"`]\//.test(
      readFileSync(join(sources, file), 'utf8'),
    ),
  )
  expectNow(leading).toEqual([])
})

/** Runs in the page: the names of all storage that pages of a host share. */
const sharedNames = async () => {
  const { held = [] } = await navigator.locks.query()
  return [
    ...Object.keys(localStorage),
    ...Object.keys(sessionStorage),
    ...(await caches.keys()),
    ...(await indexedDB.databases()).map(({ name }) => name ?? ''),
    ...held.map(({ name }) => name ?? ''),
  ]
}

needing(wholeBrowser, nginx).describe('the client below a path of another site', async () => {
  const port = await freePort()
  const host = `http://party.localhost:${port}`
  const publicUrl = host + publicPath
  const app = await openTestApp({}, { webClient: await readyClient(publicPath), env: { PUBLIC_URL: publicUrl } })
  await openNginx(app.url, {
    port,
    location: 'return 404;',
    more: `location = /healthz { return 200; } location ${publicPath}/ { proxy_pass ${app.url}; ${upgrading} }`,
  })
  const { visit } = openBrowser(publicUrl, { serviceWorkers: 'allow' })
  const { visit: visitAsApp } = openBrowser(publicUrl, { installs: true, serviceWorkers: 'allow' })

  /** A visitor's browser, and its requests to the rest of the host. */
  const come = async (by = visit) => {
    const visitor = await by()
    const outside: string[] = []
    const sockets: string[] = []
    visitor.context.on('request', request => {
      const url = request.url()
      if (url.startsWith(host) && !url.startsWith(`${publicUrl}/`)) outside.push(url)
    })
    visitor.page.on('websocket', socket => sockets.push(socket.url()))
    return { ...visitor, outside, sockets }
  }
  const signedIn = (page: Page) =>
    page.evaluate(() => JSON.parse(localStorage.getItem('/party afterglow.session') ?? '{}'))

  test('lets a guest in by a link, with chat and photos, and touches no neighbour', async () => {
    const olivia = await enter(app, 'olivia')
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    const { link_url } = await olivia.api.links.makeLink({ event_id })
    const { page, outside, sockets, complaints } = await come()
    await page.goto(link_url)
    await joinAs(page, 'Fabio')
    await expect(page).toHaveURL(`${publicUrl}/events/${event_id}`)
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await expect(page).toHaveURL(`${publicUrl}/events/${event_id}/chat`)
    await expect.poll(() => sockets.map(url => new URL(url).pathname)).toContain(`${publicPath}/realtime/`)
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'By the channel' })
    await expect(messageOf(page, 'By the channel')).toBeVisible()
    const image = new Blob([new Uint8Array(await jpeg({ width: 320, height: 240, seed: 2 }))])
    await olivia.api.gallery.uploadPhoto({ event_id, image })
    await page.goto(`${publicUrl}/events/${event_id}/photos`)
    await expect(page.locator('[data-photo] img').first()).toHaveJSProperty('complete', true)
    const names = await page.evaluate(sharedNames)
    expect(names.length).toBeGreaterThan(3)
    expect(names.filter(name => !name.startsWith(`${publicPath} afterglow`))).toEqual([])
    expect([outside, complaints]).toEqual([[], []])
  })

  test('works for an evening, offline and from a notification too, and touches no neighbour', {
    tags: 'slow',
  }, async () => {
    const { page, context, outside, sockets, complaints } = await come(visitAsApp)
    await page.goto(`${publicUrl}/`)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Create account' }).click()
    await expect(page).toHaveURL(`${publicUrl}/register`)
    for (const [label, text] of [
      ['Your name', 'Olivia Ortega'],
      ['E-mail', 'olivia@example.com'],
      ['Password', password],
    ] as const)
      await page.getByLabel(label).fill(text)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page).toHaveURL(`${publicUrl}/events`)
    const worker = page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
    expect(await worker).toBe(`${publicUrl}/`)

    const olivia = app.as((await signedIn(page)).token)
    const { id, group_chat_id } = await olivia.events.saveEvent(evening({ event_name: 'Lanterns' }))
    const { link_url } = await olivia.links.makeLink({ event_id: id })
    const guest = await come(visitAsApp)
    await guest.page.goto(link_url)
    await joinAs(guest.page, 'Fabio')
    await expect(guest.page).toHaveURL(`${publicUrl}/events/${id}`)
    await guest.page.goto(`${publicUrl}/events/${id}/photos`)
    const buffer = await jpeg({ width: 320, height: 240 })
    await guest.page
      .locator('input[type=file]:not([data-camera])')
      .setInputFiles([{ name: 'a.jpg', mimeType: 'image/jpeg', buffer }])
    await expect(guest.page.getByRole('region', { name: 'Uploading' }).getByRole('status')).toHaveText(safe(1))

    await page.goto(`${publicUrl}/events`)
    await page
      .getByRole('link', { name: /Lanterns/ })
      .first()
      .click()
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await expect(page).toHaveURL(`${publicUrl}/events/${id}/chat`)
    await guest.page.goto(`${publicUrl}/events/${id}/chat`)
    await write(guest.page, 'By the channel')
    await expect(messageOf(page, 'By the channel')).toBeVisible()
    expect(sockets.map(url => new URL(url).pathname)).toContain(`${publicPath}/realtime/`)
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
    await expect.poll(() => isKept(page, 'By the channel', `${publicPath} afterglow`)).toBe(true)
    await context.setOffline(true)
    await page.reload()
    await expect(messageOf(page, 'By the channel')).toBeVisible()
    await context.setOffline(false)

    await page.goBack()
    await page.getByRole('link', { name: 'Photos', exact: true }).click()
    await expect(page.locator('[data-photo] img').first()).toHaveJSProperty('complete', true)

    await context.grantPermissions(['notifications'])
    const push = await pusher(await context.newCDPSession(page), host)
    const link = `/events/${id}/chat`
    await push({ id: '7', title: 'Fabio', body: 'By the channel', link, tag: `chat:${group_chat_id}` })
    await expect.poll(() => shown(page)).toEqual([['Fabio', 'By the channel']])
    await context.serviceWorkers()[0]?.evaluate(tap(`chat:${group_chat_id}`))
    await expect(page).toHaveURL(publicUrl + link)
    await expect(messageOf(page, 'By the channel')).toBeVisible()

    const look = await olivia.links.makeLink({ event_id: id, kind: 'look' })
    const onlooker = await come(visitAsApp)
    await onlooker.page.goto(look.link_url)
    await expect(onlooker.page.getByRole('heading', { name: 'Lanterns' }).first()).toBeVisible()
    await onlooker.page.goto(`${look.link_url}/photos`)
    await expect(onlooker.page.locator('[data-photo]')).toHaveCount(1)
    expect(onlooker.page.url()).toBe(`${look.link_url}/photos`)

    for (const each of [page, guest.page, onlooker.page]) {
      const names = await each.evaluate(sharedNames)
      expect(names.length).toBeGreaterThan(3)
      expect(names.filter(name => !name.startsWith(`${publicPath} afterglow`))).toEqual([])
    }
    expect([...outside, ...guest.outside, ...onlooker.outside]).toEqual([])
    expect([...complaints, ...guest.complaints, ...onlooker.complaints]).toEqual([])
  })

  for (const engine of [webkit, firefox])
    needing(engine.tool).test(
      `lets a guest in, who writes and adds a photo, in ${engine.name}`,
      {
        tags: 'slow',
      },
      async () => {
        const olivia = await enter(app, 'olivia')
        const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
        const { link_code } = await olivia.api.links.makeLink({ event_id })
        const file = join(newFolder('photos'), 'pier.jpg')
        await writeFile(file, await jpeg({ width: 640, height: 480, seed: 9 }))
        const { driver, close } = await engine.open({ width: 390, height: 844, phone: true })
        try {
          const tab = tabOf(driver, publicUrl)
          const at = (path: string) => tab.holds(`it is ${path}`, (_, wanted) => location.pathname === wanted, path)
          await tab.open(`/j/${link_code}`)
          await tab.click(button('I’m in'))
          await tab.fill(field('Your name'), 'Fabio')
          await tab.click(button('Send'))
          await at(`${publicPath}/events/${event_id}`)
          await tab.click(link('Chat'))
          await tab.fill(field('Message'), 'I am in')
          await tab.click(button('Send'))
          await tab.reads('I am in')
          await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'By the channel' })
          await tab.reads('By the channel')
          await tab.open(`/events/${event_id}/photos`)
          await tab.choose('input[type=file]', [file])
          await tab.reads(safe(1))
          await tab.holds('the photo is there', () =>
            [...document.querySelectorAll<HTMLImageElement>('[data-photo] img')].some(
              ({ naturalWidth }) => naturalWidth > 0,
            ),
          )
          await tab.click({ css: '[data-photo]' })
          await tab.holds('it is open', () => /^\/party\/events\/\d+\/photos\/\d+$/.test(location.pathname))
          await tab.run(() => history.back())
          await at(`${publicPath}/events/${event_id}/photos`)
          // Its storage lies beside that of other instances on the host.
          const names = await tab.run(() => Object.keys(localStorage))
          expectNow(names.filter(name => !name.startsWith(`${publicPath} afterglow`))).toEqual([])
          expectNow(await tab.faults()).toEqual([])
        } finally {
          await close()
          await rm(dirname(file), { recursive: true })
        }
      },
    )

  test('opens without its trailing slash', async () => {
    const { page } = await visit()
    await page.goto(`${host}${publicPath}?next=%2Ffriends`)
    await expect(page).toHaveURL(`${publicUrl}/?next=%2Ffriends`)
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  })
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { afterAll, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { newFolder } from '../../server/test/new-folder.ts'
import { evening } from '../../server/test/party.ts'
import { padded } from '../../server/test/picture-blocks.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser as shell } from '../../server/test/tools.ts'
import { expect } from './browser.ts'
import { readyClient } from './client.ts'
import { allSafe } from './steps.ts'

const files = 40
const running: ChildProcess[] = []
const profile = newFolder('profile')

/** Kills the browser with all its processes, without a warning: data that is not on disk is lost. */
const pull = async (browser: ChildProcess) => {
  if (browser.exitCode !== null || browser.signalCode !== null) return
  const gone = once(browser, 'exit')
  process.kill(-(browser.pid as number), 'SIGKILL')
  await gone
}
afterAll(async () => {
  for (const browser of running) await pull(browser)
})

/** Starts a new browser on the same profile, as on a computer that was switched on again. */
const start = async () => {
  const args = [
    '--no-sandbox',
    '--no-first-run',
    `--user-data-dir=${profile}`,
    '--remote-debugging-port=0',
    'about:blank',
  ]
  const browser = spawn(shell.path() ?? '', args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  running.push(browser)
  let address = ''
  for await (const line of createInterface(browser.stderr)) {
    address = /listening on (ws:\S+)/.exec(line)?.[1] ?? ''
    if (address) break
  }
  browser.stderr.resume()
  const [context] = (await chromium.connectOverCDP(address)).contexts()
  const page = context?.pages()[0] ?? (await context?.newPage())
  return { browser, page: page as Page }
}

const tray = (page: Page) => page.getByRole('region', { name: 'Uploading' }).getByRole('status')

needing(shell).describe('a computer that loses power during an upload', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })

  test('twice, sends each photo once after its restart', { timeout: 240_000 }, async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening())
    const inAlbum = async () => (await olivia.api.gallery.listPhotos({ event_id: id, page: 1, page_length: 100 })).data
    const album = `${app.url}/events/${id}/photos`
    const slowly = (page: Page) =>
      page.route('**/api/gallery/upload', async route => {
        await sleep(150)
        await route.continue().catch(() => {})
      })
    const pulledAfter = async ({ browser, page }: Awaited<ReturnType<typeof start>>, count: number) => {
      await expect.poll(async () => (await inAlbum()).length, { intervals: [50] }).toBeGreaterThan(count)
      await pull(browser)
      void page
      return (await inAlbum()).length
    }

    const first = await start()
    await first.page.goto(`${app.url}/icon.svg`)
    const session = {
      token: olivia.token,
      expiresAt: new Date(Date.now() + 25 * 86_400_000).toISOString(),
      userId: olivia.id,
    }
    await first.page.evaluate(kept => localStorage.setItem('afterglow.session', kept), JSON.stringify(session))
    await slowly(first.page)
    await first.page.goto(album)
    await expect(first.page.getByText('No photos yet')).toBeVisible()
    const chosen = await Promise.all(
      Array.from({ length: files }, async (_, at) => {
        const small = await jpeg({ width: 96, height: 64, seed: at + 1 })
        // One is large enough for a resumable session.
        return { name: `${at}.jpg`, mimeType: 'image/jpeg', buffer: at === 1 ? padded(small, 6e6) : small }
      }),
    )
    await first.page.locator('input[type=file]:not([data-camera])').setInputFiles(chosen)
    const before = await pulledAfter(first, 3)

    const second = await start()
    await slowly(second.page)
    await second.page.goto(album)
    const after = await pulledAfter(second, before + 3)
    expect(after).toBeLessThan(files)

    const third = await start()
    await third.page.goto(album)
    await expect(tray(third.page)).toHaveText(allSafe, {
      timeout: 60_000,
    })
    const photos = await inAlbum()
    expect([photos.length, new Set(photos.map(photo => photo.id)).size]).toEqual([files, files])
    await third.page.reload()
    await expect(third.page.locator('[data-photo]').first()).toBeVisible()
    await expect(tray(third.page)).toHaveCount(0)
  })
})

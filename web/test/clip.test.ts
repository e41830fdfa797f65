import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { film, mirrored, roomOf, staged, stageOf } from '../../demo/src/stage.ts'
import { openTestApp } from '../../server/test/app.ts'
import { needing } from '../../server/test/needing.ts'
import { browser, tourWanted } from '../../server/test/tools.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'
import { tourEvening } from './tour-evening.ts'

const folder = join(import.meta.dirname, '../../docs/tour')
const photoOfTheGuest = join(import.meta.dirname, '../../demo/photos/two-sparklers.jpg')
const perSecond = 10

needing(browser, tourWanted).describe('with TOUR=1', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))

  test('a phone scans the code of the wall, and its photo appears on the wall', { timeout: 600_000 }, async () => {
    const { story, olivia } = await tourEvening(app.url)
    const { page: wall } = await visit({ size: 'screen', zone: 'Europe/Madrid' })
    await signIn(wall, olivia)
    await wall.goto(`/events/${story.eventId}/wall`)
    await expect(wall.getByRole('figure').filter({ hasText: 'Scan to join' })).toBeVisible()
    await wall.waitForLoadState('networkidle')

    const { page: phone } = await visit({ size: 'portrait', zone: 'Europe/Madrid' })
    await phone.setContent('<body style="background: #000">')
    const ahead = viewfinder(await wall.screenshot({ type: 'jpeg' }))
    const seen = { phone: await recorded(phone), wall: await recorded(wall) }

    /** The start of each part, and its seconds of the film. */
    const parts: { from: number; seconds: number }[] = []
    const part = async (seconds: number, act: () => Promise<unknown>, atLeast = 0) => {
      parts.push({ from: Date.now(), seconds })
      await act()
      await phone.waitForTimeout(atLeast)
    }
    await part(2.4, () => phone.setContent(ahead), 2_400)
    await part(
      1.2,
      async () => {
        await phone.goto(`/j/${story.code}`)
        await expect(phone.getByRole('button', { name: 'I’m in' })).toBeVisible()
        await settled(phone)
      },
      600,
    )
    await part(
      1.6,
      async () => {
        await phone.getByRole('button', { name: 'I’m in' }).click()
        await phone.getByLabel('Your name').pressSequentially('Noor', { delay: 200 })
      },
      400,
    )
    await part(
      2,
      async () => {
        await phone.getByRole('button', { name: 'Send' }).click()
        await expect(phone.getByRole('link', { name: 'Photos', exact: true })).toBeVisible()
        await settled(phone)
      },
      900,
    )
    await part(
      1.6,
      async () => {
        await phone.getByRole('link', { name: 'Photos', exact: true }).click()
        await expect(phone.getByRole('button', { name: 'Add photos' })).toBeVisible()
        await settled(phone)
      },
      900,
    )
    // Mirrored: the same photo is already in the album, and would not be added twice.
    const own = {
      name: 'sparklers.jpg',
      mimeType: 'image/jpeg',
      buffer: await mirrored(photoOfTheGuest),
    }
    await part(2.6, async () => {
      await phone.locator('input[type=file]:not([data-camera])').first().setInputFiles(own)
      await expect(wall.locator('div:not([aria-hidden=true]) > img[alt*="Noor"]')).toBeVisible({ timeout: 60_000 })
    })
    await part(1.2, async () => {}, 1_500)
    await part(2.4, () => phone.getByRole('button', { name: 'Not now' }).click(), 3_000)
    const end = Date.now()
    const both = { phone: await phone.screenshot(), wall: await wall.screenshot() }

    const stage = stageOf(1080)
    const room = await roomOf(stage)
    const encoder = film(join(folder, 'scan-to-wall.webp'), stage, perSecond)
    for (const [at, { from, seconds }] of parts.entries()) {
      const until = parts[at + 1]?.from ?? end
      for (let frame = 0; frame < Math.round(seconds * perSecond); frame++) {
        const time = from + ((until - from) * (frame + 1)) / (seconds * perSecond)
        const shown = { phone: seen.phone.at(time), wall: seen.wall.at(time) }
        if (!shown.phone || !shown.wall) throw new Error('nothing was seen')
        const picture = await staged(room, stage, { phone: shown.phone, wall: shown.wall })
        await encoder.add(await picture.removeAlpha().raw().toBuffer())
      }
    }
    await encoder.end()

    const large = stageOf(1600)
    const picture = await staged(await roomOf(large), large, both)
    await writeFile(join(folder, 'phone-and-wall.webp'), await picture.webp({ quality: 80, effort: 6 }).toBuffer())
  })
})

/** Records the page's contents from now on, each change with its time. */
const recorded = async (page: Page) => {
  const frames: { at: number; picture: Buffer }[] = [{ at: 0, picture: await page.screenshot() }]
  const session = await page.context().newCDPSession(page)
  session.on('Page.screencastFrame', ({ data, sessionId }) => {
    frames.push({ at: Date.now(), picture: Buffer.from(data, 'base64') })
    void session.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 })
  return { at: (time: number) => frames.findLast(({ at }) => at <= time)?.picture ?? frames[0]?.picture }
}

const settled = async (page: Page) => {
  await expect(page.locator('.animate-breathe, .animate-spin')).toHaveCount(0)
  await page.waitForLoadState('networkidle')
}

/** A phone's camera held up to the wall: it approaches, and finds the code. */
const viewfinder = (wall: Buffer) => `<meta name="viewport" content="width=device-width"><style>
  body { margin: 0; height: 100vh; overflow: hidden; background: #000; font: 600 15px system-ui, 'Noto Sans', sans-serif }
  img { position: absolute; width: 1500px; left: -1132px; top: -280px; transform-origin: 1327px 650px; animation: near 1.6s ease-out both }
  @keyframes near { from { transform: scale(.5) } to { transform: none } }
  .bar { position: absolute; inset-inline: 0; height: 96px; background: #000b } .foot { bottom: 0; height: 150px }
  .shutter { position: absolute; bottom: 40px; left: 160px; width: 62px; height: 62px; border: 4px solid #fff; border-radius: 50%; box-shadow: inset 0 0 0 4px #000, inset 0 0 0 40px #fff }
  .link { position: absolute; bottom: 176px; left: 50%; translate: -50%; background: #ffd60a; color: #000; padding: 9px 16px; border-radius: 99px; white-space: nowrap; animation: found .3s 1.5s both }
  @keyframes found { from { opacity: 0 } }
</style><img src="data:image/jpeg;base64,${wall.toString('base64')}"><div class="bar"></div><div class="bar foot"></div><div class="shutter"></div><div class="link">party.example</div>`

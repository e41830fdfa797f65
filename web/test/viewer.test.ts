import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter, type Member } from '../../server/test/cast.ts'
import { filmTool, hasFfmpeg, iphoneMov } from '../../server/test/films.ts'
import { later } from '../../server/test/later.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser, ffmpeg } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { atRest, expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

needing(browser).describe('a photo', async () => {
  const video = hasFfmpeg ? await filmTool() : undefined
  const app = await openTestApp({}, { webClient: await readyClient(), ...(video && { video }) })
  const { visit } = openBrowser(app.url)
  let seed = 100
  const album = async (photos: number, size = { width: 1200, height: 800 }) => {
    const olivia = await enter(app, 'olivia')
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    for (let number = 1; number <= photos; number++) {
      const image = new Blob([new Uint8Array(await jpeg({ ...size, seed: ++seed, grain: 8 }))])
      await olivia.api.gallery.uploadPhoto({ event_id: id, image, event_photo_caption: `Photo ${number}` })
    }
    return { olivia, id, group_chat_id }
  }
  const arrive = async (olivia: Member, id: number, wishes: Parameters<typeof visit>[0] = { size: 'portrait' }) => {
    const visitor = await visit(wishes)
    await signIn(visitor.page, olivia)
    await visitor.page.goto(`/events/${id}/photos`)
    await expect(tile(visitor.page, 'Photo 1').locator('img').last()).toHaveJSProperty('complete', true)
    // The viewer's code loads when the page is idle.
    await visitor.page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => /lightbox|photo-viewer/.test(name)),
    )
    await atRest(visitor.page)
    return visitor
  }
  const tile = (page: Page, name: string) => page.locator('[data-photo]').filter({ has: page.getByAltText(name) })
  const shot = (page: Page) => page.getByRole('dialog').locator('[data-shot]')
  /** A moving photo ignores touches. */
  const isStill = (page: Page) =>
    page.waitForFunction(
      () =>
        !document
          .getAnimations()
          .some(({ effect }) => (effect as KeyframeEffect).pseudoElement?.startsWith('::view-transition')),
    )
  const position = (page: Page) => page.getByRole('dialog').getByRole('status')

  test('shows an Arabic page’s comment in other letters at its author’s side', { tags: 'slow' }, async () => {
    const { olivia, id } = await album(1)
    const [photo] = (await olivia.api.gallery.listPhotos({ event_id: id, page: 1, page_length: 1 })).data
    const event_photo_id = Number(photo?.id)
    await olivia.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'What a light!' })
    await olivia.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'يا له من ضوء!' })
    const sides = async (locale: string) => {
      const { page, context } = await visit({ size: 'desktop', locale })
      await signIn(page, olivia)
      await page.goto(`/events/${id}/photos/${photo?.id}`)
      const comments = page.getByRole('article')
      await expect(comments).toHaveCount(2)
      const found = await comments.evaluateAll(all =>
        all.flatMap(comment =>
          [...comment.querySelectorAll('[dir=auto]')].map(words => {
            const range = document.createRange()
            range.selectNodeContents(words)
            const { left, right } = range.getBoundingClientRect()
            return { left: Math.round(left), right: Math.round(right) }
          }),
        ),
      )
      await context.close()
      return found
    }
    const [arabic, english] = [await sides('ar'), await sides('en')]
    expect(arabic).toHaveLength(4)
    expect(new Set(arabic.map(({ right }) => right)).size).toBe(1)
    expect(new Set(english.map(({ left }) => left)).size).toBe(1)
  })

  test('shows replies to a blocked person, and an exact count', { tags: 'slow' }, async () => {
    const { olivia, id } = await album(1)
    const [gus, ana] = await Promise.all([enter(app, 'gus'), enter(app, 'ana')])
    for (const guest of [gus, ana]) await bringIn(olivia, id, guest)
    const [photo] = (await olivia.api.gallery.listPhotos({ event_id: id, page: 1, page_length: 1 })).data
    const event_photo_id = Number(photo?.id)
    const said = await gus.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'Too dark.' })
    const answer = { event_photo_comment_reply_id: said.id, event_photo_comment: 'It was night.' }
    await olivia.api.gallery.saveComment({ event_photo_id, ...answer })
    await ana.api.people.block({ user_id: gus.id })
    const { page } = await visit({ size: 'portrait' })
    await signIn(page, ana)
    await page.goto(`/events/${id}/photos/${photo?.id}`)
    await page.getByRole('button', { name: 'Comments and details, 2 comments' }).click()
    await expect(page.getByText('It was night.')).toBeVisible()
    await expect(page.getByText('Too dark.')).toHaveCount(0)
    await page.getByRole('button', { name: 'From someone you blocked. Show it' }).click()
    await expect(page.getByText('Too dark.')).toBeVisible()
    await expect(page.getByText('It was night.')).toBeVisible()
  })

  needing(ffmpeg).test('plays its video part while pressed, and from its button', { tags: 'slow' }, async () => {
    const { olivia, id } = await album(1)
    const image = new File([new Uint8Array(await jpeg({ width: 600, height: 400, seed: 99 }))], 'IMG_1.JPG')
    const live = new File([new Uint8Array(await iphoneMov({ seconds: 3 }))], 'IMG_1.MOV')
    const photo = await olivia.api.gallery.uploadPhoto({ event_id: id, image, live })
    const moved = () => olivia.extra.gallery.readPhoto({ event_photo_id: Number(photo.id) })
    await expect.poll(async () => (await moved()).extra?.motion_url).toBeTruthy()
    const { page, complaints } = await arrive(olivia, id)
    await page.locator(`[data-photo="${photo.id}"]`).tap()
    await isStill(page)
    const film = shot(page).locator('video')
    // A viewer that is still opening ignores clicks.
    const there = await page.waitForFunction(() => {
      const { x, y, width, height } = document.querySelector('[data-shot]')?.getBoundingClientRect() ?? new DOMRect()
      const at = [x + width / 2, y + height / 2] as const
      return document.elementFromPoint(...at)?.closest('[data-moment]') && at
    })
    const [x = 0, y = 0] = (await there.jsonValue()) ?? []
    await expect(film).toHaveCount(0)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await expect(film).toHaveCount(1)
    await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0)
    await page.mouse.up()
    await expect(film).toHaveCount(0)
    await page.getByRole('button', { name: 'Play the moment' }).click()
    await expect(film).toHaveCount(1)
    // The film plays to its end.
    await expect(film).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  test('appears without the network, and becomes sharp at 400 kbit/s', {
    tags: 'slow',
  }, async () => {
    const { olivia, id } = await album(3)
    const { page, context, complaints } = await arrive(olivia, id)
    const cdp = await context.newCDPSession(page)
    const network = (offline: boolean) =>
      cdp.send('Network.emulateNetworkConditions', {
        offline,
        latency: 300,
        downloadThroughput: 50_000,
        uploadThroughput: 50_000,
      })
    await network(true)
    await tile(page, 'Photo 2').tap()
    const preview = shot(page).locator('img[src]').last()
    await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await network(false)
    await isStill(page)
    await page.evaluate(() =>
      addEventListener('click', () => {
        const begun = performance.now()
        const look = () => {
          const image = document.querySelector<HTMLImageElement>(
            '[data-shot] img[src]:last-of-type, [data-shot] img[src]',
          )
          if (!image?.complete) return requestAnimationFrame(look)
          document.body.dataset.shownMs = String(Math.round(performance.now() - begun))
        }
        look()
      }),
    )
    await tile(page, 'Photo 1').tap()
    await expect(page.locator('body')).toHaveAttribute('data-shown-ms', /./)
    process.stderr.write(`shown after ${await page.locator('body').getAttribute('data-shown-ms')} ms\n`)
    // At two pixels for each of 390, the preview is not enough.
    const sharp = shot(page).getByRole('img', { name: 'Photo 1' })
    await expect
      .poll(() => sharp.evaluate((image: HTMLImageElement) => image.complete && image.currentSrc), {
        timeout: 60_000,
      })
      .toMatch(/\/media\/(?!.*(?:w=400|preview))/)
    expect(complaints).toEqual([])
  })

  test('is swiped, pulled down, and closed by Back as by its button', async () => {
    const { olivia, id } = await album(3)
    const { page, context, complaints } = await arrive(olivia, id)
    const fingers = await context.newCDPSession(page)
    const drag = async (from: [number, number], to: [number, number]) => {
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
        fingers.send('Input.dispatchTouchEvent', { type, touchPoints })
      const at = (part: number) => ({
        x: from[0] + (to[0] - from[0]) * part,
        y: from[1] + (to[1] - from[1]) * part,
      })
      await touch('touchStart', [at(0)])
      for (let step = 1; step <= 8; step++) await touch('touchMove', [at(step / 8)])
      await touch('touchEnd', [])
    }
    await tile(page, 'Photo 3').tap()
    await expect(position(page)).toHaveText('1 of 3')
    await expect(page.getByRole('button', { name: 'Next' })).toHaveCSS('pointer-events', 'none')
    await isStill(page)
    await drag([320, 420], [40, 430])
    await expect(position(page)).toHaveText('2 of 3')
    await expectAccessible(page)
    await isStill(page)
    await drag([200, 300], [204, 480])
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(tile(page, 'Photo 2')).toBeFocused()

    // Each way of leaving is one step: the page before the album is again one step away.
    const steps = () => page.evaluate(() => history.length)
    const before = await steps()
    for (const leave of [
      () => page.goBack(),
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Close' }).click(),
    ]) {
      await isStill(page)
      // While it moves back into its tile, Chromium passes no touch to the page.
      await expect(async () => {
        await tile(page, 'Photo 1').tap()
        await expect(position(page)).toHaveText('3 of 3', { timeout: 2000 })
      }).toPass({ timeout: 60_000 })
      await leave()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(page).toHaveURL(`/events/${id}/photos`)
    }
    expect(await steps()).toBe(before)

    // A visitor by a direct link has the album behind the photo, too.
    await page.goto(`/events/${id}/photos`)
    const address = await tile(page, 'Photo 1').getAttribute('href')
    await page.goto(address ?? '')
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(page).toHaveURL(`/events/${id}/photos`)
    expect(complaints).toEqual([])
  })

  test('that loads longer than a tap lasts is shared by the next one, and a browser without file sharing gets the link', {
    tags: 'slow',
  }, async () => {
    const { olivia, id } = await album(1)
    const { page, complaints } = await visit({ size: 'portrait' })
    await page.addInitScript(() => {
      const shared: unknown[] = []
      const share = async ({ files, url }: ShareData) => void shared.push(files?.map(({ type }) => type) ?? url)
      const canShare = () => !('noFiles' in globalThis)
      Object.assign(globalThis, { shared })
      Object.assign(navigator, { share, canShare })
    })
    const shared = () => page.evaluate(() => (globalThis as unknown as { shared: unknown[] }).shared)
    let arrive = () => {}
    const arrived = new Promise<void>(resolve => {
      arrive = resolve
    })
    await page.route('**', async route => {
      if (route.request().resourceType() === 'fetch' && /\/media\//.test(route.request().url())) await arrived
      await route.continue()
    })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/photos`)
    await tile(page, 'Photo 1').tap()
    await page.getByRole('button', { name: 'Share this photo' }).tap()
    await expect(page.getByText('Getting it ready to share …', { exact: true })).toBeVisible()
    await page.waitForTimeout(3000)
    arrive()
    await page.getByRole('button', { name: 'Share', exact: true, includeHidden: true }).tap()
    await expect(page.getByText('Getting it ready to share …', { exact: true })).toHaveCount(0)
    expect(await shared()).toEqual([['image/jpeg']])
    await page.getByRole('button', { name: 'Share this photo' }).tap()
    await expect.poll(shared).toEqual([['image/jpeg'], ['image/jpeg']])
    await page.evaluate(() => Object.assign(globalThis, { noFiles: true }))
    await page.getByRole('button', { name: 'Share this photo' }).tap()
    await expect.poll(shared).toEqual([['image/jpeg'], ['image/jpeg'], page.url()])
    expect(complaints).toEqual([])
  })

  test('has its rarer acts in a menu that keys open', async () => {
    const { olivia, id } = await album(2)
    const { page, complaints } = await arrive(olivia, id, { size: 'desktop', still: true })
    await tile(page, 'Photo 1').press('Enter')
    await page.getByRole('button', { name: 'More actions' }).press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Show on the wall now' })).toBeFocused()
    await page.keyboard.press('End')
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Photo deleted').first()).toBeVisible()
    await expect(page.getByText('This photo was deleted')).toHaveCount(0)
    await expect(page.getByRole('dialog', { name: 'Photo 2' })).toBeVisible()
    await page.getByRole('button', { name: 'More actions' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('No photos yet')).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('prefetches its neighbour, unless the user saves data', { tags: 'slow' }, async () => {
    const { olivia, id } = await album(2, { width: 1600, height: 1200 })
    for (const sparing of [false, true]) {
      const { page, context } = await visit({ size: 'portrait' })
      if (sparing)
        await context.addInitScript(() =>
          Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } }),
        )
      await signIn(page, olivia)
      await page.goto(`/events/${id}/photos`)
      await tile(page, 'Photo 2').tap()
      const sources = () =>
        page
          .getByRole('dialog')
          .locator('img[srcset]')
          .evaluateAll(images => (images as HTMLImageElement[]).filter(({ complete }) => complete).length)
      await expect.poll(sources).toBe(sparing ? 1 : 2)
      if (!sparing) continue
      await page.waitForLoadState('networkidle')
      expect(await sources()).toBe(1)
    }
  })

  test('reaches a phone in the phone’s size, as AVIF', { tags: 'slow' }, async () => {
    const { olivia, id } = await album(0)
    const image = new Blob([new Uint8Array(await jpeg({ width: 2400, height: 1800, seed: ++seed }))])
    const words = { event_id: id, event_photo_caption: 'Photo 1' }
    const { extra } = await olivia.extra.gallery.uploadPhoto({ ...words, image })
    const made = async () => (await fetch(`${extra?.screen_url}&w=1280&as=avif`)).headers.get('content-type')
    await expect.poll(made).toBe('image/avif')
    const { page } = await arrive(olivia, id)
    await tile(page, 'Photo 1').tap()
    const large = shot(page).getByRole('img', { name: 'Photo 1' })
    await expect
      .poll(() => large.evaluate((image: HTMLImageElement) => image.complete && image.currentSrc))
      .toMatch(/\/display\.jpg\?.*&w=1280&as=avif$/)
  })

  test('of a chat opens in the same viewer', { tags: 'slow' }, async () => {
    const { olivia, group_chat_id, id } = await album(0)
    const attachments = await Promise.all(
      [1, 2].map(async () => new Blob([new Uint8Array(await jpeg({ width: 900, height: 600, seed: ++seed }))])),
    )
    await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Two of the pier', attachments })
    const { page, complaints } = await visit({ size: 'desktop', still: true })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/chat`)
    await page.getByRole('button', { name: 'Open photo 1' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toHaveAccessibleName(/1/)
    await expect(dialog.getByText('1 of 2', { exact: true })).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(dialog.getByText('2 of 2', { exact: true })).toBeVisible()
    const saving = later(page.waitForEvent('download'))
    await dialog.getByRole('button', { name: /^Download full size/ }).click()
    await saving
    await dialog.getByRole('button', { name: 'Add to the album' }).click()
    await expect(dialog.getByText('In the album')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Open photo 1' })).toBeFocused()
    expect(complaints).toEqual([])
  })
})

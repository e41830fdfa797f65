import { sql } from 'kysely'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { fillGallery, takenWhen } from '../../server/test/gallery-state.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

needing(browser).describe('a long album', async () => {
  const app = await openTestApp({ photosPerGuest: 10_000 }, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)
  const olivia = await enter(app, 'olivia')
  const gus = await enter(app, 'gus')
  const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'A week of it', event_join_mode: 1 }))
  await gus.api.events.askToJoin({ event_id: id })
  const image = new Blob([new Uint8Array(await jpeg({ width: 300, height: 200 }))])
  const like = Number((await olivia.api.gallery.uploadPhoto({ event_id: id, image })).id)
  await fillGallery(app.db, { like, takenBy: olivia.id, count: 699 })
  const own = new Blob([new Uint8Array(await jpeg({ width: 300, height: 200, seed: 2 }))])
  await gus.api.gallery.uploadPhoto({ event_id: id, image: own, event_photo_caption: 'By Gus' })
  // Seven days of a hundred photos each, the first on 14 June.
  await sql`update photos set created_at = timestamptz '2026-06-14 20:00' + (sequence - 1) / 100 * interval '1 day'
    + sequence % 100 * interval '30 seconds' where event_id = ${id}`.execute(app.db)
  await takenWhen(app.db, id, sql`created_at`)
  const mark = 'Sun, Jun 14: 100 photos'

  test('is navigated by its days, and continues in both directions from there', async () => {
    const { page, complaints } = await visit({ size: 'desktop', still: true })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/photos`)
    await expect(page.getByText('701 photos', { exact: true })).toBeVisible()
    await page.mouse.wheel(0, 300)
    await expectAccessible(page)
    const day = page.getByRole('navigation', { name: 'Jump to a date' }).getByRole('button', { name: mark })
    await day.focus()
    await day.press('Enter')
    await expect(page).toHaveURL(/from=\d+/)
    const heading = page.getByRole('heading', { name: /June 14/ })
    await expect(heading).toBeInViewport()
    await expect(heading).toContainText('100')
    // New photos at the front do not move the photos in view.
    await page.mouse.wheel(0, -500)
    await expect(page.getByRole('heading', { name: /June 15/ })).toBeVisible()
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500)
    const ids = await page.locator('[data-photo]').evaluateAll(all => all.map(each => each.getAttribute('data-photo')))
    expect(new Set(ids).size).toBe(ids.length)
    expect(complaints).toEqual([])
  })

  test('opens at its previous position after a reload', async () => {
    const { page, complaints } = await visit({ size: 'phone', still: true })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/photos`)
    await expect(page.locator('[data-photo] img').first()).toBeVisible()
    /** The first photo below the album's header. */
    const onTop = () =>
      page.evaluate(() => document.elementFromPoint(60, 230)?.closest('[data-photo]')?.getAttribute('data-photo'))
    await expect
      .poll(
        async () => {
          await page.evaluate(() => scrollBy(0, 2500))
          return page.evaluate(() => scrollY)
        },
        { intervals: [300] },
      )
      .toBeGreaterThan(9000)
    await expect.poll(onTop).toBeTruthy()
    const before = await onTop()
    await page.reload()
    await expect.poll(onTop).toBe(before)
    expect(complaints).toEqual([])
  })

  test('shows colours during fast scrolling, and photos where it stops', async () => {
    const { page, complaints } = await visit({ size: 'phone' })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/photos`)
    await expect(page.locator('[data-photo] img').first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    const rushed = await page.evaluate(
      () =>
        new Promise<number>(resolve => {
          let most = 0
          let frames = 0
          const turn = () => {
            scrollBy(0, 100)
            most = Math.max(most, document.querySelectorAll('[data-photo]:not(:has(img))').length)
            if (++frames < 150) requestAnimationFrame(turn)
            else resolve(most)
          }
          turn()
        }),
    )
    expect(rushed).toBeGreaterThan(0)
    const without = () => page.locator('[data-photo]:not(:has(img))').count()
    await expect.poll(without).toBe(0)
    expect(complaints).toEqual([])
  })

  test('can be limited to any of many people, and sorted by likes', async () => {
    const { page, complaints } = await visit({ size: 'phone', still: true })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/photos`)
    await page.getByRole('button', { name: 'Taken by: Everyone' }).click()
    await expectAccessible(page)
    await page.getByRole('searchbox', { name: 'Find a guest' }).fill('gran')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Gus Grant/ })
      .click()
    await expect(page.locator('[data-photo]')).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Taken by: Gus Grant' })).toBeVisible()
    await page.getByRole('button', { name: 'Taken by: Gus Grant' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Everyone' }).click()

    await olivia.api.gallery.likePhoto({ event_photo_id: like })
    await page.getByLabel('Sort by').selectOption('Favourites')
    await expect(page.locator('[data-photo]').first()).toHaveAttribute('data-photo', String(like))
    await expect(page.getByRole('heading', { level: 2 })).toHaveCount(0)
    // Partly loaded groups are counted again after a new photo.
    await expect(page.getByText('701 photos', { exact: true })).toBeVisible()
    const another = new Blob([new Uint8Array(await jpeg({ width: 300, height: 200, seed: 3 }))])
    await gus.api.gallery.uploadPhoto({ event_id: id, image: another })
    await expect(page.getByText('702 photos', { exact: true })).toBeVisible()
    expect(complaints).toEqual([])
  })
})

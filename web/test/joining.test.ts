import { describe, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { expect, hasBrowser, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { messageOf, signIn, write } from './steps.ts'

describe.skipIf(!hasBrowser)('a code at the door', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))

  test('is made by the organizer, and lets a stranger in with a name alone, within ten seconds', {
    timeout: 120_000,
  }, async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
    const host = await visit({ size: 'desktop' })
    await signIn(host.page, olivia)
    await host.page.goto(`/events/${id}/links`)
    await host.page.getByRole('button', { name: 'New link' }).click()
    await host.page.getByRole('button', { name: 'Create link' }).click()
    const code = host.page.getByRole('img', { name: 'QR code that leads to Lanterns' })
    await expect(code).toBeVisible()
    expect(
      await code.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBeGreaterThan(0)
    const address = await host.page.getByText(/\/j\/[\w-]+$/).textContent()

    // On paper the code stands alone, large, whatever the screen looks like.
    await host.page.emulateMedia({ colorScheme: 'dark' })
    await host.page.evaluate(() => {
      window.print = () => {}
    })
    const print = async (paper: string) => {
      await host.page.getByRole('button', { name: 'Print' }).click()
      await host.page.getByRole('menuitem', { name: paper }).click()
      await expect(host.page.locator('.print-alone')).toHaveCount(1)
    }
    await print('Poster, A4')
    await host.page.emulateMedia({ media: 'print' })
    await expect(host.page.getByRole('button')).toHaveCount(0)
    await expect(host.page.getByRole('heading', { name: 'Lanterns' })).toBeVisible()
    await expect(host.page.getByText((address ?? '').replace(/^https?:\/\//, ''), { exact: true })).toBeVisible()
    const { color, background } = await host.page.evaluate(() => ({
      color: getComputedStyle(document.body).color,
      background: getComputedStyle(document.documentElement).backgroundColor,
    }))
    expect([color, background]).toEqual(['rgb(43, 28, 21)', 'rgba(0, 0, 0, 0)'])
    await host.page.emulateMedia({ media: null })
    for (const format of ['A4', 'A5', 'Letter'])
      for (const landscape of [false, true]) {
        const pdf = await host.page.pdf({ format, landscape })
        expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
      }
    for (const [paper, size, copies] of [
      ['Poster, A4', [595, 842], 1],
      ['Sheet, A5', [420, 595], 1],
      ['Card, A6', [298, 420], 1],
      ['Four table cards on A4', [595, 842], 4],
    ] as const) {
      await print(paper)
      await expect(host.page.locator('.print-alone article')).toHaveCount(copies)
      const pdf = (await host.page.pdf({ preferCSSPageSize: true })).toString('latin1')
      expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
      const [, width, height] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? []
      expect([Number(width), Number(height)].map((points, at) => Math.abs(points - (size[at] ?? 0)) < 2)).toEqual([
        true,
        true,
      ])
    }

    const guest = await visit({ size: 'phone' })
    const began = Date.now()
    // As somebody types it who reads it on paper.
    const short =
      (
        await host.page
          .getByText(/\/[A-Z]+-\d{4}$/)
          .first()
          .textContent()
      )
        ?.split('/')
        .at(-1) ?? ''
    await guest.page.goto(`/${short.toLowerCase().replace('-', ' ')}.`)
    await guest.page.getByLabel('Your name').fill('Ana')
    expect(guest.page.url()).toBe(address)
    await guest.page.getByRole('button', { name: 'Join' }).click()
    await expect(guest.page.getByRole('link', { name: 'Photos', exact: true })).toBeVisible()
    expect(Date.now() - began).toBeLessThan(10_000)
    await guest.page.getByRole('link', { name: 'Chat', exact: true }).click()
    await write(guest.page, 'I am in')
    await expect(messageOf(guest.page, 'I am in')).toBeVisible()

    // Her account is hers to keep.
    await guest.page.goto('/settings')
    await guest.page.getByRole('link', { name: 'You are here as a guest. Keep your account.' }).click()
    await guest.page.getByLabel('E-mail').fill('ana@example.com')
    await guest.page.getByLabel('Password').fill('a long password')
    await guest.page.getByRole('button', { name: 'Keep account' }).click()
    await expect(guest.page.getByText('You are here as a guest')).toHaveCount(0)
    for (const { complaints } of [host, guest]) expect(complaints).toEqual([])
  })

  test('has room on every paper for a picture, a long name, a place, a PIN and its address', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    const olivia = await enter(app, 'olivia')
    const event_avatar = new Blob([new Uint8Array(await jpeg({ width: 640, height: 480 }))])
    const { id } = await olivia.api.events.saveEvent(
      evening({
        event_name: 'Anneliese and Maximilian’s wedding by the lake',
        event_location: 'The old boathouse, behind the mill',
        event_avatar,
      }),
    )
    const { link_url } = await olivia.api.links.makeLink({ event_id: id, pin: '0427' })
    // After the host, what somebody types who cannot scan.
    expect(new URL(link_url).pathname.slice(1).length).toBeLessThanOrEqual(24)
    const { page, complaints } = await visit({ size: 'desktop', still: true })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/links`)
    await page.evaluate(() => {
      window.print = () => {}
    })
    // What the margins leave of each, in pixels of paper.
    for (const [paper, width, height] of [
      ['Poster, A4', 733, 1062],
      ['Sheet, A5', 499, 699],
      ['Card, A6', 336, 499],
      ['Four table cards on A4', 733, 1062],
    ] as const) {
      await page.getByRole('button', { name: 'Print' }).click()
      await page.getByRole('menuitem', { name: paper }).click()
      await page.emulateMedia({ media: 'print' })
      await page.setViewportSize({ width, height })
      const cut = await page.locator('.print-alone article').evaluateAll(sheets =>
        sheets.flatMap(sheet => {
          const { top, bottom, left, right } = sheet.getBoundingClientRect()
          return [...sheet.querySelectorAll('h2, p, img')].flatMap(each => {
            const place = each.getBoundingClientRect()
            const within = place.top >= top && place.bottom <= bottom && place.left >= left && place.right <= right
            return within ? [] : [each.outerHTML.slice(0, 80)]
          })
        }),
      )
      expect([paper, cut]).toEqual([paper, []])
      const { height: code = 0 } = (await page.locator('.print-alone img').last().boundingBox()) ?? {}
      // 25 mm, which a phone reads from where somebody sits.
      expect([paper, code >= 95]).toEqual([paper, true])
      await page.emulateMedia({ media: null })
      await page.setViewportSize({ width: 1360, height: 860 })
    }
    expect(complaints).toEqual([])
  })

  test('is not needed by who is invited by name, and who is in already is not invited', {
    timeout: 60_000,
  }, async () => {
    const [olivia, gus, ana] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus'), enter(app, 'ana')])
    const { id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const { page, complaints } = await visit()
    await signIn(page, olivia)
    await page.goto(`/events/${id}/guests`)
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite people' })
    const search = dialog.getByLabel('Name or username')
    await search.fill(gus.username)
    const known = dialog.getByRole('button', { name: `@${gus.username}` })
    await expect(known).toBeDisabled()
    await expect(known).toContainText('Guest')
    await search.fill(ana.username)
    await dialog.getByRole('button', { name: `@${ana.username}` }).click()
    await dialog.getByRole('button', { name: 'Invite 1' }).click()
    await expect(page.getByText('1 person invited', { exact: true })).toBeVisible()
    expect((await ana.api.events.listInvitations({ page: 1, page_length: 5 })).data).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  test('a code at the door that leads nowhere says so', { timeout: 60_000 }, async () => {
    const { page } = await visit()
    await page.goto('/j/none-such')
    await expect(page.getByText('This link no longer works')).toBeVisible()
  })
})

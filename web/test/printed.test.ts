import type { Page } from '@playwright/test'
import { expect as expectNow, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { codeIn } from '../../server/test/printed-code.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

/* Posters and table cards, as a printer prints them and a phone reads them. */

const a = [
  ['poster A4', 210, 297],
  ['large A3', 297, 420],
  ['sheet A5', 148, 210],
  ['card A6', 105, 148],
  ['cards A4', 210, 297],
] as const
const american = [
  ['poster Letter', 215.9, 279.4],
  ['large Tabloid', 279.4, 431.8],
  ['sheet Half Letter', 139.7, 215.9],
  ['card 4 × 6″', 101.6, 152.4],
  ['cards Letter', 215.9, 279.4],
] as const
type Paper = readonly [id: string, width: number, height: number]
const looks = ['above', 'behind', 'strip'] as const
const pixels = (mm: number) => Math.round((mm / 25.4) * 96)
const points = (mm: number) => (mm / 25.4) * 72

needing(browser).describe('a printed link', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))
  const olivia = await enter(app, 'olivia')
  const event_avatar = new Blob([new Uint8Array(await jpeg({ width: 1280, height: 960 }))])

  const open = async (locale: string, fields: Record<string, unknown>, link: object) => {
    const { id } = await olivia.api.events.saveEvent(evening(fields))
    const { link_url, extra } = await olivia.extra.links.makeLink({ event_id: id, ...link })
    const { page, complaints } = await visit({ size: 'desktop', still: true, locale, theme: 'dark' })
    await signIn(page, olivia)
    await page.addInitScript(() => {
      window.print = () => document.documentElement.setAttribute('data-printed', '')
    })
    await page.goto(`/events/${id}/links`)
    return { page, complaints, leadsTo: named(link_url), short: extra.short_code ?? '' }
  }

  /** Prints as the dialog does: the sheet exists until a printer, or a PDF, has it. */
  const print = async (page: Page, paper: Paper, look: (typeof looks)[number]) => {
    await page.evaluate(() => document.documentElement.removeAttribute('data-printed'))
    const row = page.locator('article button').first()
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.click()
    // After its menu and copying.
    await page.locator('article button').nth(3).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').selectOption(paper[0])
    await dialog.locator('input[type=radio]').nth(looks.indexOf(look)).check({ force: true })
    await dialog.getByRole('button').last().click()
    await page.locator('html[data-printed]').waitFor()
  }

  const sizeOf = async (page: Page) => {
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    const [, width, height] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? []
    return { pages: pdf.match(/\/Type\s*\/Page\b/g)?.length, width: Number(width), height: Number(height) }
  }

  /** Finds parts outside of the sheet, the size of the code in millimetres, and its link. */
  const onPaper = async (page: Page, [, width, height]: Paper) => {
    const before = page.viewportSize()
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: pixels(width), height: pixels(height) })
    const sheets = page.locator('.print-alone article')
    const cut = await sheets.evaluateAll(all =>
      all.flatMap(sheet => {
        const outer = sheet.getBoundingClientRect()
        return [...sheet.querySelectorAll('h2, p, bdi, bdi span, img')].flatMap(each => {
          const { top, bottom, left, right } = each.getBoundingClientRect()
          const within =
            top >= outer.top - 1 && bottom <= outer.bottom + 1 && left >= outer.left - 1 && right <= outer.right + 1
          return within && each.scrollWidth <= each.clientWidth + 1 ? [] : [each.outerHTML.slice(0, 90)]
        })
      }),
    )
    const text = (await sheets.first().textContent()) ?? ''
    const code = await sheets.first().locator('img[src$=".svg"]').boundingBox()
    const leadsTo = await codeIn(await sheets.first().screenshot())
    await page.emulateMedia({ media: null })
    if (before) await page.setViewportSize(before)
    const codeMm = (Math.min(code?.width ?? 0, code?.height ?? 0) / 96) * 25.4
    return { cut, text, codeMm, leadsTo, copies: await sheets.count() }
  }

  const tried = async (
    page: Page,
    papers: readonly Paper[],
    { leadsTo, short }: { leadsTo: string; short: string },
  ) => {
    for (const paper of papers)
      for (const look of looks) {
        const [id, width, height] = paper
        await print(page, paper, look)
        const { text, codeMm, ...shown } = await onPaper(page, paper)
        const size = await sizeOf(page)
        expectNow([id, look, size.pages]).toEqual([id, look, 1])
        expectNow(Math.abs(size.width - points(width)), id).toBeLessThan(1)
        expectNow(Math.abs(size.height - points(height)), id).toBeLessThan(1)
        expectNow([id, look, shown]).toEqual([id, look, { cut: [], leadsTo, copies: id.startsWith('cards') ? 4 : 1 }])
        expectNow(text).toContain(short)
        // A phone reads it from a seat.
        expectNow(codeMm, `${id} ${look}`).toBeGreaterThan(25)
      }
  }

  test('fills its paper in each style, cuts nothing off and is readable by a phone', async () => {
    const { page, complaints, ...link } = await open(
      'en',
      {
        event_name: 'Anneliese and Maximilian’s wedding by the lake',
        event_location: 'The old boathouse, behind the mill',
        event_avatar,
      },
      { pin: '0427' },
    )
    await tried(page, [a[0], a[4]], link)
    await print(page, a[0], 'above')
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('button')).toHaveCount(0)
    await expect(page.getByText('0427', { exact: true })).toBeVisible()
    // The browser's own print, on any paper.
    for (const format of ['A4', 'A5', 'Letter'])
      for (const landscape of [false, true]) {
        const pdf = (await page.pdf({ format, landscape })).toString('latin1')
        expectNow(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
      }
    expectNow(complaints).toEqual([])
  })

  test.each([
    ['de', 'Hochzeitsgesellschaftsübernachtungsfeier bei Großmutter Annemarie und dem Kegelverein Süd', 'guest', false],
    [
      'es',
      '¡Cumpleaños de María José en el jardín de los abuelos, con piñata, música y fuegos artificiales!',
      'look',
      true,
    ],
    ['ar', 'حفل زفاف ليلى ويوسف على ضفاف البحيرة 🎉', 'drop', true],
    ['en', '🎂🎈 30!!!', 'guest', false],
  ])(
    'has room for everything on every paper, in %s: %s',
    { tags: 'slow', timeout: 240_000 },
    async (locale, event_name, kind, pictured) => {
      const event_location =
        'Gasthaus Zum Goldenen Löwen, im Garten hinter der alten Mühle, Schlossgartenstraße 114, 79098 Freiburg im Breisgau'
      const { page, complaints, ...link } = await open(
        locale,
        { event_name, event_location, ...(pictured && { event_avatar }) },
        { kind, pin: '24681357' },
      )
      await tried(page, [...a, ...american], link)
      expectNow(complaints).toEqual([])
    },
  )
})

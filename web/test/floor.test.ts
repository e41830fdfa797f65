import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect as expectNow, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { builtClient, readyClient } from './client.ts'
import { messageOf, signIn, write } from './steps.ts'

/** Features newer than the oldest supported browsers (`build/floor.ts`), removed here. */
const later = {
  array: ['at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with', 'group'],
  string: ['at', 'isWellFormed', 'toWellFormed'],
  object: ['hasOwn', 'groupBy'],
  promise: ['withResolvers', 'try'],
  set: ['union', 'difference', 'intersection', 'isSubsetOf', 'isDisjointFrom'],
  window: [
    'CSSStyleSheet',
    'structuredClone',
    'requestIdleCallback',
    'scheduler',
    'Iterator',
    'navigation',
    'ViewTransition',
  ],
}
const forget = (names: typeof later) => {
  const drop = (of: object, gone: readonly string[]) => {
    for (const name of gone) Reflect.deleteProperty(of, name)
  }
  drop(Array.prototype, names.array)
  drop(String.prototype, names.string)
  drop(Object, names.object)
  drop(Promise, names.promise)
  drop(Set.prototype, names.set)
  drop(window, names.window)
  drop(Map, ['groupBy'])
  drop(Array, ['fromAsync'])
  drop(URL, ['canParse', 'parse'])
  drop(AbortSignal, ['timeout', 'any'])
  drop(Intl, ['ListFormat', 'Segmenter', 'DurationFormat'])
  drop(crypto, ['randomUUID'])
  drop(Crypto.prototype, ['randomUUID'])
  drop(Document.prototype, ['adoptedStyleSheets', 'startViewTransition'])
  drop(Element.prototype, ['checkVisibility', 'setHTML'])
  drop(HTMLElement.prototype, ['showPopover', 'hidePopover', 'togglePopover', 'popover', 'inert'])
}
/** Renamed in style sheets to names that no browser knows. */
const newWords: [RegExp, string][] = [
  [/light-dark\(/g, 'x-light-dark('],
  [/color-mix\(/g, 'x-color-mix('],
  [/@layer/g, '@x-layer'],
  [/@container/g, '@x-container'],
  [/:(where|is|has)\(/g, ':x-$1('],
  [/\d(dvh|svh|lvh|cqw|cqh)/g, '1x$1'],
  [/aspect-ratio:/g, 'x-aspect-ratio:'],
  [/([;{])(translate|scale|rotate|inset-area|field-sizing):/g, '$1x-$2:'],
  [/\((translate|height):/g, '(x-$1:'],
]

const forgetful = async (page: Page) => {
  await page.addInitScript(forget, later)
  await page.route(/\.css$/, async route => {
    const reply = await route.fetch()
    const css = newWords.reduce((text, [word, other]) => text.replaceAll(word, other), await reply.text())
    await route.fulfill({ response: reply, body: css })
  })
}

/** The contrast between an element and its background, from 0 to 1. */
const seen = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate(element => {
      const brightness = (colour: string) =>
        (colour.match(/[\d.]+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part) / 765, 0)
      let behind: Element | null = element
      while (behind && getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement
      const ground = behind ? getComputedStyle(behind).backgroundColor : 'rgb(255, 255, 255)'
      return Math.abs(brightness(getComputedStyle(element).color) - brightness(ground))
    })

test('no script of the client has an expression that the oldest supported browsers cannot parse', async () => {
  await readyClient()
  const scripts = readdirSync(builtClient, { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.js'))
  expectNow(scripts.length).toBeGreaterThan(20)
  const beyond = scripts.filter(name => /\(\?<[=!]/.test(readFileSync(join(builtClient, name), 'utf8')))
  expectNow(beyond).toEqual([])
})

needing(browser).describe('the oldest supported browser', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)
  const olivia = await enter(app, 'olivia')
  const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns', event_visibility: 2 }))
  const { link_code } = await olivia.api.links.makeLink({ event_id: id })

  test.each(['light', 'dark'] as const)(
    'shows in its %s colours what a guest needs to join, and joins',
    async theme => {
      const { page, complaints } = await visit({ theme })
      await forgetful(page)
      await page.goto(`/j/${link_code}`)
      const name = page.getByLabel('Your name')
      await expect(page.getByText('Hosted by')).toBeVisible()
      expectNow(await seen(page, 'main p'), 'words').toBeGreaterThan(0.3)
      await page.getByRole('button', { name: 'I’m in' }).click()
      await name.fill(`Anna ${theme}`)
      for (const part of ['label', 'input', 'form button']) expectNow(await seen(page, part), part).toBeGreaterThan(0.3)
      await page.getByRole('button', { name: 'Send' }).click()
      await expect(page.getByRole('heading', { name: 'You’re in, Anna!' })).toBeVisible()
      await page.getByRole('link', { name: 'Chat', exact: true }).click()
      await write(page, `Bring a ${theme} lantern`)
      await expect(messageOf(page, `Bring a ${theme} lantern`)).toBeVisible()
      await expect(page.getByText('sending')).toHaveCount(0)
      await page.goto(`/events/${id}/photos`)
      await expect(page.getByRole('button', { name: 'Add photos' }).first()).toBeVisible()
      expectNow(complaints).toEqual([])
    },
  )

  test('shows an organizer the links of an event, and prints one', async () => {
    const { page, complaints } = await visit({ theme: 'dark' })
    await forgetful(page)
    await signIn(page, olivia)
    await page.goto(`/events/${id}/links`)
    await expect(page.getByRole('heading', { name: 'Links and QR codes' })).toBeVisible()
    expectNow(complaints).toEqual([])
  })

  test('shows which of several choices is chosen, in boxes of the right shape, by methods of its own', async () => {
    const { page, complaints } = await visit({ theme: 'light' })
    await forgetful(page)
    await signIn(page, olivia)
    await page.goto('/events/new')
    const box = await page.locator('.aspect-\\[3\\/2\\]').boundingBox()
    expectNow(box?.height).toBeGreaterThan(100)
    await page.getByRole('button', { name: 'Photo or theme' }).click()
    const borderOf = (selector: string) =>
      page
        .locator(`input[name=event_theme]${selector} + span`)
        .first()
        .evaluate(each => getComputedStyle(each).borderTopColor)
    expectNow(await borderOf(':checked')).not.toBe(await borderOf(':not(:checked)'))
    expectNow(
      await page.evaluate(() => [
        Object.hasOwn({ one: 1 }, 'one'),
        Object.hasOwn({}, 'toString'),
        [1, 2].at(-1),
        'ab'.at(-1),
        [1, 2, 3].findLast(each => each < 3),
        [2, 1].toSorted(),
        [1, 2].toReversed(),
        [1, 2, 3].toSpliced(1, 1),
      ]),
    ).toEqual([true, false, 2, 'b', 2, [1, 2], [2, 1], [1, 3]])
    expectNow(complaints).toEqual([])
  })

  test('shows one sentence if it is older still, and nothing else happens', async () => {
    for (const [locale, sentence] of [
      ['en', 'This browser is too old for Afterglow.'],
      ['de', 'Dieser Browser ist zu alt für Afterglow.'],
    ] as const) {
      const { page, complaints } = await visit({ locale })
      await page.addInitScript(() => Reflect.deleteProperty(window, 'HTMLDialogElement'))
      for (const address of [`/j/${link_code}`, `/events/${id}/wall`]) {
        await page.goto(address)
        await expect(page.locator('body')).toContainText(sentence)
        await expect(page.locator('#app')).toHaveCount(0)
      }
      expectNow(complaints).toEqual([])
    }
  })
})

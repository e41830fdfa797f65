import { expect as expectNow, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

needing(browser).describe('an album', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'block' })
  let seed = 400

  test('uses the viewer’s chosen order by capture time, and announces new photos', async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const add = async (takenAt?: string) => {
      const picture = await jpeg({ width: 300, height: 200, seed: ++seed, ...(takenAt && { takenAt }) })
      const image = new Blob([new Uint8Array(picture)])
      return (await olivia.api.gallery.uploadPhoto({ event_id: id, image })).id
    }
    // The photo added last was taken first.
    const [one, two, three] = [await add(), await add(), await add('2026:06:20 21:04:11')]
    const { page, complaints } = await visit()
    await signIn(page, gus)
    const shown = () =>
      page.locator('[data-photo]').evaluateAll(all => all.map(each => each.getAttribute('data-photo')))
    await page.goto(`/events/${id}/photos`)
    await expect.poll(shown).toEqual([two, one, three])
    await expect(page.getByText(/new since you were here/)).toHaveCount(0)
    await page.getByLabel('Sort by').selectOption('Added first')
    await expect.poll(shown).toEqual([one, two, three])

    await page.goto('/events')
    const [four, five] = [await add(), await add()]
    await page.goto(`/events/${id}/photos`)
    await expect.poll(shown).toEqual([one, two, three, four, five])
    await expect(page.getByLabel('Sort by')).toHaveValue('oldest')
    await page.getByRole('button', { name: '2 new since you were here' }).click()
    await expect.poll(shown).toEqual([five, four, three, two, one])
    // Following new photos does not set an order.
    await page.goto(`/events/${id}/photos`)
    await expect.poll(shown).toEqual([one, two, three, four, five])
    await expect(page.getByText(/new since you were here/)).toHaveCount(0)
    expectNow(complaints).toEqual([])
  })
})

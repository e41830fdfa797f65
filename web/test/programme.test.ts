import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { browser } from '../../server/test/tools.ts'
import type { Event } from '../src/events/queries.ts'
import { nowAndNextIn } from '../src/plans/programme.ts'
import { expectAccessible } from './axe.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

const hour = 60 * 60_000
const at = (hours: number) => new Date(hours * hour).toISOString()
const planned = (from: number, until: number | null, programme_title: string) => ({
  programme_starts_at: at(from),
  programme_ends_at: until === null ? null : at(until),
  programme_title,
  programme_place: null,
})

test('the current item lasts until its end, else the next beginning, else the end of the event', () => {
  const event_programme = [
    planned(1, 2, 'Doors'),
    planned(3, null, 'Dinner'),
    planned(3, 4, 'Music'),
    planned(5, null, 'Dance'),
  ]
  const event = { event_ends_at: at(8), extra: { event_programme } } as unknown as Event
  const told = (hours: number) => {
    const { now, next } = nowAndNextIn(event, hours * hour)
    return [now.map(entry => entry.programme_title), next?.programme_title]
  }
  expect(told(-30)).toEqual([[], undefined])
  expect(told(0)).toEqual([[], 'Doors'])
  expect(told(1)).toEqual([['Doors'], 'Dinner'])
  expect(told(2)).toEqual([[], 'Dinner'])
  expect(told(3)).toEqual([['Dinner', 'Music'], 'Dance'])
  expect(told(4)).toEqual([['Dinner'], 'Dance'])
  expect(told(7.9)).toEqual([['Dance'], undefined])
  expect(told(8)).toEqual([[], undefined])
})

needing(browser).describe('a programme', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  test('is written in the event’s form, and guests see all of it with the current and next item', async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    const event_starts_at = new Date(Date.now() - hour).toISOString()
    const { id } = await olivia.api.events.saveEvent({ ...evening({ event_starts_at }), event_timezone: 'UTC' })
    await bringIn(olivia, id, gus)
    const { page, complaints } = await visit({ still: true, zone: 'UTC' })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/edit`)
    const add = async (title: string, ms: number, more: Record<string, string> = {}) => {
      await page.getByRole('button', { name: 'Add to the programme' }).click()
      await page.getByLabel('What', { exact: true }).last().fill(title)
      await page.getByLabel('From', { exact: true }).last().fill(new Date(ms).toISOString().slice(0, 16))
      for (const [label, text] of Object.entries(more)) await page.getByLabel(label, { exact: true }).last().fill(text)
    }
    const before = new Date(Date.now() - 2 * hour).toISOString().slice(0, 16)
    await add('Dance', Date.now() + hour)
    await add('Dinner', Date.now() - hour / 2, { Where: 'The garden', Until: before })
    await add('Mistake', Date.now())
    await page.getByRole('button', { name: 'Remove from the programme' }).last().click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The end must be after the start.')).toBeVisible()
    await page.getByLabel('Until', { exact: true }).last().fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { name: 'Programme' })).toBeVisible()

    const other = await visit({ still: true, zone: 'UTC' })
    await signIn(other.page, gus)
    await other.page.goto(`/events/${id}`)
    const list = other.page.getByRole('listitem').filter({ hasText: /Dinner|Dance/ })
    await expect(list).toHaveText([/DinnerThe garden$/, /Dance$/])
    await expect(other.page.getByRole('definition')).toHaveText(['Dinner · The garden', /^\d.* · Dance$/])
    await expectAccessible(other.page)
    expect([...complaints, ...other.complaints]).toEqual([])
  })
})

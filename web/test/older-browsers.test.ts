import { sql } from 'kysely'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { createEvent, joinAs, messageOf, register, signIn, write } from './steps.ts'

/** Simulates a browser with another age, or other settings, in the page. */
const withoutZone = () => {
  const { DateTimeFormat } = Intl
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct(Format, [locale, options]: [string, Intl.DateTimeFormatOptions?]) {
      if (/Coyhaique|^[+-]/.test(options?.timeZone ?? '')) throw new RangeError('invalid time zone')
      return new Format(locale, options)
    },
  })
}
const without = {
  'a BroadcastChannel': () => {
    delete (window as { BroadcastChannel?: unknown }).BroadcastChannel
  },
  'a storage': () => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { value: null, configurable: true })
  },
  'room in its storage': () => {
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function (place, text) {
      if (place !== 'room') throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      setItem.call(this, place, text)
    }
  },
  'anything readable in its storage': () => {
    for (const place of ['session', 'leaving', 'came-by.7', 'uploads'])
      localStorage.setItem(`afterglow.${place}`, '{broken')
    sessionStorage.setItem('afterglow.scroll', '7')
    sessionStorage.setItem('afterglow.carried', '{')
  },
}

needing(browser).describe('a browser', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'block' })
  const olivia = await enter(app, 'olivia')

  test('that does not know an event’s zone shows its clock by its offset from UTC, and all others', async () => {
    const at = { event_starts_at: '2030-07-01T18:00:00Z' }
    const here = await olivia.api.events.saveEvent(evening({ ...at, event_name: 'Near' }))
    const far = await olivia.api.events.saveEvent(
      evening({ ...at, event_name: 'Far', event_timezone: 'America/Coyhaique' }),
    )
    for (const [name, zone] of [
      ['Older', '+02:00'],
      ['Odd', 'Mars/Base'],
    ] as const) {
      const { id } = await olivia.api.events.saveEvent(evening({ ...at, event_name: name }))
      await sql`update events set timezone = ${zone} where id = ${id}`.execute(app.db)
    }
    const { page, complaints } = await visit()
    await page.addInitScript(withoutZone)
    await signIn(page, olivia)
    await page.goto('/')
    for (const [name, time] of [
      ['Far', '3:00'],
      ['Older', '8:00'],
      ['Odd', '6:00'],
      ['Near', /\d:00/],
    ] as const)
      await expect(page.getByRole('link', { name }).first()).toContainText(time)
    await page.goto(`/events/${far.id}`)
    await expect(page.getByText(/3:00\sPM/)).toBeVisible()
    await page.goto(`/events/${far.id}/edit`)
    await expect(page.getByLabel('Starts')).toHaveValue('2030-07-01T15:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL(new RegExp(`/events/${far.id}$`))
    expect(await olivia.api.events.readEvent({ event_id: far.id })).toMatchObject({
      event_timezone: 'America/Coyhaique',
      event_starts_at: '2030-07-01T18:00:00.000Z',
    })
    expect(here.id).toBeLessThan(far.id)
    expect(complaints).toEqual([])
  })

  test.each(Object.entries(without))(
    'without %s joins by a link copied with its full stop, writes and navigates',
    async (_, fault) => {
      const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns', event_visibility: 2 }))
      const { link_code } = await olivia.api.links.makeLink({ event_id: id })
      const { page, complaints } = await visit()
      await page.addInitScript(fault)
      await page.goto(`/j/${link_code}).`)
      await joinAs(page, 'Anna')
      await expect(page.getByRole('heading', { name: 'You’re in, Anna!' })).toBeVisible()
      await page.getByRole('link', { name: 'Chat', exact: true }).click()
      await write(page, 'Bring a lantern')
      await expect(messageOf(page, 'Bring a lantern')).toBeVisible()
      await expect(page.getByText('sending')).toHaveCount(0)
      await page.goBack()
      await expect(page.getByRole('heading', { name: 'Lanterns' })).toBeVisible()
      expect(complaints).toEqual([])
    },
  )

  test('on a device with an unknown zone registers, and creates an event', async () => {
    const { page } = await visit({ size: 'desktop' })
    await page.addInitScript(() => {
      const { resolvedOptions } = Intl.DateTimeFormat.prototype
      Intl.DateTimeFormat.prototype.resolvedOptions = function () {
        return { ...resolvedOptions.call(this), timeZone: 'Mars/Phobos' }
      }
    })
    await register(page, 'Marvin', 'Phobos')
    const id = await createEvent(page, 'Landing')
    const [made] = await app.db.selectFrom('events').select('timezone').where('id', '=', id).execute()
    expect(made?.timezone).toMatch(/^(UTC|Etc\/GMT[+-]\d+)$/)
  })

  test('accepts an address with umlauts as typed', async () => {
    const { page } = await visit({ size: 'desktop' })
    await page.goto('/register')
    await page.getByLabel('Your name').fill('Jörg Öhler')
    await page.getByLabel('E-mail').fill('jörg@münchen.de')
    await page.getByLabel('Password').fill('a long password')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible()
    const users = await app.db.selectFrom('users').select('email').where('username', '=', 'jorg.ohler').execute()
    expect(users).toEqual([{ email: 'jörg@münchen.de' }])
  })

  test.each([
    ['en-GB', /1 Jul.*19:00/],
    ['en-US', /Jul 1.*7:00\sPM/],
    ['en-AU', /1 Jul.*7:00\spm/],
  ])('set to %s writes dates in the local way', async (locale, when) => {
    const fields = { event_starts_at: '2030-07-01T19:00:00Z', event_timezone: 'UTC' }
    const { id } = await olivia.api.events.saveEvent(evening(fields))
    const { page } = await visit({ locale })
    await signIn(page, olivia)
    await page.goto(`/events/${id}`)
    await expect(page.getByText(when).first()).toBeVisible()
  })
})

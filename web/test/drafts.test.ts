import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { browser } from '../../server/test/tools.ts'
import { atRest, expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

type Form = {
  /** Its address, for an organizer, and the steps that open it there. */
  at(event: number): string
  open?(page: Page): Promise<void>
  write(page: Page): Promise<void>
  holds(page: Page): Promise<void>
}

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true }).first()
const typed = (...fields: [string, string][]): Pick<Form, 'write' | 'holds'> => ({
  async write(page) {
    for (const [name, words] of fields) await field(page, name).fill(words)
  },
  async holds(page) {
    for (const [name, words] of fields) await expect(field(page, name)).toHaveValue(words)
  },
})

/** Every form with more than a word of text, and the text it keeps. */
const forms: Record<string, Form> = {
  'a message': { at: id => `/events/${id}/chat`, ...typed(['Message', 'I bring two']) },
  'a poll': {
    at: id => `/events/${id}/chat`,
    open: page => page.getByRole('button', { name: 'Poll' }).click(),
    async write(page) {
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Question').fill('When does the bus leave?')
      for (const [at, choice] of ['At five', 'At six', 'Never'].entries())
        await dialog.getByLabel(`Choice ${at + 1}`).fill(choice)
      await dialog.getByRole('switch').first().click()
    },
    async holds(page) {
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByLabel('Question')).toHaveValue('When does the bus leave?')
      for (const [at, choice] of ['At five', 'At six', 'Never'].entries())
        await expect(dialog.getByLabel(`Choice ${at + 1}`)).toHaveValue(choice)
      await expect(dialog.getByRole('switch').first()).toBeChecked()
    },
  },
  'an announcement': {
    at: id => `/events/${id}`,
    open: async page => {
      await page.getByRole('button', { name: 'More about this event' }).click()
      await page.getByRole('menuitem', { name: 'Message everyone' }).click()
    },
    ...typed(['What should everyone know?', 'The boat leaves at five']),
  },
  'a report': {
    at: id => `/events/${id}/chat`,
    open: async page => {
      await page.getByRole('button', { name: 'Reactions and more' }).first().click()
      await page.getByRole('menuitem', { name: 'Report' }).click()
    },
    ...typed(['What is wrong?', 'Not a boat']),
  },
  'a new event': {
    at: () => '/events/new',
    async write(page) {
      await field(page, 'Name').fill('Lanterns')
      await field(page, 'Place (optional)').fill('The old pier')
      await page.getByRole('button', { name: 'Photo or theme' }).click()
      await page.getByText('Sea', { exact: true }).click()
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByLabel('How do people join?').selectOption('3')
      await page.getByRole('switch', { name: 'Show short chat messages on the wall?' }).click()
      await page.getByRole('button', { name: 'Done' }).click()
    },
    async holds(page) {
      await expect(field(page, 'Name')).toHaveValue('Lanterns')
      await expect(field(page, 'Place (optional)')).toHaveValue('The old pier')
      await expect(page.locator('[name=event_theme][value=sea]')).toBeChecked()
      await expect(page.locator('[name=event_join_mode]')).toHaveValue('3')
      await expect(page.locator('button[name=event_greetings_on_wall]')).toHaveAttribute('aria-checked', 'true')
      await expect(page.getByRole('button', { name: 'Create event' })).toBeEnabled()
    },
  },
  'an edited event': {
    at: id => `/events/${id}/edit`,
    ...typed(
      ['Name', 'Lanterns by the sea'],
      ['Starts', '2027-07-01T20:00'],
      ['Ends (optional)', '2027-07-02T01:00'],
      ['What guests should know (optional)', 'Bring a coat'],
    ),
  },
  'the own profile': { at: () => '/settings/profile', ...typed(['First name', 'Livia'], ['Last name', 'Orr']) },
}

needing(browser).describe('an unsent text', { timeout: 120_000 }, async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  test.for(Object.entries(forms))(
    'in %s survives Back, Forward, a reload, no network, and is there in another tab',
    async ([, { at, open, write, holds }]) => {
      const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
      const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
      await bringIn(olivia, id, gus)
      await gus.api.chats.saveMessage({ group_chat_id, message_content: 'The boat leaves!' })
      const { page, context } = await visit({ still: true })
      await signIn(page, olivia)
      await page.goto('/settings')
      const begin = async (page: Page) => {
        await page.goto(at(id))
        await open?.(page)
      }
      await begin(page)
      await atRest(page)
      await context.setOffline(true)
      await write(page)
      await context.setOffline(false)
      await page.reload()
      await open?.(page)
      await holds(page)
      await page.goto('/settings')
      await page.goBack()
      await open?.(page)
      await holds(page)
      const other = await context.newPage()
      await begin(other)
      await holds(other)
    },
  )

  test('in an edited event does not undo what somebody else saved meanwhile', async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_location: 'The pier' }))
    const { page } = await visit({ still: true })
    await signIn(page, olivia)
    await page.goto(`/events/${id}/edit`)
    await field(page, 'Place (optional)').fill('The boat house')
    await page.goto('/settings')
    await olivia.api.events.saveEvent({ event_id: id, event_location: 'The lake', event_description: 'A coat' })
    await page.goto(`/events/${id}/edit`)
    await expect(field(page, 'Place (optional)')).toHaveValue('The boat house')
    const save = page.getByRole('button', { name: 'Save' })
    await save.click()
    await expect(page.getByText('The lake')).toBeVisible()
    await save.click()
    await expect(page).toHaveURL(new RegExp(`/events/${id}$`))
    const saved = await olivia.api.events.readEvent({ event_id: id })
    expect([saved.event_location, saved.event_description]).toEqual(['The boat house', 'A coat'])
    await page.goto(`/events/${id}/edit`)
    await expect(field(page, 'Place (optional)')).toHaveValue('The boat house')
  })

  test('of a registration is restored, without the password, until the account is made', async () => {
    const { page } = await visit({ still: true })
    await page.goto('/register')
    const names = typed(['Your name', 'Petra Photo'], ['E-mail', 'petra@example.com'])
    await names.write(page)
    await field(page, 'Password').fill('a long password')
    await page.reload()
    await names.holds(page)
    await expect(field(page, 'Password')).toHaveValue('')
    await field(page, 'Password').fill('a long password')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible()
    expect(await page.evaluate(() => Object.keys(localStorage).filter(name => name.includes('draft')))).toEqual([])
  })
})

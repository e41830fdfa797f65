import type { Page } from '@playwright/test'
import type { TestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { expect, type openBrowser } from './browser.ts'

/* People's acts, in the words of the pages. */

export const password = 'a long password'

export const register = async (page: Page, first: string, last: string) => {
  await page.goto('/register')
  await page.getByLabel('Your name').fill(`${first} ${last}`)
  await page.getByLabel('E-mail').fill(`${first.toLowerCase()}@example.com`)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible()
}

/** Creates an event that everybody can see and that needs approval; returns its id. */
export const createEvent = async (page: Page, name: string): Promise<number> => {
  await page.getByRole('link', { name: 'Create event', exact: true }).first().click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Who can see this event?').selectOption('1')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Create event' }).click()
  await page.getByRole('dialog', { name: 'Invite' }).getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  return Number(/\/events\/(\d+)$/.exec(page.url())?.[1])
}

/** On a phone, the places of the account are behind an event's back arrows. */
export const toPlace = async (page: Page, name: 'Events' | 'You') => {
  const place = page.getByRole('link', { name, exact: true })
  for (; !(await place.isVisible()); ) {
    const before = page.url()
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(page).not.toHaveURL(before)
  }
  await place.click()
}

/** Comes in by a link: the answer or the way in, a name, and it is sent. */
export const joinAs = async (page: Page, name: string, act = 'I’m in') => {
  await page.getByRole('button', { name: act, exact: true }).click()
  await page.getByLabel('Your name').fill(name)
  await page.getByRole('button', { name: 'Send' }).click()
}

export const write = async (page: Page, words: string) => {
  await page.getByRole('textbox', { name: 'Message' }).fill(words)
  await page.getByRole('button', { name: 'Send' }).click()
}

/** A message in the history, once it is really there. */
export const messageOf = (page: Page, words: string) =>
  page.getByRole('log').getByRole('article').filter({ hasText: words })

/** Signs in a member of an existing event, made through the service. */
export const signIn = async (page: Page, { token, id }: { token: string; id: number }) => {
  const session = { token, expiresAt: new Date(Date.now() + 25 * 24 * 60 * 60_000).toISOString(), userId: id }
  await page.addInitScript(kept => {
    if (!sessionStorage.getItem('begun')) localStorage.setItem('afterglow.session', kept)
    sessionStorage.setItem('begun', 'yes')
  }, JSON.stringify(session))
}

/** Olivia on a desktop without animations, organizer of an event that Gus is in. */
export const atDesktop = async (app: TestApp, visit: ReturnType<typeof openBrowser>['visit']) => {
  const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
  const { id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
  await bringIn(olivia, id, gus)
  const visitor = await visit({ size: 'desktop', still: true })
  await signIn(visitor.page, olivia)
  return { ...visitor, olivia, gus, id, group_chat_id }
}

/** Waits until a closed layer's history step is undone, too: a page that is opened before would not appear. */
export const steppedBack = (page: Page) => page.waitForFunction(() => !history.state?.layer)

/** The tray's text when all chosen files are in the album. */
export const safe = (count: number) => `${count} ${count === 1 ? 'photo' : 'photos'} added`
/** The same after a lost answer: those files already existed on the second try. */
export const allSafe =
  /^(?:\d+ photos? added|\d+ photos? added · \d+ (?:was|were) already in the album|\d+ (?:was|were) already in the album)$/

/** The page's layout shift, as browsers count it (CLS): users notice 0.1. */
export const movedOn = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>(resolve => {
        let sum = 0
        const add = (entries: PerformanceEntryList) => {
          for (const entry of entries) sum += (entry as PerformanceEntry & { value: number }).value
        }
        new PerformanceObserver(list => add(list.getEntries())).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 300)
      }),
  )

/** True once the history with these words is stored for an offline visit; that is a moment after it was shown. */
export const isKept = (page: Page, words: string, database = 'afterglow') =>
  page.evaluate(
    async ([wanted, database]) => {
      // Opening it here first would create it without its stores.
      if (!(await indexedDB.databases()).some(({ name }) => name === database)) return false
      return new Promise<boolean>(resolve => {
        const opening = indexedDB.open(database)
        opening.onsuccess = () => {
          const reading = opening.result.transaction('seen').objectStore('seen').getAll()
          reading.onsuccess = () => {
            opening.result.close()
            // Checks the chat's history, and not only its row in the list of chats.
            resolve(new RegExp(`"messages":\\[[^\\]]*${wanted}`).test(JSON.stringify(reading.result)))
          }
        }
      })
    },
    [words, database] as const,
  )

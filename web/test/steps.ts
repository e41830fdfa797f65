import type { Page } from '@playwright/test'
import type { TestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { expect, type openBrowser } from './browser.ts'

/* What people do, in the words of the pages. */

export const password = 'a long password'

export const register = async (page: Page, first: string, last: string) => {
  await page.goto('/register')
  await page.getByLabel('First name').fill(first)
  await page.getByLabel('Last name').fill(last)
  await page.getByLabel('Username').fill(first.toLowerCase())
  await page.getByLabel('E-mail').fill(`${first.toLowerCase()}@example.com`)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Events', level: 1 })).toBeVisible()
}

/** Makes an event that everybody can see and asks for approval, and gives its id. */
export const createEvent = async (page: Page, name: string): Promise<number> => {
  await page.getByRole('link', { name: 'Create event', exact: true }).first().click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Who can see this event').selectOption('1')
  await page.getByRole('button', { name: 'Create event' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  return Number(/\/events\/(\d+)$/.exec(page.url())?.[1])
}

export const write = async (page: Page, words: string) => {
  await page.getByRole('textbox', { name: 'Message' }).fill(words)
  await page.getByRole('button', { name: 'Send' }).click()
}

/** A message in the history, once it is really there. */
export const messageOf = (page: Page, words: string) =>
  page.getByRole('log').getByRole('article').filter({ hasText: words })

/** Somebody of an event that exists already, made through the service and signed in here. */
export const signIn = async (page: Page, { token, id }: { token: string; id: number }) => {
  const session = { token, expiresAt: new Date(Date.now() + 25 * 24 * 60 * 60_000).toISOString(), userId: id }
  await page.addInitScript(kept => {
    if (!sessionStorage.getItem('begun')) localStorage.setItem('afterglow.session', kept)
    sessionStorage.setItem('begun', 'yes')
  }, JSON.stringify(session))
}

/** Olivia at a desktop that holds still, organizer of an event that Gus is in. */
export const atDesktop = async (app: TestApp, visit: ReturnType<typeof openBrowser>['visit']) => {
  const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
  const { id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
  await bringIn(olivia, id, gus)
  const visitor = await visit({ size: 'desktop', still: true })
  await signIn(visitor.page, olivia)
  return { ...visitor, olivia, gus, id, group_chat_id }
}

/** Once a closed layer's step in the history is taken back, too: a page that is opened before that would not come. */
export const steppedBack = (page: Page) => page.waitForFunction(() => !history.state?.layer)

/** What the tray says when all files that were chosen are in the album. */
export const safe = (count: number) => `${count} ${count === 1 ? 'photo' : 'photos'} safe`
/** The same where an answer may have been lost: those files were there when they came again. */
export const allSafe =
  /^(?:\d+ photos? safe|\d+ photos? safe · \d+ (?:was|were) in the album already|\d+ (?:was|were) in the album already)$/

/** How far what was there has moved by itself, as browsers count it (CLS): 0.1 is what is felt. */
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

/** Whether the history that has these words is written down, for a visit without a network; that is a moment after it was seen. */
export const isKept = (page: Page, words: string, database = 'afterglow') =>
  page.evaluate(
    async ([wanted, database]) => {
      // Opened here first, it would be made without its stores.
      if (!(await indexedDB.databases()).some(({ name }) => name === database)) return false
      return new Promise<boolean>(resolve => {
        const opening = indexedDB.open(database)
        opening.onsuccess = () => {
          const reading = opening.result.transaction('seen').objectStore('seen').getAll()
          reading.onsuccess = () => {
            opening.result.close()
            // The chat's history, and not only its row in the list of chats.
            resolve(new RegExp(`"messages":\\[[^\\]]*${wanted}`).test(JSON.stringify(reading.result)))
          }
        }
      })
    },
    [words, database] as const,
  )

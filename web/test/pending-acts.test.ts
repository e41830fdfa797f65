import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { isKept, messageOf, signIn, write } from './steps.ts'

needing(browser).describe('an act without a network', { timeout: 120_000 }, async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  const party = async (by: 'olivia' | 'gus' = 'gus') => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const image = new Blob([await jpeg({ width: 640, height: 480, seed: 71 })])
    const photo = await olivia.api.gallery.uploadPhoto({ event_id: id, image })
    const comment = await olivia.api.gallery.saveComment({
      event_photo_id: Number(photo.id),
      event_photo_comment: 'Who has matches?',
    })
    const message = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'The boat leaves!' })
    const poll = await olivia.extra.polls.makePoll({
      group_chat_id,
      message_content: 'Red or white?',
      poll_choices: ['Red', 'White'],
    })
    const visitor = await visit({ still: true })
    await signIn(visitor.page, by === 'gus' ? gus : olivia)
    return { ...visitor, olivia, gus, id, group_chat_id, photo, comment, message, poll }
  }
  type Party = Awaited<ReturnType<typeof party>>

  const nothingIsSent = (page: Page) =>
    page.route(/\/api\//, route =>
      route.request().method() === 'GET' ? route.fallback() : route.abort('internetdisconnected'),
    )
  const stored = (page: Page) =>
    page.evaluate(async () => {
      // Opening it here first would create it without its stores.
      if (!(await indexedDB.databases()).some(({ name }) => name === 'afterglow')) return 0
      return new Promise<number>(resolve => {
        const opening = indexedDB.open('afterglow')
        opening.onsuccess = () => {
          const stores = opening.result.transaction(['acts', 'outbox'])
          const counts = ['acts', 'outbox'].map(name => stores.objectStore(name).count())
          stores.oncomplete = () => {
            opening.result.close()
            resolve(counts.reduce((sum, { result }) => sum + result, 0))
          }
        }
      })
    })
  const dialog = (page: Page) => page.getByRole('dialog')
  const openTalk = async ({ page, id, photo }: Party) => {
    await page.goto(`/events/${id}/photos/${photo.id}`)
    await dialog(page).locator('button[aria-expanded]:not([aria-haspopup])').first().click()
    await expect(page.getByText('Who has matches?')).toBeVisible()
  }
  const chatList = async ({ olivia, group_chat_id }: Party) =>
    (await olivia.api.chats.listMessages({ group_chat_id, page: 1, page_length: 50 })).data

  /** Every kind of act, the page that performs it, and its result on the service. */
  const kinds: Record<
    string,
    {
      by?: 'olivia'
      open(party: Party): Promise<unknown>
      act(party: Party): Promise<unknown>
      arrived(party: Party): Promise<unknown>
    }
  > = {
    like: {
      open: ({ page, id, photo }) => page.goto(`/events/${id}/photos/${photo.id}`),
      act: ({ page }) =>
        dialog(page)
          .getByRole('button', { name: /^Like, / })
          .click(),
      arrived: async ({ gus, photo }) => (await gus.api.gallery.readPhoto({ event_photo_id: photo.id })).liked,
    },
    comment: {
      open: openTalk,
      async act({ page }) {
        await page.getByRole('textbox', { name: 'Add a comment' }).fill('What a night')
        await page.getByRole('button', { name: 'Send' }).click()
      },
      arrived: async ({ olivia, photo }) => {
        const asked = { event_photo_id: photo.id, page: 1, page_length: 10 }
        const { data } = await olivia.api.gallery.listComments(asked)
        return data.filter(each => each.event_photo_comment === 'What a night').length === 1
      },
    },
    commentReaction: {
      open: openTalk,
      async act({ page }) {
        await page.getByRole('button', { name: 'React to the comment' }).click()
        await page.getByRole('group', { name: 'React to the comment' }).getByRole('button', { name: '❤️' }).click()
      },
      arrived: async ({ olivia, comment }) => {
        const asked = { comment_reaction_id: comment.id, page: 1, page_length: 10 }
        return (await olivia.api.gallery.listCommentReactions(asked)).data.length === 1
      },
    },
    messageReaction: {
      open: ({ page, id }) => page.goto(`/events/${id}/chat`),
      async act({ page }) {
        await messageOf(page, 'The boat leaves!').getByRole('button', { name: 'Reactions and more' }).click()
        await page.getByRole('menuitem', { name: '❤️' }).click()
      },
      arrived: async party =>
        (await chatList(party)).find(({ id }) => id === party.message.id)?.reactions[0]?.message_reaction === '❤️',
    },
    vote: {
      open: ({ page, id }) => page.goto(`/events/${id}/chat`),
      act: ({ page }) =>
        messageOf(page, 'Red or white?')
          .getByRole('button', { name: /^White/ })
          .click(),
      arrived: async ({ olivia, poll }) => {
        const poll_choice_id = poll.extra?.card?.poll?.poll_choices[1]?.id ?? 0
        const asked = { message_id: poll.id, poll_choice_id, page: 1, page_length: 10 }
        return (await olivia.api.polls.listVoters(asked)).data.length === 1
      },
    },
    joinAnswer: {
      by: 'olivia',
      async open({ page, id }) {
        await (await enter(app, 'asha')).api.events.askToJoin({ event_id: id })
        await page.goto(`/events/${id}/requests`)
      },
      act: ({ page }) => page.getByRole('button', { name: /^Let in Asha/ }).click(),
      arrived: async ({ olivia, id }) =>
        (await olivia.api.events.listGuests({ event_id: id, page: 1, page_length: 9 })).data.length === 3,
    },
    answer: {
      open: ({ page, id }) => page.goto(`/events/${id}`),
      act: ({ page }) => page.getByRole('button', { name: 'Maybe', exact: true }).click(),
      arrived: async ({ gus, id }) => (await gus.api.plans.readAnswer({ event_id: id })).event_answer === 'maybe',
    },
    message: {
      open: ({ page, id }) => page.goto(`/events/${id}/chat`),
      act: ({ page }) => write(page, 'I bring two'),
      arrived: async party =>
        (await chatList(party)).filter(({ message_content }) => message_content === 'I bring two').length === 1,
    },
  }

  test('of every kind has its row here', () => {
    const table = readFileSync(join(import.meta.dirname, '../src/shell/performers.ts'), 'utf8')
    const known = [...table.matchAll(/^ {2}(\w+): \(\) =>/gm)].map(([, kind]) => kind)
    expect([...known, 'message'].sort()).toEqual(Object.keys(kinds).sort())
  })

  test.for(Object.entries(kinds))(
    'of kind %s is stored, and sent from an unrelated page',
    async ([, { by, open, act, arrived }]) => {
      const here = await party(by)
      const { page } = here
      await open(here)
      await nothingIsSent(page)
      await act(here)
      await expect.poll(() => stored(page)).toBe(1)
      expect(await arrived(here)).toBe(false)
      await page.goto('/settings')
      await page.unrouteAll({ behavior: 'wait' })
      await page.goto('/settings')
      await expect.poll(() => arrived(here)).toBe(true)
      await expect.poll(() => stored(page)).toBe(0)
    },
  )

  test('that is a message appears as soon as its chat does', async () => {
    const { page, id } = await party()
    await page.goto(`/events/${id}/chat`)
    await expect(messageOf(page, 'The boat leaves!')).toBeVisible()
    await expect.poll(() => isKept(page, 'The boat leaves')).toBe(true)
    await nothingIsSent(page)
    await write(page, 'I bring two')
    await expect.poll(() => stored(page)).toBe(1)
    await page.addInitScript(() => {
      new MutationObserver(() => {
        const said = document.querySelector('[role=log]')?.textContent ?? ''
        if (said.includes('The boat leaves!')) Object.assign(window, { first: Reflect.get(window, 'first') ?? said })
      }).observe(document, { childList: true, subtree: true, characterData: true })
    })
    await page.reload()
    await expect(messageOf(page, 'The boat leaves!')).toBeVisible()
    expect(await page.evaluate(() => Reflect.get(window, 'first'))).toContain('I bring two')
  })

  test('that is an answer is shown, survives the service’s updates, and can be undone', async () => {
    const { page, gus, id } = await party()
    await gus.api.plans.answerEvent({ event_id: id, event_answer: 'going', plus_ones: 2, plus_names: 'Ana, Leo' })
    await page.goto(`/events/${id}`)
    const answer = (name: string) => page.getByRole('button', { name, exact: true })
    await expect(answer('Yes')).toHaveAttribute('aria-pressed', 'true')
    await nothingIsSent(page)
    await answer('No').click()
    await expect(page.getByText('Your answer: No').first()).toBeVisible()
    await expect.poll(() => stored(page)).toBe(1)
    await page.reload()
    await expect(answer('No')).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByText('0 coming')).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.reload()
    const given = async () => {
      const { event_answer, plus_ones, plus_names } = await gus.api.plans.readAnswer({ event_id: id })
      return [event_answer, plus_ones, plus_names]
    }
    await expect.poll(given).toEqual(['no', 2, 'Ana, Leo'])
    await answer('Maybe').click()
    await expect.poll(given).toEqual(['maybe', 2, 'Ana, Leo'])
    // By then nobody can undo it.
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
    await gus.api.plans.answerEvent({ event_id: id, event_answer: 'going', plus_ones: 2, plus_names: 'Ana, Leo' })
    await expect(answer('Yes')).toHaveAttribute('aria-pressed', 'true')
    await answer('No').click()
    await expect(answer('No')).toHaveAttribute('aria-pressed', 'true')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(answer('Yes')).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(() => stored(page)).toBe(0)
    await page.reload()
    await expect(answer('Yes')).toHaveAttribute('aria-pressed', 'true')
    expect(await given()).toEqual(['going', 2, 'Ana, Leo'])
  })

  test('of another version steps aside, says so, and blocks nothing', async () => {
    const { page, gus, id, photo } = await party()
    await page.goto(`/events/${id}/photos/${photo.id}`)
    await nothingIsSent(page)
    await dialog(page)
      .getByRole('button', { name: /^Like, / })
      .click()
    await expect.poll(() => stored(page)).toBe(1)
    await page.evaluate(
      userId =>
        new Promise<void>(resolve => {
          const opening = indexedDB.open('afterglow')
          opening.onsuccess = () => {
            const dance = { at: 1, key: 'one', userId, chatId: 0, kind: 'dance', about: 'dance', told: {} }
            const writing = opening.result.transaction('acts', 'readwrite')
            writing.objectStore('acts').put(dance)
            writing.oncomplete = () => {
              opening.result.close()
              resolve()
            }
          }
        }),
      gus.id,
    )
    await page.unrouteAll({ behavior: 'wait' })
    await page.goto('/settings')
    await expect.poll(async () => (await gus.api.gallery.readPhoto({ event_photo_id: photo.id })).liked).toBe(true)
    await expect(page.getByText('cannot be sent by this version').first()).toBeVisible()
    expect(await stored(page)).toBe(1)
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect.poll(() => stored(page)).toBe(0)
  })

  test('that has waited for a minute despite a network is reported', {
    tags: 'slow',
    timeout: 240_000,
  }, async () => {
    const { page, id } = await party()
    await page.goto(`/events/${id}/chat`)
    await page.route(/\/api\/message(?:\?|$)/, route => route.fulfill({ status: 503 }))
    await write(page, 'I bring two')
    await expect.poll(() => stored(page)).toBe(1)
    await page.goto('/settings')
    await expect(page.getByText('Something you did has not arrived yet.')).toBeVisible({ timeout: 90_000 })
    await page.unrouteAll({ behavior: 'wait' })
    await expect(page.getByText('Something you did has not arrived yet.')).toHaveCount(0, { timeout: 60_000 })
  })
})

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

needing(browser).describe('an act in the album or chat without a network', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })

  const party = async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const image = new Blob([await jpeg({ width: 640, height: 480, seed: 71 })])
    const photo = await olivia.api.gallery.uploadPhoto({ event_id: id, image })
    const visitor = await visit({ still: true })
    await signIn(visitor.page, gus)
    return { ...visitor, olivia, gus, id, group_chat_id, photoId: photo.id }
  }
  /** Opens a page offline, as soon as the service worker has the whole client. */
  const openOffline = async (page: Page) => {
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.evaluate(async () => {
      while (!navigator.serviceWorker.controller) await new Promise(resolve => setTimeout(resolve, 50))
    })
  }
  const dialog = (page: Page) => page.getByRole('dialog')
  const talk = (page: Page) => dialog(page).locator('button[aria-expanded]:not([aria-haspopup])').first()

  test('that is a like or a comment is shown as waiting, survives a reload, and arrives once', async () => {
    const { page, context, olivia, id, photoId, complaints } = await party()
    await page.goto(`/events/${id}/photos/${photoId}`)
    await openOffline(page)
    await page.reload()
    const like = dialog(page).getByRole('button', { name: /^Like, / })
    await expect(like).toBeVisible()
    await talk(page).click()
    await expect(page.getByText('No comments yet')).toBeVisible()
    // Waits until it is stored for an offline visit.
    await page.waitForTimeout(2000)
    await context.setOffline(true)
    await like.click()
    await expect(like).toHaveAttribute('aria-pressed', 'true')
    const field = page.getByRole('textbox', { name: 'Add a comment' })
    await field.fill('What a night')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText('What a night')).toBeVisible()
    await expect(page.getByText('sending').first()).toBeVisible()
    await field.fill('And tomorrow')
    await page.reload()
    await expect(like).toHaveAttribute('aria-pressed', 'true')
    await talk(page).click()
    await expect(page.getByText('What a night')).toBeVisible()
    await expect(page.getByText('sending').first()).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Add a comment' })).toHaveValue('And tomorrow')
    await context.setOffline(false)
    const comments = async () =>
      (await olivia.api.gallery.listComments({ event_photo_id: photoId, page: 1, page_length: 10 })).data
    await expect.poll(async () => (await comments()).map(each => each.event_photo_comment)).toEqual(['What a night'])
    await expect(page.getByText('sending')).toHaveCount(0)
    await expect(page.getByText('What a night')).toHaveCount(1)
    expect((await olivia.api.gallery.readPhoto({ event_photo_id: photoId })).event_photo_likes_count).toBe('1')
    await page.waitForTimeout(1500)
    expect(await comments()).toHaveLength(1)
    expect(complaints.filter(words => !/ERR_|Failed to fetch|fetching the script/.test(words))).toEqual([])
  })

  test('that is a reaction to a comment is shown as waiting, survives a reload, and arrives once; the last choice counts', async () => {
    const { page, context, olivia, id, photoId, complaints } = await party()
    const comment = await olivia.api.gallery.saveComment({
      event_photo_id: Number(photoId),
      event_photo_comment: 'Who has matches?',
    })
    await page.goto(`/events/${id}/photos/${photoId}`)
    await openOffline(page)
    await page.reload()
    await talk(page).click()
    await expect(page.getByText('Who has matches?')).toBeVisible()
    // Waits until it is stored for an offline visit.
    await page.waitForTimeout(2000)
    await context.setOffline(true)
    const react = async (emoji: string) => {
      await page.getByRole('button', { name: 'React to the comment' }).click()
      await page.getByRole('group', { name: 'React to the comment' }).getByRole('button', { name: emoji }).click()
    }
    await react('❤️')
    await react('😂')
    const mine = page.getByRole('button', { name: '😂, 1 person' })
    await expect(mine).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByText('sending').first()).toBeVisible()
    await page.reload()
    await talk(page).click()
    await expect(mine).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByText('sending').first()).toBeVisible()
    const reacted = async () => {
      const asked = { comment_reaction_id: comment.id, page: 1, page_length: 10 }
      return (await olivia.api.gallery.listCommentReactions(asked)).data.map(({ user }) => user.user_first_name)
    }
    expect(await reacted()).toEqual([])
    await context.setOffline(false)
    await expect.poll(reacted).toEqual(['Gus'])
    await expect(page.getByText('sending')).toHaveCount(0)
    await expect(mine).toBeVisible()
    await expect(page.getByRole('button', { name: /^❤️, / })).toHaveCount(0)
    expect(complaints.filter(words => !/ERR_|Failed to fetch|fetching the script/.test(words))).toEqual([])
  })

  test('that replies to a comment deleted meanwhile stays with its author, with the reason', async () => {
    const { page, context, olivia, id, photoId } = await party()
    const comment = await olivia.api.gallery.saveComment({
      event_photo_id: Number(photoId),
      event_photo_comment: 'Who took this?',
    })
    await page.goto(`/events/${id}/photos/${photoId}`)
    await talk(page).click()
    await page.getByRole('article').getByRole('button', { name: 'Reply' }).click()
    await context.setOffline(true)
    await page.getByRole('textbox', { name: 'Add a comment' }).fill('It was me')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText('It was me')).toBeVisible()
    await olivia.api.gallery.deleteComment({ event_photo_comment_id: comment.id })
    await context.setOffline(false)
    await expect(page.getByText('This comment was deleted.')).toBeVisible()
    await expect(page.getByText('Who took this?')).toHaveCount(0)
    await expect(page.getByText('It was me')).toBeVisible()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page.getByText('It was me')).toHaveCount(0)
  })

  test('that is a reaction in the chat is sent later, and waiting messages stay in sight over a reload', async () => {
    const { page, context, olivia, id, group_chat_id, complaints } = await party()
    for (let each = 1; each <= 12; each++)
      await olivia.api.chats.saveMessage({ group_chat_id, message_content: `Lantern ${each}` })
    await page.goto(`/events/${id}/chat`)
    await openOffline(page)
    await expect(messageOf(page, 'Lantern 12')).toBeVisible()
    await expect.poll(() => isKept(page, 'Lantern 1')).toBe(true)
    await context.setOffline(true)
    await write(page, 'I bring two')
    await write(page, 'And matches')
    await messageOf(page, 'Lantern 12').getByRole('button', { name: 'Reactions and more' }).click()
    await page.getByRole('menuitem', { name: '❤️' }).click()
    const heart = messageOf(page, 'Lantern 12').getByRole('button', { name: '❤️, 1 person' })
    await expect(heart).toBeVisible()
    await page.reload()
    for (const words of ['I bring two', 'And matches'])
      await expect(page.getByRole('log').getByText(words)).toBeInViewport({ ratio: 1 })
    await expect(heart).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('sending')).toHaveCount(0)
    const { data } = await olivia.api.chats.listMessages({ group_chat_id, page: 1, page_length: 50 })
    const loved = data.find(({ message_content }) => message_content === 'Lantern 12')
    expect(loved?.reactions.map(({ message_reaction_count }) => message_reaction_count)).toEqual(['1'])
    await expect(heart).toBeVisible()
    expect(data.filter(({ message_content }) => /bring two|matches/.test(message_content))).toHaveLength(2)
    expect(complaints.filter(words => !/ERR_|Failed to fetch|fetching the script/.test(words))).toEqual([])
  })
})

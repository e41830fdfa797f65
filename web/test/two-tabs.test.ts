import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { messageOf, signIn, write } from './steps.ts'

needing(browser).describe('two tabs of one person', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })

  const tabs = async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const { page: one, context, complaints } = await visit({ still: true })
    await signIn(one, gus)
    await one.goto(`/events/${id}/chat`)
    const other = await context.newPage()
    await other.goto(`/events/${id}/chat`)
    for (const page of [one, other]) await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
    return { olivia, gus, id, group_chat_id, one, other, context, complaints }
  }

  test('send both offline messages once, each in order', async () => {
    const { olivia, group_chat_id, one, other, context, complaints } = await tabs()
    await context.setOffline(true)
    for (const number of [1, 2, 3]) {
      await write(one, `one ${number}`)
      await write(other, `other ${number}`)
    }
    await context.setOffline(false)
    for (const page of [one, other]) {
      for (const words of ['one 3', 'other 3']) await expect(messageOf(page, words)).toBeVisible()
      await expect(page.getByText('sending')).toHaveCount(0)
    }
    const { data } = await olivia.api.chats.listMessages({ group_chat_id, page: 1, page_length: 50 })
    const sent = data.map(({ message_content }) => message_content).reverse()
    for (const tab of ['one', 'other'])
      expect(sent.filter(words => words.startsWith(`${tab} `))).toEqual([1, 2, 3].map(number => `${tab} ${number}`))
    expect(sent).toHaveLength(6)
    expect(complaints.filter(words => !/ERR_|Failed to fetch|fetching the script/.test(words))).toEqual([])
  })

  test('are marked as read, and signed out, together', {
    tags: 'slow',
  }, async () => {
    const { olivia, id, group_chat_id, one, other, complaints } = await tabs()
    await one.goto('/chats')
    await other.goto('/chats')
    for (const message_content of ['Where are you?', 'The boat leaves!'])
      await olivia.api.chats.saveMessage({ group_chat_id, message_content })
    const badge = other.getByRole('main').getByText('2', { exact: true })
    await expect(badge).toBeVisible()
    await one.goto(`/events/${id}/chat`)
    await expect(messageOf(one, 'The boat leaves!')).toBeVisible()
    await expect(badge).toHaveCount(0)
    await one.goto('/settings')
    await one.getByRole('button', { name: 'Sign out' }).click()
    await one.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    for (const page of [one, other]) {
      await expect(page.getByRole('main').getByText('The boat leaves!')).toHaveCount(0)
      await expect(page).toHaveURL(/\/(?:sign-in.*)?$/)
    }
    expect(complaints).toEqual([])
  })
})

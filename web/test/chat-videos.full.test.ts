import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { filmTool, mp4 } from '../../server/test/films.ts'
import { later } from '../../server/test/later.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { browser, ffmpeg } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { messageOf, signIn } from './steps.ts'

needing(browser, ffmpeg).describe('a video in the chat', async () => {
  const app = await openTestApp({}, { webClient: await readyClient(), video: await filmTool() })
  const { visit } = openBrowser(app.url)

  test('is sent like a picture, shows its still, and plays in its place for others', async () => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const { page, complaints } = await visit({ still: true })
    await signIn(page, gus)
    await page.goto(`/events/${id}/chat`)
    const choose = async (...files: { name: string; mimeType: string; buffer: Buffer }[]) => {
      const chooser = later(page.waitForEvent('filechooser'))
      await page.getByRole('button', { name: 'Add photos or a video' }).click()
      await (await chooser).setFiles(files)
    }
    const film = {
      name: 'party.mp4',
      mimeType: 'video/mp4',
      buffer: await mp4({ width: 320, height: 180, seconds: 2 }),
    }
    await choose(film, { ...film, name: 'another.mp4' })
    await expect(page.getByText('Send videos one at a time').first()).toBeVisible()
    await choose(film)
    await page.getByRole('textbox', { name: 'Add a caption' }).fill('The fireworks')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText('sending')).toHaveCount(0, { timeout: 60_000 })
    await expect(messageOf(page, 'The fireworks')).toBeVisible()

    const other = await visit({ still: true })
    await signIn(other.page, olivia)
    await other.page.goto(`/events/${id}/chat`)
    const message = messageOf(other.page, 'The fireworks')
    const play = message.getByRole('button', { name: 'Play the video' })
    await expect(play).toBeVisible({ timeout: 60_000 })
    await expectAccessible(other.page)
    await play.click()
    const video = message.locator('video')
    await expect
      .poll(() => video.evaluate((each: HTMLVideoElement) => each.currentTime > 0 || each.error?.message))
      .toBe(true)
    const { data } = await olivia.api.chats.listMessages({ group_chat_id, page: 1, page_length: 10 })
    expect(data.filter(({ attachments }) => attachments.length > 0)).toHaveLength(1)
    expect([...complaints, ...other.complaints]).toEqual([])
  })
})

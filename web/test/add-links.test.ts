import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { joinAs } from './steps.ts'

needing(browser).describe('a link for adding photos', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))

  test('leads from a name to the camera, shows only the guest’s own photos, and asks for nothing else', async () => {
    const olivia = await enter(app, 'olivia')
    const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
    const photo = async (seed: number) => Buffer.from(await jpeg({ width: 480, height: 320, seed }))
    const image = new Blob([new Uint8Array(await photo(1))])
    await olivia.api.gallery.uploadPhoto({ event_id, image, event_photo_caption: 'Arriving' })
    const link = await olivia.api.links.makeLink({ event_id, kind: 'drop' })
    const guests = await olivia.api.links.makeLink({ event_id })

    const { page, complaints } = await visit()
    const refused: string[] = []
    page.on('response', reply => {
      if (reply.status() >= 400) refused.push(`${reply.status()} ${reply.url()}`)
    })
    await page.goto(`/j/${link.link_code}`)
    await expect(page.getByText('Add your photos here. You’ll see only your own.')).toBeVisible()
    await joinAs(page, 'Fabio', 'Add photos')
    await expect(page.getByRole('button', { name: 'Add photos' }).first()).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Chat' })).toHaveCount(0)

    const own = page.locator('a[data-photo]')
    await page
      .locator('input[type=file][multiple]')
      .first()
      .setInputFiles({ name: 'mine.jpg', mimeType: 'image/jpeg', buffer: await photo(2) })
    await expect(own).toHaveCount(1)
    await expect(page.getByText('1 of 200 photos added')).toBeVisible()
    await page.reload()
    await expect(own).toHaveCount(1)
    await own.click()
    await page.getByRole('button', { name: 'Comments and details, 0 comments' }).click()
    await page.getByRole('button', { name: 'Describe' }).click()
    await page.getByLabel('Caption').fill('Mine')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('dialog').getByText('Mine').last()).toBeVisible()
    await page.goto('/chats')
    await expect(own).toHaveCount(1)
    expect(refused).toEqual([])
    expect(complaints).toEqual([])

    const { data } = await olivia.api.gallery.listPhotos({ event_id, page: 1, page_length: 2 })
    const event_photo_id = Number(data.find(each => each.taken_by.user_first_name === 'Fabio')?.id)
    await olivia.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'Who is that?' })
    await page.reload()
    await own.click()
    await page.getByRole('button', { name: 'Comments and details, 1 comment' }).click()
    await expect(page.getByRole('article').filter({ hasText: 'Who is that?' })).toBeVisible()
    await page.getByRole('article').getByRole('button', { name: 'Reply' }).click()
    const words = page.getByRole('textbox', { name: 'Add a comment' })
    await words.fill('My aunt')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(words).toHaveValue('')
    const replies = async () =>
      (await olivia.api.gallery.listComments({ event_photo_id, page: 1, page_length: 5 })).data.map(each =>
        Number(each.event_photo_comment_replies_count),
      )
    await expect.poll(replies).toEqual([1])
    await expect(page.getByText('My aunt')).toBeVisible()
    expect(refused).toEqual([])
    expect(complaints).toEqual([])

    await page.goto(`/j/${guests.link_code}`)
    await page.getByRole('button', { name: 'I’m in' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByRole('navigation')).toBeVisible()
    await page.getByRole('link', { name: 'Photos', exact: true }).click()
    await expect(own).toHaveCount(2)
    expect(refused).toEqual([])

    const other = await visit()
    await other.page.goto(`/j/${link.link_code}`)
    await joinAs(other.page, 'Gina', 'Add photos')
    await expect(other.page.getByRole('button', { name: 'Add photos' }).first()).toBeVisible()
    await olivia.api.links.revokeLink({ link_id: link.id })
    await expect(other.page.getByText('This link no longer works')).toBeVisible()
  })
})

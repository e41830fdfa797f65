import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { later } from '../../server/test/later.ts'
import { needing } from '../../server/test/needing.ts'
import { evening } from '../../server/test/party.ts'
import { jpeg, png } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { expectAccessible } from './axe.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { joinAs, toPlace } from './steps.ts'

needing(browser).describe('a guest', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))

  const hold = async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns', event_visibility: 2 }))
    const link = await olivia.api.links.makeLink({ event_id: id })
    await olivia.api.gallery.uploadPhoto({ event_id: id, image: new Blob([await png()]) })
    return { olivia, id, path: `/j/${link.link_code}`, linkId: link.id }
  }
  const come = async (page: Page, path: string) => {
    await page.goto(path)
    await joinAs(page, 'Anna')
    await expect(page.getByRole('heading', { name: 'You’re in, Anna!' })).toBeVisible()
  }
  const atEvent = (page: Page, id: number) => expect(page).toHaveURL(new RegExp(`/events/${id}$`))

  test('sees the first photo three taps after the link, and sends the first one two taps after the album', async () => {
    const { olivia, id, path } = await hold()
    const { page, complaints } = await visit()
    await come(page, path)
    await expectAccessible(page)
    // Joining took one tap; the newest photos are there already, and a second tap opens the album.
    await expect(page.getByRole('list', { name: 'Latest photos' }).getByRole('img')).toHaveCount(1)
    await page.getByRole('link', { name: 'Photos', exact: true }).click()
    await page.locator('[data-photo]').first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.goBack()

    const choosing = later(page.waitForEvent('filechooser'))
    await page.getByRole('button', { name: 'Add photos' }).click()
    const image = {
      name: 'one.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from(await jpeg({ width: 320, height: 240, seed: 5 })),
    }
    await (await choosing).setFiles([image])
    await expect(page.locator('[data-photo]')).toHaveCount(2)
    const { data } = await olivia.api.gallery.listPhotos({ event_id: id, page: 1, page_length: 10 })
    expect(data).toHaveLength(2)

    // Now there is a reason to return.
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page).toHaveURL(/\/settings\/claim$/)
    await page.goto(`/events/${id}`)
    await expect(page.getByRole('heading', { name: 'Lanterns' })).toBeVisible()
    await expect(page.getByText('Save your account?')).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  test('who scans the code again sees the event, even if the link is off', async () => {
    const { olivia, id, path, linkId } = await hold()
    const { page } = await visit()
    await come(page, path)
    await page.goto(path)
    await atEvent(page, id)
    // A guest with another way in does not need it either.
    const other = await olivia.api.links.makeLink({ event_id: id })
    await page.goto(`/j/${other.link_code}`)
    await atEvent(page, id)
    await olivia.api.links.revokeLink({ link_id: linkId })
    await page.goto(path)
    await atEvent(page, id)
  })

  test('with an expired session finds the link, and is not asked for a password first', { tags: 'slow' }, async () => {
    const { path } = await hold()
    const { page } = await visit()
    await come(page, path)
    // Removes the resume key, as in older sessions: coming-back.test.ts covers the others.
    await page.waitForFunction(() => Object.values({ ...localStorage }).some(kept => kept.includes('"known":true')))
    await page.evaluate(() => {
      for (const place of Object.keys(localStorage))
        if (/^afterglow\.(?:session|return)/.test(place)) localStorage.removeItem(place)
    })
    for (const at of ['/', '/events']) {
      await page.goto(at)
      await expect(page.getByRole('heading', { name: 'Back to your event, no password needed' })).toBeVisible()
      await expectAccessible(page)
    }
    await page.getByRole('link', { name: 'Lanterns' }).click()
    await expect(page.getByRole('button', { name: 'I’m in' })).toBeVisible()
  })

  test('who signs out is told the consequences, and leaves no link behind', async () => {
    const { path } = await hold()
    const { page } = await visit()
    await come(page, path)
    await toPlace(page, 'You')
    await page.getByRole('button', { name: 'Sign out' }).click()
    const asked = page.getByRole('alertdialog')
    await expect(asked).toContainText('you can’t get back into this account')
    await asked.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByLabel('Password')).toBeVisible()
    await expect(page.getByText('Back to your event')).toHaveCount(0)
  })

  test('chooses a language on the invitation page, and reads how to sign in from another device', async () => {
    const { path } = await hold()
    const { page, complaints } = await visit()
    await page.goto(path)
    await page.getByText('I already joined on another device').click()
    await expect(page.getByText(/You → Add a device/)).toBeVisible()
    await page.getByRole('button', { name: 'Deutsch' }).click()
    await expect(page.getByRole('button', { name: 'Zusagen' })).toBeVisible()
    await expect(page.getByText('Ich bin schon auf einem anderen Gerät dabei')).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('signs in on another device by the first one’s code, once', { tags: 'slow' }, async () => {
    const { id, path } = await hold()
    const first = await visit()
    await come(first.page, path)
    await toPlace(first.page, 'You')
    const address = later(first.page.waitForResponse(reply => /account\/transfer(\?|$)/.test(reply.url())))
    await first.page.getByRole('button', { name: 'Add a device' }).click()
    await expect(first.page.getByRole('img', { name: 'QR code for your other device' })).toBeVisible()
    await expectAccessible(first.page)
    const { transfer_url } = await (await address).json()

    const second = await visit({ size: 'desktop' })
    await second.page.goto(transfer_url)
    await expectAccessible(second.page)
    await second.page.getByRole('button', { name: 'Continue as Anna' }).click()
    await expect(second.page.getByRole('heading', { name: 'Lanterns', level: 1 })).toBeVisible()
    await second.page.goto(`/events/${id}/photos`)
    await expect(second.page.getByRole('button', { name: 'Add photos' })).toBeVisible()
    expect(second.page.url()).not.toContain('code=')

    const third = await visit()
    await third.page.goto(transfer_url)
    await expect(third.page.getByText('Create a new code on your first device', { exact: false })).toBeVisible()
    for (const { complaints } of [first, second]) expect(complaints).toEqual([])
  })

  test('who visits for the first time reads what this is', async () => {
    const { page, complaints } = await visit()
    await page.goto('/')
    await expect(page.getByText('Been invited?', { exact: false })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Create event' }).click()
    await expect(page).toHaveURL(/\/register\?next=%2Fevents%2Fnew$/)
    expect(complaints).toEqual([])
  })
})

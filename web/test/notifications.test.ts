import { expect as is, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { needing } from '../../server/test/needing.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { actsOf, folded, isUnread } from '../src/notifications/grouped-rows.ts'
import { expectAccessible } from './axe.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { signIn } from './steps.ts'

type Notification = Parameters<typeof folded>[0][number]
const notice = (id: number, notification_kind: Notification['notification_kind'], subject_id: number, read = true) =>
  ({ id, notification_kind, subject_id, read, notification_count: 2 }) as Notification

test('likes of one photo are one row at the newest one’s place, and unread while one of them is', () => {
  const rows = folded([
    notice(9, 'photo_like', 1),
    notice(8, 'message', 1),
    notice(7, 'photo_like', 2),
    notice(6, 'photo_like', 1, false),
    notice(5, 'message', 1),
  ])
  is(rows.map(({ newest, others }) => [newest.id, ...others.map(({ id }) => id)])).toEqual([[9, 6], [8], [7], [5]])
  is(rows.map(actsOf)).toEqual([4, 2, 2, 2])
  is(rows.map(isUnread)).toEqual([true, false, false, false])
})

test('comments of one photo are one row, and so are a day’s requests to join an event; a mention stands alone', () => {
  const at = (moment: Date) => ({ updated_at: moment.toISOString() })
  const [today, before] = [new Date(), new Date(Date.now() - 3 * 86_400_000)]
  const comment = (id: number, kind: Notification['notification_kind'], photo: number) => ({
    ...notice(id, kind, 100 + id),
    notification_link: `/events/7/photos/${photo}`,
  })
  const asks = (id: number, event_id: number, moment: Date) => ({
    ...notice(id, 'join_request', 200 + id, false),
    event_id,
    ...at(moment),
  })
  const rows = folded([
    comment(19, 'photo_comment', 1),
    comment(18, 'comment_mention', 1),
    comment(17, 'comment_reply', 1),
    comment(16, 'photo_comment', 2),
    asks(15, 7, today),
    asks(14, 8, today),
    asks(13, 7, today),
    asks(12, 7, before),
  ])
  is(rows.map(({ newest, others }) => [newest.id, ...others.map(({ id }) => id)])).toEqual([
    [19, 17],
    [18],
    [16],
    [15, 13],
    [14],
    [12],
  ])
  // Unread notifications are counted as before: folding hides none of them.
  is(rows.flatMap(({ newest, others }) => [newest, ...others]).filter(({ read }) => !read)).toHaveLength(4)
})

needing(browser).describe('notifications', async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url)

  test('have a picture of their subject, and explain themselves in their menu', async () => {
    const [olivia, gus, ana] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus'), enter(app, 'ana')])
    const { id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    await bringIn(olivia, id, ana)
    const image = new Blob([new Uint8Array(await jpeg({ width: 480, height: 320, seed: 5 }))])
    const photo = Number((await olivia.api.gallery.uploadPhoto({ event_id: id, image })).id)
    for (const { api } of [gus, ana]) await api.gallery.likePhoto({ event_photo_id: photo })
    const { page, complaints } = await visit({ still: true })
    await signIn(page, olivia)
    await page.goto('/notifications')
    const row = page.getByRole('listitem').filter({ hasText: 'your photo' })
    await expect(row).toHaveCount(1)
    await expect(row).toContainText('and one other person like your photo')
    const picture = row.locator('img')
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    await expectAccessible(page)
    await row.getByRole('button', { name: 'More' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Mark as read' }).press('Enter')
    await expect(row).not.toContainText('New:')
    await row.getByRole('button', { name: 'More' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Why did I get this?' }).press('Enter')
    await expect(page.getByRole('dialog', { name: 'Why did I get this?' })).toBeVisible()
    expect(complaints).toEqual([])
  })
})

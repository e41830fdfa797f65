import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { enter } from '../../server/test/cast.ts'
import { later } from '../../server/test/later.ts'
import { needing } from '../../server/test/needing.ts'
import { newFolder } from '../../server/test/new-folder.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { anew, jpeg } from '../../server/test/pictures.ts'
import { raw } from '../../server/test/raw.ts'
import { browser } from '../../server/test/tools.ts'
import { expect, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { allSafe, messageOf, safe, signIn } from './steps.ts'

const folder = newFolder('bringing')

const photo = async (seed: number) => Buffer.from(await jpeg({ width: 640, height: 480, seed }))
/** A folder with files of these names. */
const folderOf = async (name: string, files: Record<string, Buffer | string>) => {
  const path = join(folder, name)
  for (const [file, bytes] of Object.entries(files)) {
    await mkdir(join(path, file, '..'), { recursive: true })
    await writeFile(join(path, file), bytes)
  }
  return path
}
/** Drags these files over the page and drops them, as a file manager does. */
const drop = async (page: Page, ...files: string[]) => {
  const session = await page.context().newCDPSession(page)
  const at = { x: 300, y: 300, data: { items: [], files, dragOperationsMask: 1 } }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at })
  await session.detach()
}
const tray = (page: Page) => page.getByRole('region', { name: 'Uploading' })
const status = (page: Page) => tray(page).getByRole('status')
const choose = (page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('input[type=file]:not([data-camera])').setInputFiles(files)
const asFiles = async (seeds: number[]) =>
  Promise.all(seeds.map(async seed => ({ name: `${seed}.jpg`, mimeType: 'image/jpeg', buffer: await photo(seed) })))

needing(browser).describe('photos added to an album', async () => {
  const app = await openTestApp({ photosPerGuest: 40 }, { webClient: await readyClient() })
  const { visit } = openBrowser(app.url, { serviceWorkers: 'allow' })
  const party = async (path = 'photos') => {
    const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const visitor = await visit({ size: 'desktop' })
    await signIn(visitor.page, gus)
    await visitor.page.goto(`/events/${id}/${path}`)
    // The page accepts drops once it is drawn.
    await visitor.page.waitForLoadState('networkidle')
    const photos = async () => (await gus.api.gallery.listPhotos({ event_id: id, page: 1, page_length: 100 })).data
    return { ...visitor, olivia, gus, id, group_chat_id, photos }
  }

  test('combine a RAW with the JPEG of the same name', { tags: 'slow' }, async () => {
    const { page, gus, photos } = await party()
    const preview = await photo(811)
    await choose(page, [
      { name: 'DSC_0412.NEF', mimeType: '', buffer: raw('nef', { preview }) },
      { name: 'DSC_0412.JPG', mimeType: 'image/jpeg', buffer: preview },
      { name: 'DSC_0413.NEF', mimeType: '', buffer: raw('nef', { preview: await photo(812) }) },
    ])
    await expect.poll(async () => (await photos()).length).toBe(2)
    const names = (await photos()).map(async ({ id }) => {
      const { extra } = await gus.extra.gallery.readPhoto({ event_photo_id: Number(id) })
      return [extra?.original?.name, extra?.raw?.name]
    })
    expect((await Promise.all(names)).sort()).toEqual([
      ['DSC_0412.jpg', 'DSC_0412.nef'],
      ['DSC_0413.jpg', 'DSC_0413.nef'],
    ])
  })

  test('come from a dropped folder, however deep and oddly named, which reports the files left out', {
    tags: 'slow',
  }, async () => {
    const { page, photos, complaints } = await party()
    const odd = ['CON.jpg', 'a\u202egpj.exe.jpg', `${'x'.repeat(240)}.jpg`, '#1 100%?&.JPG', ' .jpg', 'صورة.jpeg']
    const files = await Promise.all(odd.map(async (name, at) => [`card/DCIM/${name}`, await photo(at + 1)] as const))
    const others = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`card/MISC/${at}.xmp`, 'x']))
    const path = await folderOf('dropped', {
      ...Object.fromEntries(files),
      ...others,
      'card/DCIM/._CON.jpg': 'what a Mac leaves',
      'menu.pdf': 'no photo',
    })
    await drop(page, path)
    await expect(page.getByText('252 other files were skipped').first()).toBeVisible()
    await expect(status(page)).toHaveText(safe(odd.length))
    await expect(page.locator('[data-photo]')).toHaveCount(odd.length)
    expect(await photos()).toHaveLength(odd.length)
    expect(complaints).toEqual([])
  })

  test('come from a chosen folder, and a file named explicitly is refused by name', { tags: 'slow' }, async () => {
    const { page, complaints } = await party()
    const path = await folderOf('chosen', {
      'one.jpg': await photo(1),
      'deep/two.jpg': await photo(2),
      'notes.txt': '',
    })
    const asked = later(page.waitForEvent('filechooser'))
    await page.getByRole('button', { name: 'Add a folder' }).click()
    await (await asked).setFiles(path)
    await expect(status(page)).toHaveText(safe(2))
    await drop(page, join(path, 'notes.txt'))
    await expect(status(page)).toHaveText('2 photos added')
    await expect(tray(page).getByText('notes.txt: Not a photo or video')).toBeVisible()
    await page.reload()
    await expect(tray(page).getByText('notes.txt: Not a photo or video')).toBeVisible()
    await tray(page).getByRole('button', { name: 'Close' }).click()
    await page.reload()
    await page.waitForLoadState('networkidle')
    await expect(tray(page)).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  test('can be pasted', async () => {
    const { page, context, id, complaints } = await party()
    const bytes = [...(await photo(3))]
    await page.evaluate(bytes => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([new Uint8Array(bytes)], 'image.png', { type: 'image/jpeg' }))
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, bytes)
    await expect(status(page)).toHaveText(safe(1), { timeout: 120_000 })
    // A second tab does not affect this one's message.
    const other = await context.newPage()
    await other.goto(`/events/${id}/photos`)
    await expect(other.locator('[data-photo]')).toHaveCount(1)
    await other.waitForLoadState('networkidle')
    await expect(status(page)).toHaveText(safe(1))
    expect(complaints).toEqual([])
  })

  test('can be dropped onto a chat: a few become a message, and a folder goes into the album', {
    tags: 'slow',
  }, async () => {
    const { page, photos, complaints } = await party('chat')
    const names = Array.from({ length: 12 }, (_, at) => `${at}.jpg`)
    const bytes = await Promise.all(names.map((_, at) => photo(at + 1)))
    const path = await folderOf('talk', Object.fromEntries(names.map((name, at) => [name, bytes[at] as Buffer])))
    await drop(page, join(path, '0.jpg'), join(path, '1.jpg'))
    await page.getByRole('textbox', { name: 'Add a caption' }).fill('From the boat')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(messageOf(page, 'From the boat').getByRole('button', { name: /^Open photo/ })).toHaveCount(2)
    await drop(page, path)
    await expect(page.getByRole('alertdialog')).toContainText('Too many for one message')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Add photos' }).click()
    await expect(status(page)).toHaveText(allSafe)
    expect(await photos()).toHaveLength(12)
    expect(complaints).toEqual([])
  })

  test('stay paused over a reload, and continue', { tags: 'slow' }, async () => {
    const { page, photos, complaints } = await party()
    await page.route('**/api/gallery/upload?*', async route => {
      await new Promise(resolve => setTimeout(resolve, 300))
      await route.continue().catch(() => {})
    })
    await choose(page, await asFiles([1, 2, 3, 4, 5, 6, 7, 8]))
    await expect(status(page)).toHaveText(/^[1-7] of 8 added$/)
    await tray(page).getByRole('button', { name: 'Pause' }).click()
    await expect(status(page)).toHaveText(/^\d of 8 added\. Paused\.$/)
    await page.reload()
    await expect(status(page)).toHaveText(/^\d of 8 added\. Paused\.$/)
    // Requests sent before the pause may still arrive.
    await page.waitForTimeout(800)
    const before = (await photos()).length
    await page.waitForTimeout(800)
    expect((await photos()).length).toBe(before)
    expect(before).toBeLessThan(8)
    await tray(page).getByRole('button', { name: 'Resume' }).click()
    await expect(status(page)).toHaveText(allSafe)
    expect(await photos()).toHaveLength(8)
    expect(complaints).toEqual([])
  })

  test('share one queue in two tabs, and the remaining tab continues', { tags: 'slow' }, async () => {
    const { page, context, id, photos, complaints } = await party()
    let open = () => {}
    const opened = new Promise<void>(resolve => {
      open = resolve
    })
    let through = 3
    await context.route('**/api/gallery/upload?*', async route => {
      if (through-- <= 0) await opened
      await route.continue().catch(() => {})
    })
    const other = await context.newPage()
    await other.goto(`/events/${id}/photos`)
    await other.waitForLoadState('networkidle')
    await choose(page, await asFiles([1, 2, 3, 4, 5, 6]))
    await expect(status(page)).toHaveText('3 of 6 added')
    await choose(other, await asFiles([7, 8]))
    for (const tab of [page, other]) await expect(status(tab)).toHaveText('3 of 8 added')
    const total = async (tab: Page) => /.B of ([\d.,]+\s.B)/.exec((await tray(tab).textContent()) ?? '')?.[1]?.trim()
    expect(await total(page)).toMatch(/.B$/)
    await expect.poll(() => total(other)).toBe(await total(page))
    await other.reload()
    await expect(status(other)).toHaveText('3 of 8 added')
    await expect.poll(() => total(other)).toBe(await total(page))
    await other.waitForLoadState('networkidle')
    await page.close()
    open()
    await expect(status(other)).toHaveText(safe(8))
    expect(await photos()).toHaveLength(8)
    await tray(other).getByRole('button', { name: 'Close' }).click()
    await expect(tray(other)).toHaveCount(0)
    expect(complaints).toEqual([])
  })

  test('stop at the limit with a sentence, and the rest is kept', {
    tags: 'slow',
  }, async () => {
    const { page, olivia, id, complaints } = await party()
    const seeds = Array.from({ length: 43 }, (_, at) => at + 1)
    await choose(page, await asFiles(seeds))
    await expect(status(page)).toHaveText('40 of 43 added. Paused.', { timeout: 90_000 })
    await expect(tray(page).getByRole('alert')).toHaveText(
      /You’ve reached the limit\. .* 3 files are kept here until you try again\./,
    )
    await page.reload()
    await expect(status(page)).toHaveText('40 of 43 added. Paused.', { timeout: 90_000 })
    const host = await visit({ size: 'desktop' })
    await signIn(host.page, olivia)
    await host.page.goto(`/events/${id}/guests`)
    await host.page.getByRole('button', { name: 'More about Gus Grant' }).click()
    await host.page.getByRole('menuitem', { name: 'Photos allowed' }).click()
    await expect(host.page.getByRole('dialog')).toContainText('40 added so far')
    await host.page.getByLabel('At most').fill('41')
    await host.page.getByRole('button', { name: 'Save' }).click()
    await expect(host.page.getByText('Saved', { exact: true })).toBeVisible()
    await tray(page).getByRole('button', { name: 'Try again' }).click()
    await expect(status(page)).toHaveText('41 of 43 added. Paused.', { timeout: 60_000 })
    await tray(page).getByRole('button', { name: 'Cancel the rest' }).click()
    await expect(status(page)).toHaveText(safe(41))
    expect(complaints).toEqual([])
  })

  test('that look the same as existing ones are reported, and one stays or both do', {
    tags: 'slow',
  }, async () => {
    const { page, olivia, id, photos, complaints } = await party()
    for (const seed of [1, 2])
      await olivia.api.gallery.uploadPhoto({ event_id: id, image: new Blob([await photo(seed)]) })
    const again = await Promise.all(
      [1, 2].map(async seed => ({
        name: `forwarded-${seed}.jpg`,
        mimeType: 'image/jpeg',
        buffer: Buffer.from(await (await anew(new Blob([await photo(seed)]))).arrayBuffer()),
      })),
    )
    await choose(page, again)
    await expect(status(page)).toHaveText(safe(2))
    await expect(tray(page).getByText('Looks like a photo that’s already there')).toHaveCount(2)
    await tray(page).getByRole('button', { name: 'Keep only the earlier one: forwarded-1.jpg' }).click()
    await expect(status(page)).toHaveText('1 photo added · 1 was already in the album')
    await tray(page).getByRole('button', { name: 'Keep both: forwarded-2.jpg' }).click()
    await expect(tray(page).getByText('Looks like a photo that’s already there')).toHaveCount(0)
    expect(await photos()).toHaveLength(3)
    expect(complaints).toEqual([])
  })

  test('are listed by the thousand, and only the visible ones are rendered', { tags: 'slow' }, async () => {
    const { page, complaints } = await party()
    await page.route('**/api/gallery/upload**', route => route.abort())
    await page.evaluate(() => {
      const transfer = new DataTransfer()
      for (let at = 0; at < 4000; at++)
        transfer.items.add(
          new File([new Uint8Array([255, 216, at & 255, at >> 8])], `DSC_${at}.jpg`, { type: 'image/jpeg' }),
        )
      const input = document.querySelector('input[type=file]:not([data-camera])') as HTMLInputElement
      input.files = transfer.files
      input.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await expect(status(page)).toHaveText(/^0 of 4,000 added/)
    await tray(page).getByRole('button', { name: 'Show each file' }).click()
    await expect(tray(page).getByRole('listitem').first()).toBeVisible()
    expect(await page.locator('*').count()).toBeLessThan(900)
    expect(complaints).toEqual([])
  })

  test('in an app’s browser without a chooser lead to a real browser', { tags: 'slow' }, async () => {
    const { page, id, complaints } = await party()
    await page.addInitScript(() => {
      // An in-app browser lacks these; no test replaces the chooser.
      Reflect.deleteProperty(globalThis, 'Notification')
    })
    await page.reload()
    await page.waitForLoadState('networkidle')
    await page.getByRole('button', { name: 'Add photos' }).last().click()
    const told = page.getByRole('dialog', { name: 'Open this in your browser' })
    await expect(told).toContainText(`/events/${id}/photos`)
    await expect(told.getByRole('button', { name: 'Copy link' })).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('of a chat have a grid, and open large', { tags: 'slow' }, async () => {
    const { page, gus, group_chat_id, complaints } = await party('chat')
    const attachments = await Promise.all([1, 2, 3].map(async seed => new Blob([await photo(seed)])))
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Three of them', attachments })
    await expect(messageOf(page, 'Three of them')).toBeVisible()
    await page.getByRole('button', { name: 'More about this chat' }).click()
    await page.getByRole('menuitem', { name: 'Photos' }).click()
    const grid = page.getByRole('dialog', { name: 'Photos' })
    await expect(grid.getByRole('button', { name: 'Open photo by Gus Grant' })).toHaveCount(3)
    await grid.getByRole('button', { name: 'Open photo by Gus Grant' }).first().click()
    await expect(page.getByText('1 of 3', { exact: true }).first()).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(grid).toHaveCount(0)
    expect(complaints).toEqual([])
  })
})

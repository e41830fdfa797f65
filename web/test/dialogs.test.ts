import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect as expectNow, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { quarterOf } from '../../server/test/full.ts'
import { needing } from '../../server/test/needing.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { browser } from '../../server/test/tools.ts'
import { findings } from './axe.ts'
import { expect, named, openBrowser } from './browser.ts'
import { readyClient } from './client.ts'
import { atDesktop, steppedBack } from './steps.ts'

/* Every layer over a page is opened, used and left without a mouse, as a screen reader presents it. */

type Row = {
  /** The component that renders it, and the element it renders. */
  of: `${string} ${'Dialog' | 'Confirm' | 'Menu'}`
  at: string
  /** The steps that open it, in order: buttons, links, and items of the menus that these open. */
  by: (string | RegExp)[]
  /** Its accessible name. */
  called: string | RegExp
  /** Prepares the page before it is opened. */
  before?(page: Page): Promise<unknown>
}

const [message, photo, comment] = ['Reactions and more', 'More actions', 'Edit or delete the comment']
/** Drops files once the page accepts drops, which is a moment after it is drawn. */
const drop = async (page: Page, count: number) => {
  const dropped = () =>
    page.evaluate(count => {
      const dataTransfer = new DataTransfer()
      for (let at = 0; at < count; at++) dataTransfer.items.add(new File(['x'], `${at}.jpg`, { type: 'image/jpeg' }))
      return !dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }, count)
  await expect.poll(dropped).toBe(true)
}
const select = async (page: Page) => {
  await press(page, page.getByRole('button', { name: 'Select', exact: true }))
  await press(page, page.locator('main button[aria-pressed=false]').first())
}
/** Makes the last proof of identity look old. */
const proofIsOld = (page: Page) =>
  page.route(/api\/account\/export/, route => {
    const body = { error_message: 'Please confirm that it is you: by your password, or by signing in again.' }
    return route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: body, headers: { 'x-refusal': 'proveFirst' } })
      : route.fallback()
  })
/** Gives the account a second way to sign in. */
const secondWay = async (page: Page) => {
  await page.route(/api\/account\?/, async route => {
    // Only browsers resolve this name to their own machine.
    const url = route.request().url().replace('party.localhost', '127.0.0.1')
    const account = await (await route.fetch({ url })).json()
    const [own] = account.user_login_options
    const club = { ...own, user_login_option_type: 5, user_login_option_name: 'The club' }
    await route.fulfill({ json: { ...account, user_login_options: [own, club] } })
  })
  await page.reload()
}

const ofLink = 'More about the link: Guests'

const rows: Row[] = [
  { of: 'chats/message-menu.tsx Menu', at: '/chat', by: [message], called: message },
  { of: 'chats/message-menu.tsx Confirm', at: '/chat', by: [message, 'Delete'], called: 'Delete this message?' },
  {
    of: 'chats/message-info.tsx Dialog',
    at: '/chat',
    by: [message, 'Message info'],
    called: 'Message info',
  },
  { of: 'people/report-dialog.tsx Dialog', at: '/chat', by: [message, 'Report'], called: 'Report' },
  { of: 'chats/pictures/picture-viewer.tsx Dialog', at: '/chat', by: ['Open photo 1'], called: /^Photo 1 of 2/ },
  { of: 'chats/chat-menu.tsx Menu', at: '/chat', by: ['More about this chat'], called: 'More about this chat' },
  {
    of: 'chats/pictures/chat-pictures.tsx Dialog',
    at: '/chat',
    by: ['More about this chat', 'Photos'],
    called: 'Photos',
  },
  { of: 'polls/new-poll-dialog.tsx Dialog', at: '/chat', by: ['Poll'], called: 'Poll' },
  {
    of: 'chats/end-chat-dialog.tsx Dialog',
    at: '/chat',
    by: ['More about this chat', 'End the chat…'],
    called: 'End the chat?',
  },
  {
    of: 'chats/composer/chat-drop-zone.tsx Confirm',
    at: '/chat',
    by: [],
    before: page => drop(page, 12),
    called: 'Too many for one message',
  },
  { of: 'events/event-menu.tsx Menu', at: '', by: ['More about this event'], called: 'More about this event' },
  {
    of: 'events/event-menu.tsx Confirm',
    at: '',
    by: ['More about this event', 'Cancel event'],
    called: 'Cancel this event?',
  },
  {
    of: 'events/again-dialog.tsx Dialog',
    at: '',
    by: ['More about this event', 'Repeat this event'],
    called: 'Repeat this event',
  },
  {
    of: 'events/announcements/announce-dialog.tsx Dialog',
    at: '',
    by: ['More about this event', 'Message everyone'],
    called: 'Message everyone',
  },
  {
    of: 'events/guests/allowance-dialog.tsx Dialog',
    at: '/edit',
    by: ['Settings', 'Photos per guest'],
    called: 'Photos per guest',
  },
  {
    of: 'plans/answer-for-dialog.tsx Dialog',
    at: '/guests',
    by: ['Add someone without a phone'],
    called: 'Add someone without a phone',
  },
  { of: 'plans/add-to-calendar.tsx Menu', at: '', by: ['Add to calendar'], called: 'Add to calendar' },
  { of: 'events/invite/invite-sheet.tsx Dialog', at: '/guests', by: ['Invite'], called: 'Invite' },
  { of: 'events/invite/by-name-dialog.tsx Dialog', at: '/guests', by: ['Invite', 'By name'], called: 'By name' },
  { of: 'events/invite/by-mail-dialog.tsx Dialog', at: '/guests', by: ['Invite', 'By e-mail'], called: 'By e-mail' },
  { of: 'events/guests/guest-menu.tsx Menu', at: '/guests', by: [/^More about Gus/], called: /^More about Gus/ },
  {
    of: 'events/guests/guest-menu.tsx Confirm',
    at: '/guests',
    by: [/^More about Gus/, 'Remove'],
    called: /^Remove Gus/,
  },
  {
    of: 'events/guests/guest-menu.tsx Confirm',
    at: '/guests',
    by: [/^More about Gus/, 'Transfer event'],
    called: /^Transfer the event to Gus/,
  },
  { of: 'events/links/new-link-dialog.tsx Dialog', at: '/links', by: ['New link'], called: 'New link' },
  { of: 'events/links/print-dialog.tsx Dialog', at: '/links', by: [/^Guests/, 'Print'], called: 'Print' },
  { of: 'events/links/link-menu.tsx Menu', at: '/links', by: [ofLink], called: ofLink },
  {
    of: 'events/links/link-menu.tsx Confirm',
    at: '/links',
    by: [ofLink, 'Turn off link'],
    called: 'Turn off this link?',
  },
  {
    of: 'events/links/send-away-dialog.tsx Dialog',
    at: '/links',
    by: [ofLink, 'Remove people who used it'],
    called: 'Turn off this link and remove people?',
  },
  {
    of: 'events/links/close-links.tsx Confirm',
    at: '/links',
    by: ['Turn off all links'],
    called: 'Turn off all links of this event?',
  },
  {
    of: 'events/delete-dialog.tsx Dialog',
    at: '',
    by: ['More about this event', 'Delete event'],
    called: 'Delete this event?',
  },
  { of: 'wall/remote-photos.tsx Menu', at: '/remote', by: [/^Lanterns/], called: /^Lanterns/ },
  { of: 'gallery/bar/person-dialog.tsx Dialog', at: '/photos', by: ['Taken by: Everyone'], called: 'Taken by' },
  { of: 'gallery/download-dialog.tsx Dialog', at: '/photos', by: ['Download'], called: 'Download photos' },
  { of: 'gallery/deleted-dialog.tsx Dialog', at: '/photos', by: ['Deleted photos'], called: 'Deleted photos' },
  {
    of: 'gallery/selection-bar.tsx Confirm',
    at: '/photos',
    before: select,
    by: ['Delete'],
    called: 'Delete this photo?',
  },
  { of: 'gallery/viewer/photo-viewer.tsx Dialog', at: '/photos', by: [/^Lanterns/], called: /^Lanterns/ },
  { of: 'gallery/viewer/photo-menu.tsx Menu', at: '/photos', by: [/^Lanterns/, photo], called: photo },
  {
    of: 'gallery/viewer/photo-menu.tsx Confirm',
    at: '/photos',
    by: [/^Lanterns/, photo, 'Delete'],
    called: 'Delete this photo?',
  },
  { of: 'gallery/comments/comment-menu.tsx Menu', at: '/photos/$photo', by: [comment], called: comment },
  {
    of: 'gallery/comments/comment-menu.tsx Confirm',
    at: '/photos/$photo',
    by: [comment, 'Delete'],
    called: 'Delete this comment?',
  },
  {
    of: 'uploads/no-chooser.tsx Dialog',
    at: '/photos',
    // An app’s in-app browser has no notifications, and opens no file chooser.
    before: async page => {
      await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Notification'))
      await page.reload()
    },
    by: ['Add photos'],
    called: 'Open this in your browser',
  },
  { of: 'notifications/notification-menu.tsx Menu', at: '!/notifications', by: ['More'], called: 'More' },
  {
    of: 'notifications/trace-dialog.tsx Dialog',
    at: '!/notifications',
    by: ['More', 'Why did I get this?'],
    called: 'Why did I get this?',
  },
  {
    of: 'people/person-page.tsx Menu',
    at: '!/people/$gus',
    by: ['More about this person'],
    called: 'More about this person',
  },
  {
    of: 'people/person-page.tsx Confirm',
    at: '!/people/$gus',
    by: ['More about this person', 'Block'],
    called: /^Block Gus/,
  },
  {
    of: 'accounts/transfer-dialog.tsx Dialog',
    at: '!/settings',
    by: ['Add a device'],
    called: 'Add a device',
  },
  { of: 'accounts/settings/settings-page.tsx Confirm', at: '!/settings', by: ['Sign out'], called: 'Sign out?' },
  {
    of: 'accounts/delete-dialog.tsx Dialog',
    at: '!/settings/account',
    by: ['Delete account'],
    called: 'Delete your account?',
  },
  {
    of: 'accounts/proof-dialog.tsx Dialog',
    at: '!/settings/account',
    before: proofIsOld,
    by: ['Request my data'],
    called: 'Confirm it’s you',
  },
  {
    of: 'accounts/login-option.tsx Confirm',
    at: '!/settings/account',
    before: secondWay,
    by: ['Remove The club'],
    called: 'Remove The club?',
  },
  {
    of: 'events/form/event-form.tsx Confirm',
    at: '/edit#settings',
    before: async page => {
      await page.getByLabel('When do guests see photos?').selectOption('At a set time')
      await page.getByLabel('Shown from').fill('2026-01-05T10:00')
    },
    by: ['Save'],
    called: 'Show the photos before the event?',
  },
  {
    of: 'events/reveal-line.tsx Confirm',
    at: '/edit#settings',
    before: async page => {
      await page.getByLabel('When do guests see photos?').selectOption('When I open the album')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
    },
    by: ['Show the photos now'],
    called: 'Show the photos now',
  },
]

/** Layers that only appear without a password, just after joining by a link, or beside a poll: opened there. */
const openedElsewhere = {
  'chats/message-menu.tsx Confirm': 'polls.test.ts',
  'polls/voters-dialog.tsx Dialog': 'polls.test.ts',
  'accounts/entry/join-bar.tsx Dialog': 'joining.test.ts',
  'accounts/entry/namesake-dialog.tsx Dialog': 'coming-back.test.ts',
  'accounts/own-code-dialog.tsx Dialog': 'coming-back.test.ts',
  'events/links/let-in-dialog.tsx Dialog': 'coming-back.test.ts',
}

const source = join(import.meta.dirname, '../src')

test('every dialog, confirmation and menu of the client has its row', () => {
  const kinds = { ViewerDialog: 'Dialog', MenuSheet: 'Menu' } as Record<string, string>
  const found = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.tsx') && !name.startsWith('ui/'))
    .flatMap(name =>
      [
        ...readFileSync(join(source, name), 'utf8').matchAll(/<(Dialog|ViewerDialog|Confirm|Menu|MenuSheet)(?=[\s>])/g),
      ].map(([, kind = '']) => `${name} ${kinds[kind] ?? kind}`),
    )
  const known = [...rows.map(({ of }) => of as string), ...Object.keys(openedElsewhere)]
  expectNow(found.sort()).toEqual(known.sort())
})

const press = async (page: Page, target: Locator) => {
  await expect(target).toBeVisible()
  await target.focus()
  await page.keyboard.press('Enter')
}

/** Opens it and returns the button that opened it. */
const openBy = async (page: Page, names: Row['by']) => {
  let opener: Locator | undefined
  for (const [at, name] of names.entries()) {
    const button = page.getByRole('button', { name, exact: true }).or(page.getByRole('link', { name, exact: true }))
    const item = page.getByRole('menuitem', { name, exact: true })
    await expect(button.or(item).first()).toBeVisible()
    if (at === 0 || (await item.count()) === 0) {
      opener = button.first()
      await press(page, opener)
      continue
    }
    // The arrow keys reach every item.
    for (let step = 0; step < 40 && !(await item.evaluate(one => one === document.activeElement)); step++)
      await page.keyboard.press('ArrowDown')
    await expect(item).toBeFocused()
    await page.keyboard.press('Enter')
  }
  return opener
}

const roles = { Dialog: 'dialog', Confirm: 'alertdialog', Menu: 'menu' } as const

/** Finds obstacles for users without a mouse, or with a screen reader. */
const walk = async (page: Page, row: Row) => {
  const wrong: string[] = []
  await row.before?.(page)
  const opener = await openBy(page, row.by)
  const role = roles[row.of.split(' ')[1] as keyof typeof roles]
  const layer = page.getByRole(role, { name: row.called })
  await expect(layer).toBeVisible()
  const inside = () => layer.evaluate(each => each.contains(document.activeElement))
  await expect.poll(inside).toBe(true)
  for (const each of ['button', 'link', 'heading'] as const)
    if ((await page.getByRole(each).count()) > (await layer.getByRole(each).count()))
      wrong.push(`a ${each} of the page behind it is read out`)
  if (row.of.endsWith('Confirm') && !(await layer.getAttribute('aria-describedby')))
    wrong.push('the question is not explained')
  for (let step = 1; step <= 15; step++) {
    await page.keyboard.press('Tab')
    if (!(await inside())) wrong.push(`Tab ${step} leaves it`)
  }
  wrong.push(...(await findings(page, undefined, `[role=${role}]`)))
  await page.keyboard.press('Escape')
  await expect(layer).toHaveCount(0)
  const left = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120))
  if (opener)
    await expect(opener)
      .toBeFocused({ timeout: 60_000 })
      .catch(async () => wrong.push(`the focus goes to ${await left()}`))
  else await steppedBack(page)
  return wrong
}

needing(browser).describe('every layer, by keyboard and screen reader,', { timeout: 240_000 }, async () => {
  const app = await openTestApp({}, { webClient: await readyClient() })
  const { visit } = openBrowser(named(app.url))

  test('opens, has a name, keeps the focus, closes with Escape and returns the focus', {
    tags: 'slow',
  }, async () => {
    const { page, olivia, gus, id, group_chat_id, complaints } = await atDesktop(app, visit)
    const image = async (seed: number) =>
      new File([new Uint8Array(await jpeg({ seed }))], `${seed}.jpg`, { type: 'image/jpeg' })
    const added = await gus.api.gallery.uploadPhoto({
      event_id: id,
      image: await image(1),
      event_photo_caption: 'Lanterns',
    })
    await gus.api.gallery.saveComment({ event_photo_id: Number(added.id), event_photo_comment: 'Mine' })
    const attachments = [await image(2), await image(3)]
    await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Look', attachments })
    const { link_code: code } = await olivia.api.links.makeLink({ event_id: id })
    await app.as().links.joinByLink({ code, user_first_name: 'Lena' })
    const addressOf = (at: string) =>
      (at.startsWith('!') ? at.slice(1) : `/events/${id}${at}`)
        .replace('$gus', String(gus.id))
        .replace('$photo', added.id)
    const wrong: Record<string, unknown> = {}
    const kindOf = ({ of }: Row) => of.split(' ')[1]
    for (const row of quarterOf('dialogs and menus', rows, { kindOf })) {
      await page.unrouteAll()
      await page.goto(addressOf(row.at))
      const said = await walk(page, row).catch(error => [String(error).slice(0, 300)])
      if (said.length > 0) wrong[row.of] = said
    }
    expectNow(wrong).toEqual({})
    expectNow(complaints).toEqual([])
  })

  test('lets a notice above it be read out and closed', { tags: 'slow' }, async () => {
    const { page } = await atDesktop(app, visit)
    await page.context().grantPermissions(['clipboard-write'])
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Add a device' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Copy link' }).click()
    const notice = page.getByRole('listitem').filter({ hasText: 'Copied' })
    await notice.getByRole('button', { name: 'Close' }).click()
    await expect(notice).toHaveCount(0)
    await expect(dialog).toBeVisible()
  })
})

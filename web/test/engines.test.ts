import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CompressedFile } from '../../server/src/platform/http/compressed-file.ts'
import { enter, type Member } from '../../server/test/cast.ts'
import { full } from '../../server/test/full.ts'
import { needing } from '../../server/test/needing.ts'
import { newFolder } from '../../server/test/new-folder.ts'
import { openNotifiedApp } from '../../server/test/notified.ts'
import { bringIn, evening } from '../../server/test/party.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { openSilentProxy } from '../../server/test/silent-proxy.ts'
import { readyClient } from './client.ts'
import type { OpenedBrowser, Size } from './engines/engine.ts'
import { firefox } from './engines/firefox.ts'
import { button, field, heading, link, type Tab, tabOf } from './engines/tab.ts'
import { webkit } from './engines/webkit.ts'
import { safe } from './steps.ts'

/*
 * The common acts of a party, in engines other than Chromium; Chromium has tests of its own, for each feature and in
 * depth. `docs/client.md` lists the differences.
 */

const sizes: Record<string, Size> = {
  phone: { width: 390, height: 844, phone: true },
  desktop: { width: 1360, height: 860, phone: false },
}
const every = [webkit, firefox].flatMap(engine => Object.keys(sizes).map(size => [engine.name, size, engine] as const))
/** An iPhone, and a Firefox on a desktop; the full run has the other two as well. */
const chosen = full ? every : every.filter(([, size, engine]) => (engine === webkit) === (size === 'phone'))

/**
 * Real files in a transfer that the page makes itself, as neither driver drags or pastes any. Runs in the page. False
 * if nothing accepts it.
 */
const bringFiles = (_: Element | null, given: { how: string; files: { name: string; base64: string }[] }) => {
  const transfer = new DataTransfer()
  for (const { name, base64 } of given.files) {
    const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
    transfer.items.add(new File([bytes], name, { type: name.endsWith('.jpg') ? 'image/jpeg' : 'text/plain' }))
  }
  const event = new Event(given.how, { bubbles: true, cancelable: true })
  if (given.how === 'change') {
    const input = document.querySelector<HTMLInputElement>('input[webkitdirectory]')
    if (input) input.files = transfer.files
    return input?.dispatchEvent(event) ?? false
  }
  Object.defineProperty(event, given.how === 'paste' ? 'clipboardData' : 'dataTransfer', { value: transfer })
  document.body.dispatchEvent(event)
  return document.querySelector('.border-dashed') !== null
}

/** Opens a chat's menu unless it, or its replacement, is already open. Runs in the page. */
const pressUntil = (_: Element | null, wanted: string) => {
  if (!document.querySelector('[role=alert], [role=menu]'))
    document.querySelector<HTMLElement>('[aria-label="More about this chat"][aria-expanded=false]')?.click()
  return document.querySelector(wanted) !== null
}

for (const [name, size, engine] of chosen)
  needing(engine.tool).describe(`in ${name} on a ${size}`, () => {
    // Firefox is slow to read the accessibility tree: only the wall runs every time there.
    const inFirefox = engine === firefox ? 'slow' : []
    let app: Awaited<ReturnType<typeof openNotifiedApp>>['app']
    let client: Awaited<ReturnType<typeof readyClient>>
    let folder: string
    let photos: string[]
    let opened: OpenedBrowser | undefined
    let tab: Tab
    beforeAll(async () => {
      folder = newFolder('photos')
      photos = await Promise.all(
        [1, 2, 3].map(async seed => {
          const path = join(folder, `evening-${seed}.jpg`)
          await writeFile(path, await jpeg({ width: 640, height: 480, seed }))
          return path
        }),
      )
      client = await readyClient()
      ;({ app } = await openNotifiedApp({ webClient: client }))
    })
    // A fresh profile.
    beforeEach(async () => {
      opened = await engine.open(sizes[size] as Size)
      tab = tabOf(opened.driver, app.url)
    })
    afterEach(async () => {
      await opened?.close()
      opened = undefined
    })

    /** An event with a guest, who uses this browser. */
    const party = async (language?: string) => {
      const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
      const { id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
      await bringIn(olivia, id, gus)
      await tab.signIn(gus, language)
      return { olivia, gus, id, chat: group_chat_id }
    }
    const upload = async ({ api }: Member, event_id: number, event_photo_caption: string, seed: number) => {
      const image = new Blob([new Uint8Array(await jpeg({ width: 480, height: 320, seed }))])
      return api.gallery.uploadPhoto({ event_id, image, event_photo_caption })
    }
    /** Nothing is wider than the window, and no error went unnoticed. */
    const expectWhole = async () => {
      expect(await tab.run(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      expect(await tab.faults()).toEqual([])
    }

    test('going back closes the menu and the confirmation over an event, and then leaves it', {
      tags: inFirefox,
    }, async () => {
      const { id } = await party()
      const at = (path: string) => tab.holds(`it is ${path}`, (_, wanted) => location.pathname === wanted, path)
      await tab.open('/events')
      await tab.click({ css: `a[href="/events/${id}"]` })
      await tab.click(button('More about this event'))
      await tab.click({ css: '[role=menuitem]:last-child' })
      await tab.holds('it is asked', () => document.querySelector('[role=alertdialog]') !== null)
      const back = () => tab.run(() => history.back())
      await back()
      await tab.holds('it is not asked any more', () => document.querySelector('[role=alertdialog]') === null)
      await at(`/events/${id}`)
      await back()
      await at('/events')
    })

    test('a reply that cannot be sent waits, and is sent from another page; a form keeps its input', {
      tags: inFirefox,
    }, async () => {
      const { gus, id } = await party()
      await tab.open(`/events/${id}`)
      await tab.holds('it asks', () => document.querySelector('[aria-pressed]') !== null)
      await tab.run(() => {
        window.fetch = () => Promise.reject(new TypeError('the network is away'))
      })
      await tab.click(button('Maybe'))
      const chosen = () =>
        [...document.querySelectorAll('[aria-pressed=true]')].some(({ textContent }) => textContent === 'Maybe')
      await tab.holds('it is shown', chosen)
      // Waits until it is stored.
      await new Promise(resolve => setTimeout(resolve, 2000))
      await tab.open('/settings/profile')
      const answered = async () => (await gus.api.plans.readAnswer({ event_id: id })).event_answer
      await expect.poll(answered).toBe('maybe')
      await tab.fill(field('Last name'), 'ham')
      await tab.open('/settings')
      await tab.open('/settings/profile')
      const holds = (_: Element | null, wanted: string) =>
        document.querySelector<HTMLInputElement>('[name=user_last_name]')?.value.includes(wanted)
      await tab.holds('it is there again', holds, 'ham')
    })

    test('a stranger joins by the link, and writes and sends pictures in the chat', { tags: inFirefox }, async () => {
      const olivia = await enter(app, 'olivia')
      const { id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_name: 'Lanterns' }))
      const { link_code } = await olivia.api.links.makeLink({ event_id: id })
      await tab.open(`/j/${link_code}`)
      await tab.click(button('I’m in'))
      await tab.fill(field('Your name'), 'Ana')
      await tab.click(button('Send'))
      await tab.click(link('Chat'))
      await tab.fill(field('Message'), 'I am in')
      await tab.click(button('Send'))
      await tab.reads('I am in')
      await tab.choose('input[type=file]', photos.slice(0, 2))
      await tab.fill(field('Add a caption'), 'Seen from the boat')
      await tab.click(button('Send'))
      await tab.holds('both pictures are there', () => {
        const pictures = [...document.querySelectorAll<HTMLImageElement>('[role=log] article img')]
        return pictures.filter(({ src, naturalWidth }) => src.includes('/media/') && naturalWidth > 0).length >= 2
      })
      // Others' messages appear without a reload.
      await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Welcome, Ana' })
      await tab.reads('Welcome, Ana')
      const { data } = await olivia.api.chats.listMessages({ group_chat_id, page: 1, page_length: 10 })
      expect(data.map(({ message_content }) => message_content)).toEqual([
        'Welcome, Ana',
        'Seen from the boat',
        'I am in',
      ])
      await expectWhole()
    })

    test('photos are added, and one is opened, liked and commented on', { tags: 'slow' }, async () => {
      const { olivia, id } = await party()
      await tab.open(`/events/${id}/photos`)
      await tab.reads('No photos yet')
      await tab.choose('input[type=file]', photos)
      await tab.reads(safe(3))
      await tab.holds('all three are in the album', () => document.querySelectorAll('[data-photo]').length === 3)
      await tab.click({ css: '[data-photo]' })
      await tab.holds('the photo is there', () => {
        const shown = [...document.querySelectorAll<HTMLImageElement>('[role=dialog] img')]
        return shown.some(({ naturalWidth, width }) => naturalWidth > 0 && width > 200)
      })
      // In WebKit a tap within that quarter of a second is lost, but closes nothing.
      await tab.click({ css: 'html' })
      await tab.holds('it has come out of its tile', () =>
        document
          .getAnimations()
          .every(({ effect }) => !(effect as KeyframeEffect).pseudoElement?.includes('transition')),
      )
      if (size === 'phone') await tab.click(button('Comments and details, 0 comments'))
      await tab.click(button('Like, 0 so far'))
      await tab.sees(button('Like, 1 so far'))
      await tab.fill(field('Add a comment'), 'What a light!')
      await tab.click(button('Send'))
      await tab.reads('What a light!')
      // It appears before it is sent.
      const comments = async () => {
        const { data } = await olivia.api.gallery.listPhotos({ event_id: id, page: 1, page_length: 10 })
        return data.map(photo => photo.event_photo_comments_count).sort()
      }
      await expect.poll(comments).toEqual(['0', '0', '1'])
      await expectWhole()
    })

    test('photos are dropped, pasted and brought in a folder', { tags: 'slow' }, async () => {
      const { olivia, id } = await party()
      await tab.open(`/events/${id}/photos`)
      await tab.reads('No photos yet')
      const names = ['one.jpg', 'two.jpg', 'three.jpg', 'four.jpg']
      const files = await Promise.all(
        names.map(async (name, at) => ({ name, base64: (await jpeg({ seed: 40 + at })).toString('base64') })),
      )
      // The page accepts drops once it is drawn.
      await tab.holds('it takes what is dragged', bringFiles, { how: 'dragenter', files: files.slice(0, 1) })
      await tab.reads('Drop to add to the album')
      await tab.run(bringFiles, undefined, { how: 'drop', files: files.slice(0, 2) })
      await tab.reads(safe(2))
      await tab.run(bringFiles, undefined, { how: 'paste', files: files.slice(2, 3) })
      await tab.reads(safe(3))
      // Phones cannot choose folders.
      const folders = engine === firefox && size === 'desktop'
      if (folders) {
        // The page presses it: no system chooser opens, which no driver could answer.
        await tab.run(() => document.querySelector<HTMLButtonElement>('[aria-label="Add a folder"]')?.click())
        const folder = [...files.slice(3), { name: 'notes.txt', base64: '' }]
        await tab.holds('the folder is asked for', bringFiles, { how: 'change', files: folder })
        await tab.reads('1 other file was skipped')
        await tab.reads(safe(4))
      }
      const { data } = await olivia.api.gallery.listPhotos({ event_id: id, page: 1, page_length: 10 })
      expect(data).toHaveLength(folders ? 4 : 3)
      await expectWhole()
    })

    test('a notification says what happened, and links to it', { tags: 'slow' }, async () => {
      const { olivia, gus, id } = await party()
      const photo = await upload(gus, id, 'The pier', 7)
      await tab.open('/notifications')
      await tab.sees(heading('Notifications'))
      await olivia.api.gallery.saveComment({ event_photo_id: Number(photo.id), event_photo_comment: 'So calm' })
      await tab.reads('So calm')
      await tab.click({ css: 'main a[href*="/photos/"]' })
      await tab.holds('the photo is open', () => /\/photos\/\d+$/.test(location.pathname))
      await tab.sees({ css: '[role=dialog] img' })
      await expectWhole()
    })

    test('the wall shows new photos', async () => {
      const { olivia, id } = await party()
      await upload(olivia, id, 'Arriving', 8)
      await tab.open(`/events/${id}/wall`)
      const on = (_: unknown, words: string) =>
        [...document.querySelectorAll<HTMLImageElement>('div:not([aria-hidden=true]) > img')].some(
          ({ alt, naturalWidth }) => alt === words && naturalWidth > 0,
        )
      await tab.holds('the first is on', on, 'Arriving')
      await upload(olivia, id, 'Fireworks', 9)
      await tab.holds('the next is on', on, 'Fireworks')
      await expectWhole()
    })

    test('messages written during an outage are sent in order after it, and missed ones appear', {
      tags: 'slow',
    }, async () => {
      const { olivia, gus, id, chat } = await party()
      const network = await openSilentProxy(Number(new URL(app.url).port))
      const away = tabOf((opened as OpenedBrowser).driver, `http://127.0.0.1:${network.port}`)
      await away.signIn(gus)
      await away.open(`/events/${id}/chat`)
      await away.fill(field('Message'), 'First')
      await away.click(button('Send'))
      const allSent = () =>
        away.holds('nothing waits any more', () => {
          const log = document.querySelector('[role=log]')
          return log !== null && !log.textContent.includes('sending')
        })
      await away.reads('First')
      await allSent()
      network.refuse()
      await olivia.api.chats.saveMessage({ group_chat_id: chat, message_content: 'Where are you all?' })
      for (const words of ['Second', 'Third']) {
        await away.fill(field('Message'), words)
        await away.click(button('Send'))
        await away.reads(words)
      }
      await away.reads('You’re offline. You can still read what you’ve opened.')
      network.goOn()
      await away.reads('Where are you all?')
      await allSent()
      const { data } = await olivia.api.chats.listMessages({ group_chat_id: chat, page: 1, page_length: 10 })
      expect(data.map(({ message_content }) => message_content).toReversed()).toEqual([
        'First',
        'Where are you all?',
        'Second',
        'Third',
      ])
      await away.holds('each is there once', () => document.querySelectorAll('[role=log] article').length === 4)
    })

    // Firefox never requests a module again that failed to load once: the page reloads there.
    test('a menu that failed to load opens once it can', { tags: 'slow' }, async () => {
      const { files } = client.current()
      const [path, code] = [...files].find(([path]) => /\/menu-sheet-[\w-]+\.js$/.test(path)) as [
        string,
        CompressedFile,
      ]
      // Starts afresh: the service worker, which would have the file too, is installed with all files or not at all.
      files.delete(path)
      try {
        const { id } = await party()
        await tab.open(`/events/${id}/chat`)
        await tab.sees(field('Message'))
        // Presses again if the page has reloaded meanwhile.
        await tab.holds('it is said that the menu is missing', pressUntil, '[role=alert]')
      } finally {
        files.set(path, code)
      }
      await tab.holds('the menu is open', pressUntil, '[role=menu]')
    })

    test('every page is right-to-left in Arabic, and nothing is wider than the window', {
      tags: inFirefox,
    }, async () => {
      const { olivia, gus, id, chat } = await party('ar')
      await olivia.api.chats.saveMessage({ group_chat_id: chat, message_content: 'أهلاً بكم جميعًا' })
      await upload(gus, id, 'الغروب', 10)
      for (const path of ['', '/chat', '/photos', '/guests'].map(page => `/events/${id}${page}`).concat('/settings')) {
        await tab.open(path)
        await tab.sees({ css: 'main h1' })
        await tab.holds('everything has come', () => !document.querySelector('.animate-breathe, .animate-spin'))
        expect(await tab.run(() => document.documentElement.dir)).toBe('rtl')
        if (path.endsWith('/chat')) {
          await tab.fill({ css: 'textarea' }, 'مساء الخير')
          await tab.press('Tab')
          await tab.click(button('إرسال'))
          await tab.reads('مساء الخير')
        }
        await expectWhole()
      }
    })
  })

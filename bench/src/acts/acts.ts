import type { Evening } from './evening.ts'
import { photosOf } from './evening.ts'
import type { Hand } from './hand.ts'

export type Act = {
  name: string
  /** Where its taps begin. */
  from: string
  by: 'guest' | 'host'
  /** Opens that page, and what the act needs besides; not counted. Without it the act goes on from the one before. */
  at?(hand: Hand, evening: Evening): Promise<unknown>
  /** Until it is done, as who does it sees it. */
  run(hand: Hand, evening: Evening): Promise<void>
  /**
   * Taps of the same in WhatsApp, Google Photos and Partiful: counted by what is known of their apps in November 2026, with
   * the app installed and signed in, and not tried. Undefined where they have nothing like it.
   */
  others: { whatsApp?: number; googlePhotos?: number; partiful?: number }
}

const eventPage = (hand: Hand, { event }: Evening) => hand.page.goto(`/events/${event}`)
const album = (hand: Hand, { event }: Evening) => hand.page.goto(`/events/${event}/photos`)
const chat = (hand: Hand, { event }: Evening) => hand.page.goto(`/events/${event}/chat`)
const button = ({ page }: Hand, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()
const link = ({ page }: Hand, name: string | RegExp) => page.getByRole('link', { name, exact: true }).first()
const message = ({ page }: Hand, words: string) =>
  page.getByRole('log').getByRole('article').filter({ hasText: words }).first()
const tile = ({ page }: Hand) => page.locator('[data-photo]').first()

/** In the order of an evening. */
export const acts: Act[] = [
  {
    name: 'join',
    from: 'the scanned code',
    by: 'guest',
    others: { whatsApp: 2, googlePhotos: 2, partiful: 5 },
    at: (hand, { code }) => hand.page.goto(`/j/${code}`),
    async run(hand) {
      await hand.write(hand.page.getByLabel('Your name'), 'Anna')
      await hand.tap(button(hand, 'Join'))
      await hand.seen(hand.page.getByRole('heading', { name: 'You’re in, Anna!' }))
    },
  },
  {
    name: 'see the first photo',
    from: 'having joined',
    by: 'guest',
    others: { whatsApp: 1, googlePhotos: 1, partiful: 3 },
    async run(hand) {
      await hand.tap(link(hand, 'See the album'))
      await hand.tap(tile(hand))
      await hand.page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLImageElement>('[role=dialog] img')].some(
          each => each.complete && each.naturalWidth > 0,
        ),
      )
    },
  },
  {
    name: 'send 20 photos',
    from: 'the album',
    by: 'guest',
    others: { whatsApp: 3, googlePhotos: 2, partiful: 3 },
    at: album,
    async run(hand) {
      await hand.choose(button(hand, 'Add photos'), await photosOf(100 + Math.floor(Math.random() * 1e6), 20))
      await hand.seen(hand.page.getByText('20 photos safe', { exact: true }))
    },
  },
  {
    name: 'send words with two pictures',
    from: 'the chat',
    by: 'guest',
    others: { whatsApp: 5 },
    at: chat,
    async run(hand) {
      await hand.choose(button(hand, 'Add pictures'), await photosOf(50, 2))
      await hand.write(hand.page.getByRole('textbox'), 'Look at that light')
      await hand.tap(button(hand, 'Send'))
      await hand.page.getByText('sending').waitFor({ state: 'detached' })
      await hand.seen(message(hand, 'Look at that light').getByRole('button', { name: /^Open picture/ }))
    },
  },
  {
    name: 'reply',
    from: 'the chat',
    by: 'guest',
    others: { whatsApp: 2, partiful: 3 },
    async run(hand) {
      await hand.swipe(message(hand, 'Bring a jacket'), 90)
      await hand.write(hand.page.getByRole('textbox'), 'I will')
      await hand.tap(button(hand, 'Send'))
      await hand.seen(message(hand, 'I will'))
      await hand.page.getByText('sending').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'react',
    from: 'the chat',
    by: 'guest',
    others: { whatsApp: 2, partiful: 2 },
    async run(hand) {
      await hand.doubleTap(message(hand, 'I will'))
      await hand.seen(message(hand, 'I will').getByRole('button', { name: '❤️, 1 person' }))
    },
  },
  {
    name: 'like',
    from: 'the album',
    by: 'guest',
    others: { googlePhotos: 2, partiful: 2 },
    at: album,
    async run(hand) {
      await hand.tap(tile(hand))
      await hand.tap(button(hand, /^Like, /))
      await hand.seen(hand.page.locator('[role=dialog] button[aria-pressed=true]'))
    },
  },
  {
    name: 'comment',
    from: 'the photo',
    by: 'guest',
    others: { googlePhotos: 2, partiful: 3 },
    async run(hand) {
      await hand.tap(button(hand, /^Comments and details/))
      await hand.write(hand.page.getByRole('textbox', { name: 'Add a comment' }), 'What a light!')
      await hand.tap(button(hand, 'Send'))
      await hand.seen(hand.page.getByRole('article', { name: /^Comment by/ }).filter({ hasText: 'What a light!' }))
    },
  },
  {
    name: 'claim the account',
    from: 'the event',
    by: 'guest',
    others: {},
    at: eventPage,
    async run(hand) {
      await hand.tap(link(hand, 'You'))
      await hand.tap(link(hand, 'You are here as a guest. Keep your account.'))
      await hand.write(hand.page.getByLabel('E-mail'), `anna.${Date.now()}@example.com`)
      await hand.write(hand.page.getByLabel('Password'), 'a long password')
      await hand.tap(button(hand, 'Keep account'))
      await hand.seen(hand.page.getByRole('heading', { name: 'You', exact: true }))
    },
  },
  {
    name: 'create an event',
    from: 'the events',
    by: 'host',
    others: { whatsApp: 6, googlePhotos: 4, partiful: 5 },
    at: ({ page }) => page.goto('/events'),
    async run(hand) {
      await hand.tap(link(hand, 'New'))
      await hand.write(hand.page.getByLabel('Name', { exact: true }), 'Midsummer')
      await hand.tap(button(hand, 'Create event'))
      await hand.seen(hand.page.getByRole('heading', { name: 'Midsummer', level: 1 }))
    },
  },
  {
    name: 'make a link with its code',
    from: 'the new event',
    by: 'host',
    others: { whatsApp: 3, googlePhotos: 3, partiful: 2 },
    async run(hand) {
      await hand.tap(link(hand, 'Invite by link or QR code'))
      await hand.tap(button(hand, 'New link'))
      await hand.tap(button(hand, 'Create link'))
      await hand.seen(hand.page.getByRole('img', { name: 'QR code that leads to Midsummer' }))
    },
  },
  {
    name: 'let somebody in',
    from: 'the event',
    by: 'host',
    others: { whatsApp: 3, partiful: 2 },
    at: eventPage,
    async run(hand) {
      await hand.tap(hand.page.getByRole('link', { name: /waits? to join/ }).first())
      await hand.tap(button(hand, /^Let in /))
      await button(hand, /^Let in /).waitFor({ state: 'detached' })
    },
  },
  {
    name: 'hide a photo',
    from: 'the album',
    by: 'host',
    others: { googlePhotos: 4, partiful: 3 },
    at: album,
    async run(hand) {
      await hand.tap(tile(hand))
      await hand.tap(button(hand, 'More for this photo'))
      await hand.tap(hand.page.getByRole('menuitem', { name: 'Hide from guests' }))
      await hand.page
        .getByText(/hidden/i)
        .first()
        .waitFor()
    },
  },
  {
    name: 'put up the live wall',
    from: 'the album',
    by: 'host',
    others: { googlePhotos: 4 },
    at: album,
    async run(hand) {
      await hand.tap(button(hand, 'Live wall'))
      await hand.seen(hand.page.getByText('Scan to join and add your photos'))
    },
  },
  {
    name: 'cancel an event',
    from: 'the event',
    by: 'host',
    others: { whatsApp: 3, partiful: 4 },
    at: eventPage,
    async run(hand) {
      await hand.tap(button(hand, 'More about this event'))
      await hand.tap(hand.page.getByRole('menuitem', { name: 'Cancel event' }))
      await hand.tap(hand.page.getByRole('alertdialog').getByRole('button', { name: 'Cancel event' }))
      await hand.seen(hand.page.getByText('This event has been cancelled.', { exact: false }))
    },
  },
]

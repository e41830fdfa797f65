import type { Page } from '@playwright/test'
import { expect } from './browser.ts'
import { messageOf } from './steps.ts'

/** The parts of addresses in the demo's evening. */
export type Story = { eventId: number; code: string; look: string; userId: number; photoId: string }

export type Shot = {
  name: string
  title: string
  /** A page of the router. */
  at: string
  /** Acts on the page before the picture. */
  act?(page: Page): Promise<void>
  size?: 'portrait' | 'wide'
  theme?: 'light' | 'dark'
  locale?: 'en' | 'ar' | 'es' | 'de'
  /** Visited without signing in. */
  outside?: true
  /** Visited this many hours after the event begins. */
  hour?: number
}

const openMenu = (page: Page, words: string) =>
  messageOf(page, words).getByRole('button', { name: 'Reactions and more' }).click()

/** Every page, in the order in which users meet them. */
export const shots: Shot[] = [
  { name: 'join', title: 'What a scanned code opens', at: '/j/:code', outside: true },
  { name: 'look', title: 'What a link for looking opens', at: '/j/:look', outside: true },
  { name: 'sign-in', title: 'Signing in', at: '/sign-in', outside: true },
  { name: 'register', title: 'An account', at: '/register', outside: true },
  { name: 'forgot-password', title: 'Forgotten password', at: '/forgot-password', outside: true },
  { name: 'reset-password', title: 'The code that was mailed', at: '/reset-password', outside: true },
  { name: 'events', title: 'Events', at: '/events' },
  { name: 'event', title: 'An event', at: '/events/:eventId', hour: 1 },
  { name: 'before', title: 'An event, before it begins', at: '/events/:eventId' },
  { name: 'after', title: 'An event, the morning after', at: '/events/:eventId', hour: 14 },
  { name: 'new-event', title: 'Planning one', at: '/events/new' },
  { name: 'edit-event', title: 'Editing', at: '/events/:eventId/edit' },
  { name: 'guests', title: 'People', at: '/events/:eventId/guests' },
  { name: 'requests', title: 'Who asks to join', at: '/events/:eventId/requests' },
  { name: 'links', title: 'Links and codes', at: '/events/:eventId/links' },
  { name: 'reports', title: 'What guests reported', at: '/events/:eventId/reports' },
  { name: 'log', title: 'Hosts’ activity', at: '/events/:eventId/log' },
  { name: 'invitations', title: 'Invitations', at: '/invitations' },
  { name: 'chats', title: 'Chats', at: '/chats' },
  { name: 'chat', title: 'A chat', at: '/events/:eventId/chat' },
  {
    name: 'chat-menu',
    title: 'Reacting',
    at: '/events/:eventId/chat',
    act: async page => {
      await openMenu(page, 'Thank you all')
      await expect(page.getByRole('menuitem', { name: 'Reply' })).toBeVisible()
    },
  },
  {
    name: 'chat-search',
    title: 'Searching',
    at: '/events/:eventId/chat',
    act: async page => {
      await page.getByRole('button', { name: 'Search messages' }).click()
      await page.getByRole('searchbox').fill('lantern')
      await expect(page.getByRole('button', { name: /^Rita Reyes.*save me a lantern/ })).toBeVisible()
    },
  },
  {
    name: 'chat-mention',
    title: 'Mentioning and answering',
    at: '/events/:eventId/chat',
    act: async page => {
      await openMenu(page, 'Thank you all')
      await page.getByRole('menuitem', { name: 'Reply' }).click()
      await page.getByRole('textbox', { name: 'Message' }).fill('Me! And save one for @r')
      await expect(page.getByRole('option', { name: /@rita/ })).toBeVisible()
    },
  },
  { name: 'photos', title: 'The album', at: '/events/:eventId/photos' },
  { name: 'photo', title: 'A photo', at: '/events/:eventId/photos/:photoId' },
  {
    name: 'comments',
    title: 'What is said about it',
    at: '/events/:eventId/photos/:photoId',
    act: async page => {
      await page.getByRole('button', { name: /^Comments and details/ }).click()
      await expect(page.getByText('I stood on Rémy.')).toBeVisible()
    },
  },
  {
    name: 'selecting',
    title: 'Selecting some',
    at: '/events/:eventId/photos',
    act: async page => {
      await page.getByRole('button', { name: 'Select' }).click()
      for (const at of [0, 2, 3]) await page.locator('main button[aria-pressed]').nth(at).click()
    },
  },
  { name: 'notifications', title: 'Notifications', at: '/notifications' },
  {
    name: 'why',
    title: 'Why did I get this?',
    at: '/notifications',
    act: async page => {
      await page.getByRole('main').getByRole('button', { name: 'More' }).first().click()
      await page.getByRole('menuitem', { name: 'Why did I get this?' }).click()
      await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
    },
  },
  { name: 'friends', title: 'Friends', at: '/friends' },
  { name: 'person', title: 'Somebody', at: '/people/:userId' },
  { name: 'settings', title: 'Settings', at: '/settings' },
  { name: 'profile', title: 'Profile', at: '/settings/profile' },
  { name: 'devices', title: 'Devices', at: '/settings/devices' },
  { name: 'push', title: 'What rings, and when', at: '/settings/notifications' },
  { name: 'account', title: 'Account', at: '/settings/account' },
  { name: 'password', title: 'A new password', at: '/settings/password' },
  { name: 'chat-dark', title: 'A chat at night', at: '/events/:eventId/chat', theme: 'dark' },
  { name: 'photos-dark', title: 'The album at night', at: '/events/:eventId/photos', theme: 'dark' },
  { name: 'event-arabic', title: 'From right to left', at: '/events/:eventId', locale: 'ar' },
  { name: 'chat-arabic', title: 'A chat in Arabic', at: '/events/:eventId/chat', locale: 'ar' },
  { name: 'desktop-event', title: 'Events, wide', at: '/events/:eventId', size: 'wide' },
  { name: 'desktop-chat', title: 'A chat, wide', at: '/events/:eventId/chat', size: 'wide' },
  {
    name: 'desktop-photos',
    title: 'The album, wide',
    at: '/events/:eventId/photos',
    size: 'wide',
  },
  {
    name: 'desktop-photo',
    title: 'A photo, wide',
    at: '/events/:eventId/photos/:photoId',
    size: 'wide',
    theme: 'dark',
  },
  { name: 'wall', title: 'The live wall', at: '/events/:eventId/wall', size: 'wide' },
  // Taken right after it: the wall has just reported its photos.
  { name: 'remote', title: 'The wall in an organizer’s hand', at: '/events/:eventId/remote' },
]

/** Pages that redirect, or look like another one. */
export const untold: Pick<Shot, 'at' | 'outside'>[] = [
  { at: '/j/:code/*', outside: true },
  // No photo waits in the demo's evening.
  { at: '/events/:eventId/waiting' },
  { at: '/', outside: true },
  { at: '/sign-in/provider', outside: true },
  { at: '/transfer', outside: true },
  { at: '/reports' },
  { at: '/share' },
  { at: '/settings/claim' },
  { at: '/verify-email' },
]

export const addressOf = ({ at }: Pick<Shot, 'at'>, story: Story) =>
  at.replace(/:(\w+)/g, (_, name: string) => {
    // An empty page would pass for one.
    if (!Object.hasOwn(story, name)) throw new Error(`${at} says ${name}, which the story has not`)
    return String(story[name as keyof Story])
  })

/** The address of every page, for signed-in and other visitors. */
export const addressesOf = (story: Story) => {
  const all = (outside: boolean) => [
    ...new Set(
      [...shots, ...untold].filter(page => (page.outside ?? false) === outside).map(page => addressOf(page, story)),
    ),
  ]
  return { inside: all(false), outside: all(true) }
}

/** The page with all pictures. */
export const page = () => {
  const grid = (shown: Shot[], each: number, width: number) => {
    const rows = Array.from({ length: Math.ceil(shown.length / each) }, (_, row) =>
      shown.slice(row * each, (row + 1) * each),
    )
    const cell = ({ name, title }: Shot) =>
      `<td><img src="${name}.webp" width="${width}" alt="${title}"><br>${title}</td>`
    return `<table>\n${rows.map(row => `<tr>${row.map(cell).join('')}</tr>`).join('\n')}\n</table>`
  }
  const wide = shots.filter(({ size }) => size === 'wide')
  const phone = shots.filter(shot => !wide.includes(shot))
  return `# Every page

Taken by \`TOUR=1 npm test -- web/test/tour\` of the demo's evening; people and pictures are made up.

## On a phone

${grid(phone, 4, 195)}

## On a desktop

${grid(wide, 2, 400)}
`
}

import type { Page, Part } from '../app/router/page-code.ts'

/*
 * Every page: its path, the layouts around it, and its component. The build reads this table as well, to list a page's
 * files in its head, so everything here is imported on demand.
 */

/** Checks the name without the component's type, which would depend on this table. */
const part = <Module extends object>(load: () => Promise<Module>, name: keyof Module & string): Part => ({ load, name })
const table = <Path extends string>(pages: Record<Path, Page>): Readonly<Record<Path, Page>> => pages

/** The layout of pages before signing in. */
export const front = part(() => import('../accounts/entry/front-page.tsx'), 'FrontPage')
/** The layout of pages after signing in. */
export const shell = part(() => import('./shell.tsx'), 'Shell')
const organizers = [shell, part(() => import('../events/for-organizers.tsx'), 'ForOrganizers')]
const chats = [shell, part(() => import('../chats/chats-layout.tsx'), 'ChatsLayout')]
const join = [part(() => import('../accounts/entry/join-page.tsx'), 'JoinPage')]
const album = [shell, part(() => import('../overview/gallery-page.tsx'), 'GalleryPage')]

export const missing: Page = [part(() => import('./not-found-page.tsx'), 'Missing')]

/** A fixed path comes before those that a parameter would match too. */
export const pages = table({
  '/': [front, part(() => import('../accounts/entry/welcome-page.tsx'), 'WelcomePage')],
  '/sign-in': [front, part(() => import('../accounts/entry/sign-in-page.tsx'), 'SignInPage')],
  '/sign-in/provider': [front, part(() => import('../accounts/entry/provider-page.tsx'), 'ProviderPage')],
  '/register': [front, part(() => import('../accounts/entry/register-page.tsx'), 'RegisterPage')],
  '/forgot-password': [front, part(() => import('../accounts/entry/forgot-page.tsx'), 'ForgotPage')],
  '/reset-password': [front, part(() => import('../accounts/entry/reset-page.tsx'), 'ResetPage')],
  '/transfer': [front, part(() => import('../accounts/transfer-page.tsx'), 'TransferPage')],
  '/j/:code': join,
  // A page viewed by this link, which has been passed on.
  '/j/:code/*': join,

  '/events': [shell, part(() => import('../events/events-list.tsx'), 'EventsList')],
  '/events/new': [shell, part(() => import('../events/new-event-page.tsx'), 'NewEventPage')],
  '/events/:eventId': [shell, part(() => import('../overview/event-page.tsx'), 'EventPage')],
  '/events/:eventId/edit': [...organizers, part(() => import('../events/edit-event-page.tsx'), 'EditEventPage')],
  '/events/:eventId/guests': [shell, part(() => import('../plans/people-page.tsx'), 'PeoplePage')],
  '/events/:eventId/requests': [...organizers, part(() => import('../plans/people-page.tsx'), 'PeoplePage')],
  '/events/:eventId/links': [...organizers, part(() => import('../events/links/links-page.tsx'), 'LinksPage')],
  '/events/:eventId/reports': [
    ...organizers,
    part(() => import('../people/event-reports-page.tsx'), 'EventReportsPage'),
  ],
  '/events/:eventId/log': [...organizers, part(() => import('../events/log-page.tsx'), 'LogPage')],
  '/invitations': [shell, part(() => import('../events/guests/invitations-page.tsx'), 'InvitationsPage')],
  '/events/:eventId/photos': album,
  '/events/:eventId/photos/:photoId': [...album, part(() => import('../gallery/viewer/photo-page.tsx'), 'PhotoPage')],
  '/events/:eventId/waiting': [...organizers, part(() => import('../gallery/waiting/waiting-page.tsx'), 'WaitingPage')],
  '/events/:eventId/remote': [...organizers, part(() => import('../wall/remote-page.tsx'), 'RemotePage')],
  '/events/:eventId/wall': [shell, part(() => import('../wall/wall-page.tsx'), 'WallPage')],
  '/chats': [...chats, part(() => import('../chats/chats-list.tsx'), 'ChatsList')],
  '/events/:eventId/chat': [...chats, part(() => import('../chats/chat-page.tsx'), 'ChatPage')],

  '/share': [shell, part(() => import('../installed/share-page.tsx'), 'SharePage')],
  '/notifications': [shell, part(() => import('../notifications/notifications-page.tsx'), 'NotificationsPage')],
  '/friends': [shell, part(() => import('../people/friends-page.tsx'), 'FriendsPage')],
  '/people/:userId': [shell, part(() => import('../people/person-page.tsx'), 'PersonPage')],
  '/reports': [shell, part(() => import('../people/all-reports-page.tsx'), 'AllReportsPage')],
  '/settings': [shell, part(() => import('../accounts/settings/settings-page.tsx'), 'SettingsPage')],
  '/settings/profile': [shell, part(() => import('../accounts/profile-page.tsx'), 'ProfilePage')],
  '/settings/devices': [shell, part(() => import('../accounts/devices-page.tsx'), 'DevicesPage')],
  '/settings/notifications': [shell, part(() => import('../installed/push-page.tsx'), 'PushPage')],
  '/settings/account': [shell, part(() => import('../accounts/account-page.tsx'), 'AccountPage')],
  '/settings/password': [shell, part(() => import('../accounts/password-page.tsx'), 'PasswordPage')],
  '/settings/claim': [shell, part(() => import('../accounts/entry/claim-page.tsx'), 'ClaimPage')],
  '/verify-email': [shell, part(() => import('../accounts/entry/verify-page.tsx'), 'VerifyPage')],
})

/** A public event is shown to people who are not signed in, too. */
export const pagesSignedOut = table({
  ...pages,
  '/events/:eventId': [part(() => import('../accounts/entry/public-page.tsx'), 'PublicPage')],
})

const shownAlbum = [
  shell,
  part(() => import('../overview/look-page.tsx'), 'LookPage'),
  part(() => import('../overview/gallery-page.tsx'), 'GalleryPage'),
]
const wall = [shell, part(() => import('../wall/wall-page.tsx'), 'WallPage')]

/** The pages that a link of each kind shows, of its event alone. */
export const pagesByLink = {
  look: table({
    '/events/:eventId': shownAlbum,
    '/events/:eventId/photos': shownAlbum,
    '/events/:eventId/photos/:photoId': [
      ...shownAlbum,
      part(() => import('../gallery/viewer/photo-page.tsx'), 'PhotoPage'),
    ],
    '/events/:eventId/chat': [shell, part(() => import('../chats/chat-page.tsx'), 'ChatPage')],
    '/events/:eventId/wall': wall,
  }),
  screen: table({ '/events/:eventId': wall }),
}

declare module '../app/router/router.tsx' {
  interface Register {
    path: keyof typeof pages
  }
}

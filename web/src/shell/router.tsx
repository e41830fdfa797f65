import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { carry } from '../app/carried.ts'
import { history } from '../app/history.ts'
import { queryClient } from '../app/query.ts'
import { session } from '../app/session.ts'
import { eventQuery } from '../events/queries.ts'
import { showingOf } from '../gallery/photo-filter.ts'
import { Waiting } from './page-placeholder.tsx'
import { Root } from './root.tsx'

const page = lazyRouteComponent

const root = createRootRoute({
  component: Root,
  notFoundComponent: page(() => import('./not-found-page.tsx'), 'Missing'),
})

// ---- for everybody ----

type Next = { next?: string }
/** After signing in, only an address of our own may be returned to. */
const nextOf = (search: Record<string, unknown>): Next =>
  typeof search.next === 'string' && /^\/(?!\/)/.test(search.next) ? { next: search.next } : {}

const open = createRoute({
  getParentRoute: () => root,
  id: 'open',
  component: page(() => import('../accounts/front-page.tsx'), 'FrontPage'),
})
const leaveIfIn = ({ search }: { search: Next }) => {
  if (session.get()) throw redirect({ href: search.next ?? '/events' })
}
const withProviders = () => import('../accounts/providers-ahead.ts').then(({ providersAhead }) => providersAhead())
const home = createRoute({
  getParentRoute: () => open,
  path: '/',
  beforeLoad: () => leaveIfIn({ search: {} }),
  loader: withProviders,
  component: page(() => import('../accounts/welcome-page.tsx'), 'WelcomePage'),
})
const signIn = createRoute({
  getParentRoute: () => open,
  path: '/sign-in',
  validateSearch: nextOf,
  beforeLoad: leaveIfIn,
  loader: withProviders,
  component: page(() => import('../accounts/sign-in-page.tsx'), 'SignInPage'),
})
const register = createRoute({
  getParentRoute: () => open,
  path: '/register',
  validateSearch: nextOf,
  beforeLoad: leaveIfIn,
  loader: withProviders,
  component: page(() => import('../accounts/register-page.tsx'), 'RegisterPage'),
})

const providerBack = createRoute({
  getParentRoute: () => open,
  path: '/sign-in/provider',
  component: page(() => import('../accounts/provider-page.tsx'), 'ProviderPage'),
})
const forgot = createRoute({
  getParentRoute: () => open,
  path: '/forgot-password',
  component: page(() => import('../accounts/forgot-page.tsx'), 'ForgotPage'),
})
const reset = createRoute({
  getParentRoute: () => open,
  path: '/reset-password',
  component: page(() => import('../accounts/reset-page.tsx'), 'ResetPage'),
})
const transfer = createRoute({
  getParentRoute: () => open,
  path: '/transfer',
  component: page(() => import('../accounts/transfer-page.tsx'), 'TransferPage'),
})
const join = createRoute({
  getParentRoute: () => root,
  path: '/j/$code',
  component: page(() => import('../accounts/join-page.tsx'), 'JoinPage'),
})

// ---- for who is signed in ----

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: ({ location }) => {
    if (session.get()) return
    const { pathname, searchStr, hash } = location
    carry({ path: pathname, hash })
    const next = pathname + searchStr
    throw redirect({ to: '/sign-in', search: { next } })
  },
  component: page(() => import('./shell.tsx'), 'Shell'),
})

const beside = createRoute({
  getParentRoute: () => inside,
  id: 'events-beside',
  component: page(() => import('../events/events-layout.tsx'), 'EventsLayout'),
})
const events = createRoute({
  getParentRoute: () => beside,
  path: '/events',
  component: page(() => import('../events/no-event.tsx'), 'NoEvent'),
})
const newEvent = createRoute({
  getParentRoute: () => beside,
  path: '/events/new',
  component: page(() => import('../events/new-event-page.tsx'), 'NewEventPage'),
})
/** Requested while the page's code is parsed: it arrives a round trip sooner. */
const loadEvent = ({ params: { eventId } }: { params: { eventId: number } }) =>
  void queryClient.prefetchQuery(eventQuery(eventId))
/** IDs are numbers; anything else is an invalid address. */
const eventId = { parse: ({ eventId }: { eventId: string }) => ({ eventId: Number(eventId) || 0 }) }
const event = createRoute({
  getParentRoute: () => beside,
  path: '/events/$eventId',
  params: eventId,
  loader: loadEvent,
  component: page(() => import('../overview/event-page.tsx'), 'EventPage'),
})
const editEvent = createRoute({
  getParentRoute: () => beside,
  path: '/events/$eventId/edit',
  params: eventId,
  component: page(() => import('../events/edit-event-page.tsx'), 'EditEventPage'),
})
const guests = createRoute({
  getParentRoute: () => beside,
  path: '/events/$eventId/guests',
  params: eventId,
  component: page(() => import('../events/guests-page.tsx'), 'GuestsPage'),
})
const requests = createRoute({
  getParentRoute: () => beside,
  path: '/events/$eventId/requests',
  params: eventId,
  component: page(() => import('../events/requests-page.tsx'), 'RequestsPage'),
})
const links = createRoute({
  getParentRoute: () => beside,
  path: '/events/$eventId/links',
  params: eventId,
  component: page(() => import('../events/links-page.tsx'), 'LinksPage'),
})
const eventReports = createRoute({
  getParentRoute: () => beside,
  path: '/events/$eventId/reports',
  params: eventId,
  component: page(() => import('../people/event-reports-page.tsx'), 'EventReportsPage'),
})
const log = createRoute({
  getParentRoute: () => beside,
  path: '/events/$eventId/log',
  params: eventId,
  component: page(() => import('../events/log-page.tsx'), 'LogPage'),
})
const invitations = createRoute({
  getParentRoute: () => beside,
  path: '/invitations',
  component: page(() => import('../events/invitations-page.tsx'), 'InvitationsPage'),
})
const photos = createRoute({
  getParentRoute: () => inside,
  path: '/events/$eventId/photos',
  params: eventId,
  loader: loadEvent,
  validateSearch: showingOf,
  component: page(() => import('../gallery/gallery-page.tsx'), 'GalleryPage'),
})
const photo = createRoute({
  getParentRoute: () => photos,
  path: '$photoId',
  component: page(() => import('../gallery/photo-page.tsx'), 'PhotoPage'),
})
const wall = createRoute({
  getParentRoute: () => inside,
  path: '/events/$eventId/wall',
  params: eventId,
  component: page(() => import('../wall/wall-page.tsx'), 'WallPage'),
})

const chatsBeside = createRoute({
  getParentRoute: () => inside,
  id: 'chats-beside',
  component: page(() => import('../chats/chats-layout.tsx'), 'ChatsLayout'),
})
const chats = createRoute({
  getParentRoute: () => chatsBeside,
  path: '/chats',
  component: page(() => import('../chats/no-chat.tsx'), 'NoChat'),
})
const chat = createRoute({
  getParentRoute: () => chatsBeside,
  path: '/events/$eventId/chat',
  params: eventId,
  loader: loadEvent,
  validateSearch: (search: Record<string, unknown>): { message?: number } =>
    Number(search.message) > 0 ? { message: Number(search.message) } : {},
  component: page(() => import('../chats/chat-page.tsx'), 'ChatPage'),
})

const share = createRoute({
  getParentRoute: () => inside,
  path: '/share',
  component: page(() => import('../installed/share-page.tsx'), 'SharePage'),
})
const notifications = createRoute({
  getParentRoute: () => inside,
  path: '/notifications',
  component: page(() => import('../notifications/notifications-page.tsx'), 'NotificationsPage'),
})
const friends = createRoute({
  getParentRoute: () => inside,
  path: '/friends',
  component: page(() => import('../people/friends-page.tsx'), 'FriendsPage'),
})
const person = createRoute({
  getParentRoute: () => inside,
  path: '/people/$userId',
  params: { parse: ({ userId }: { userId: string }) => ({ userId: Number(userId) || 0 }) },
  component: page(() => import('../people/person-page.tsx'), 'PersonPage'),
})
const reports = createRoute({
  getParentRoute: () => inside,
  path: '/reports',
  component: page(() => import('../people/all-reports-page.tsx'), 'AllReportsPage'),
})
const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: page(() => import('../accounts/settings-page.tsx'), 'SettingsPage'),
})
const profile = createRoute({
  getParentRoute: () => inside,
  path: '/settings/profile',
  component: page(() => import('../accounts/profile-page.tsx'), 'ProfilePage'),
})
const devices = createRoute({
  getParentRoute: () => inside,
  path: '/settings/devices',
  component: page(() => import('../accounts/devices-page.tsx'), 'DevicesPage'),
})
const push = createRoute({
  getParentRoute: () => inside,
  path: '/settings/notifications',
  component: page(() => import('../installed/push-page.tsx'), 'PushPage'),
})
const account = createRoute({
  getParentRoute: () => inside,
  path: '/settings/account',
  loader: withProviders,
  component: page(() => import('../accounts/account-page.tsx'), 'AccountPage'),
})
const password = createRoute({
  getParentRoute: () => inside,
  path: '/settings/password',
  component: page(() => import('../accounts/password-page.tsx'), 'PasswordPage'),
})

const claim = createRoute({
  getParentRoute: () => inside,
  path: '/settings/claim',
  loader: withProviders,
  component: page(() => import('../accounts/claim-page.tsx'), 'ClaimPage'),
})
const verify = createRoute({
  getParentRoute: () => inside,
  path: '/verify-email',
  component: page(() => import('../accounts/verify-page.tsx'), 'VerifyPage'),
})

const routeTree = root.addChildren([
  open.addChildren([home, signIn, register, providerBack, forgot, reset, transfer]),
  join,
  inside.addChildren([
    beside.addChildren([events, newEvent, event, editEvent, guests, requests, links, eventReports, log, invitations]),
    photos.addChildren([photo]),
    wall,
    chatsBeside.addChildren([chats, chat]),
    share,
    notifications,
    friends,
    person,
    reports,
    settings,
    profile,
    devices,
    push,
    account,
    password,
    claim,
    verify,
  ]),
])

export const router = createRouter({
  routeTree,
  history,
  defaultPreload: 'intent',
  defaultPendingComponent: Waiting,
  defaultPendingMs: 200,
  scrollRestoration: true,
})

// People who sign out, or whose session ends, are taken to the sign-in page, and brought back to the same page
// afterwards.
session.follow(() => void router.invalidate())

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** Who has just joined, by the name they gave. */
    welcome?: string
  }
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  Bell,
  CalendarHeart,
  Images,
  type LucideIcon,
  MessageCircle,
  PartyPopper,
  UserRound,
  UsersRound,
} from 'lucide-react'
import { useEffect } from 'react'
import { count } from '../app/date-format.ts'
import { publicPath } from '../app/public-path.ts'
import { hrefOf, Link, navigate, useLocation, useSearch } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { unreadIn, useChats } from '../chats/queries.ts'
import { useEventColours } from '../events/cover-colours.ts'
import { isIn, waitingOf } from '../events/event-words.ts'
import { eventQuery, invitationsQuery } from '../events/queries.ts'
import { useUnreadNotifications } from '../notifications/queries.ts'

type Place = { to: string; icon: LucideIcon; name: string; waiting?: number; waits?: 'nav.unread' | 'waiting.count' }

/** Pages reached from a place without being nested below it. */
const within: Record<string, string> = {
  '/invitations': '/events',
  '/friends': '/settings',
  '/reports': '/settings',
  '/verify-email': '/settings',
}

/**
 * A bar at the bottom on a phone, a rail at the side elsewhere. In an event the bar is the event's, and the places of
 * the account are behind its back arrow; the rail has both.
 */
export const Navigation = ({ immersed }: { immersed: boolean }) => {
  const { t } = useWords()
  const { path } = useLocation()
  useOnlyEvent()
  const own = useEventPlaces(path)
  const all = useAccountPlaces(path)
  const here = (own.length > 0 ? own : all).findLast(({ to }) => (within[path] ?? path).startsWith(to))?.to
  return (
    <nav
      aria-label={t('nav.label')}
      className={`safe-bottom scroll-thin fixed inset-x-0 bottom-0 z-30 border-line bg-card/95 backdrop-blur max-lg:border-t lg:inset-y-0 lg:end-auto lg:start-0 lg:flex lg:w-24 lg:flex-col lg:overflow-y-auto lg:border-e lg:bg-sunken ${immersed ? 'max-lg:hidden' : ''}`}
    >
      <img
        src={`${publicPath}/icon.svg`}
        alt=""
        width={44}
        height={44}
        loading="lazy"
        className="mx-auto mt-5 mb-3 hidden lg:block"
      />
      {own.length > 0 && <Places places={own} here={here} />}
      <Places places={all} here={here} className={own.length > 0 ? 'max-lg:hidden lg:mt-auto' : ''} />
    </nav>
  )
}

const homeOf = ({ home }: Record<string, string>) => home !== undefined

/** A viewer who has just come in, and has one event and no invitation, is taken to it. */
const useOnlyEvent = () => {
  const { path } = useLocation()
  const comes = useSearch(homeOf) && path === '/events'
  const chats = useChats(comes)
  const invitations = useInfiniteQuery({ ...invitationsQuery, enabled: comes }).data?.pages[0]
  useEffect(() => {
    if (!comes || !chats || !invitations) return
    const [only, another] = invitations.data.length > 0 ? [] : chats
    const one = only && !another
    void navigate({ href: one ? `/events/${only.event_id}` : '/events', replace: true })
  }, [comes, chats, invitations])
}

/** Of the event whose page is shown, for those who are in it. */
const useEventPlaces = (path: string): Place[] => {
  const { t } = useWords()
  const eventId = Number(/^\/events\/(\d+)/.exec(path)?.[1] ?? 0)
  const { data: event, isError } = useQuery({ ...eventQuery(eventId), enabled: eventId > 0 })
  const waiting = unreadIn(useChats(), eventId)
  useEventColours(eventId > 0 ? event?.event_avatar_url : undefined)
  if (eventId === 0 || (event ? !isIn(event) : isError)) return []
  const asking = event ? waitingOf(event, 'join_requests') + waitingOf(event, 'returns') : 0
  const params = { eventId }
  return [
    { to: hrefOf({ to: '/events/:eventId', params }), icon: PartyPopper, name: t('event.title') },
    { to: hrefOf({ to: '/events/:eventId/photos', params }), icon: Images, name: t('event.photos') },
    { to: hrefOf({ to: '/events/:eventId/chat', params }), icon: MessageCircle, name: t('event.chat'), waiting },
    {
      to: hrefOf({ to: '/events/:eventId/guests', params }),
      icon: UsersRound,
      name: t('guests.title'),
      waiting: asking,
      waits: 'waiting.count',
    },
  ]
}

/** Chats are a place only for those who have several. */
const useAccountPlaces = (path: string): Place[] => {
  const { t } = useWords()
  const chats = useChats()
  const waiting = useUnreadNotifications()
  return [
    { to: '/events', icon: CalendarHeart, name: t('nav.events') },
    ...((chats?.length ?? 0) > 1 || path === '/chats'
      ? [{ to: '/chats', icon: MessageCircle, name: t('nav.chats'), waiting: unreadIn(chats) }]
      : []),
    { to: '/notifications', icon: Bell, name: t('nav.notifications'), waiting },
    { to: '/settings', icon: UserRound, name: t('nav.you') },
  ]
}

type PlacesProps = { places: Place[]; here: string | undefined; className?: string }

const Places = ({ places, here, className = '' }: PlacesProps) => {
  const { t } = useWords()
  return (
    <ul
      className={`mx-auto flex max-w-lg justify-around lg:mx-0 lg:flex-col lg:justify-start lg:gap-2 lg:px-2 lg:pb-3 ${className}`}
    >
      {places.map(({ to, icon: Icon, name, waiting = 0, waits = 'nav.unread' }) => (
        <li key={to} className="min-w-0 flex-1 lg:flex-none">
          <Link
            href={to}
            aria-current={to === here ? 'page' : undefined}
            className="group grid h-16 content-center justify-items-center gap-1 text-[min(0.75rem,3.3vw)] font-medium lg:text-xs text-soft aria-[current=page]:text-ember lg:rounded-2xl lg:hover:bg-hover"
          >
            <span className="relative grid h-8 w-14 place-items-center rounded-full transition group-aria-[current=page]:bg-glow">
              <Icon className="size-6" strokeWidth={1.9} aria-hidden="true" />
              {waiting > 0 && <Badge waiting={waiting} />}
            </span>
            {name}
            {waiting > 0 && <span className="sr-only">{t(waits, { count: waiting })}</span>}
          </Link>
        </li>
      ))}
    </ul>
  )
}

const Badge = ({ waiting }: { waiting: number }) => (
  <span
    aria-hidden="true"
    className="absolute -top-0.5 end-1 min-w-5 rounded-full bg-ember px-2 text-center text-xs leading-5 font-bold text-on-ember"
  >
    {waiting > 99 ? `${count(99)}+` : count(waiting)}
  </span>
)

import { Bell, CalendarHeart, type LucideIcon, MessageCircle, UserRound } from 'lucide-react'
import { count } from '../app/date-format.ts'
import { publicPath } from '../app/public-path.ts'
import { Link, useLocation } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { useUnreadMessages } from '../chats/queries.ts'
import { useUnreadNotifications } from '../notifications/queries.ts'

type NavigationItem = {
  to: '/events' | '/chats' | '/notifications' | '/settings'
  icon: LucideIcon
  name: string
  waiting?: number
}

/** Pages reached from a place without being nested below it. */
const within: Record<string, NavigationItem['to']> = {
  '/invitations': '/events',
  '/friends': '/settings',
  '/reports': '/settings',
  '/verify-email': '/settings',
}
/** A chat's address is below its event, but it also belongs to the list of chats. */
const placeOf = (path: string) => (/\/chat$/.test(path) ? '/chats' : (within[path] ?? path))

/** The four places: a bar at the bottom on a phone, a rail at the side elsewhere. */
export const Navigation = ({ immersed }: { immersed: boolean }) => {
  const { t } = useWords()
  const at = placeOf(useLocation().path)
  const places: NavigationItem[] = [
    { to: '/events', icon: CalendarHeart, name: t('nav.events') },
    { to: '/chats', icon: MessageCircle, name: t('nav.chats'), waiting: useUnreadMessages() },
    { to: '/notifications', icon: Bell, name: t('nav.notifications'), waiting: useUnreadNotifications() },
    { to: '/settings', icon: UserRound, name: t('nav.you') },
  ]
  return (
    <nav
      aria-label={t('nav.label')}
      className={`safe-bottom fixed inset-x-0 bottom-0 z-30 border-line bg-card/95 backdrop-blur max-lg:border-t lg:inset-y-0 lg:end-auto lg:start-0 lg:w-24 lg:border-e lg:bg-sunken ${immersed ? 'max-lg:hidden' : ''}`}
    >
      <ul className="mx-auto flex max-w-lg justify-around lg:h-full lg:flex-col lg:justify-start lg:gap-2 lg:px-2 lg:pt-5">
        <li className="mb-3 hidden justify-center lg:flex" aria-hidden="true">
          <img src={`${publicPath}/icon.svg`} alt="" width={44} height={44} loading="lazy" />
        </li>
        {places.map(({ to, icon: Icon, name, waiting = 0 }) => (
          <li key={to} className="min-w-0 flex-1 lg:flex-none">
            <Link
              to={to}
              aria-current={at.startsWith(to) ? 'page' : undefined}
              className="group grid h-16 content-center justify-items-center gap-0.5 text-[min(0.75rem,3.3vw)] font-medium lg:text-xs text-soft aria-[current=page]:text-ember lg:h-18 lg:rounded-2xl lg:hover:bg-hover"
            >
              <span className="relative grid h-8 w-14 place-items-center rounded-full transition group-aria-[current=page]:bg-glow">
                <Icon className="size-6" strokeWidth={1.9} aria-hidden="true" />
                {waiting > 0 && <Badge waiting={waiting} />}
              </span>
              {name}
              {waiting > 0 && <span className="sr-only">{t('nav.unread', { count: waiting })}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const Badge = ({ waiting }: { waiting: number }) => (
  <span
    aria-hidden="true"
    className="absolute -top-0.5 end-1 min-w-5 rounded-full bg-ember px-1.5 text-center text-xs leading-5 font-bold text-on-ember"
  >
    {waiting > 99 ? `${count(99)}+` : count(waiting)}
  </span>
)

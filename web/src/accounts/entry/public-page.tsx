import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { troubleOf } from '../../app/cache/query.ts'
import { api, statusOf } from '../../app/net/client.ts'
import { useNow } from '../../app/now.ts'
import { Link, navigate, useLocation, useParams } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { phaseAt } from '../../events/phase.ts'
import { useRegistration } from '../../people/registration.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { LanguageChoice } from '../language-choice.tsx'
import { GoOn } from './go-on.tsx'
import { Invitation, type Opened } from './invitation.tsx'
import { InvitationPlaceholder } from './join-page.tsx'
import { KeptLinks } from './kept-links.tsx'

/** The address of an event for people who are not signed in: a public one is shown, any other may be theirs. */
export const PublicPage = () => {
  const { eventId } = useParams('/events/:eventId')
  const { path, search } = useLocation()
  const query = useQuery({
    queryKey: ['opened', eventId],
    queryFn: () => api.links.openEvent({ event_id: eventId }),
    staleTime: 0,
    gcTime: 0,
  })
  const error = troubleOf(query)
  const isTheirs = statusOf(error) === 404
  const next = path + search
  useEffect(() => {
    if (isTheirs) void navigate({ to: '/sign-in', search: { next }, replace: true })
  }, [isTheirs, next])
  if (query.data)
    return (
      <Invitation opened={query.data} bar={<WayIn opened={query.data} next={next} />}>
        <GoOn />
        <KeptLinks />
        <LanguageChoice />
      </Invitation>
    )
  if (!error || isTheirs) return <InvitationPlaceholder />
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center px-4 py-4">
      <Failed heading="h1" error={error} retry={() => void query.refetch()} />
    </main>
  )
}

const approval = 2
const byInvitation = 3
const cancelled = 2

type Public = Opened & { event_join_mode: number; event_status: number }

const WayIn = ({ opened, next }: { opened: Public; next: string }) => {
  const { t } = useWords()
  const registers = useRegistration() === 'open'
  const { event_join_mode: mode } = opened
  const isOver = phaseAt(opened, useNow()) === 'after'
  const closed =
    opened.event_status === cancelled
      ? t('event.cancelledMore')
      : mode === byInvitation
        ? t('join.byInvitation')
        : undefined
  return (
    <>
      {closed && <p className="w-full text-pretty">{closed}</p>}
      {!closed && !isOver && (
        <Link
          to={registers ? '/register' : '/sign-in'}
          search={{ next }}
          className={buttonClass('main', 'large', 'flex-[1.4]')}
        >
          {mode === approval ? t('join.ask') : t('join.join')}
        </Link>
      )}
      <Link to="/sign-in" search={{ next }} className={buttonClass('quiet', 'large', 'flex-1')}>
        {t('signIn.act')}
      </Link>
    </>
  )
}

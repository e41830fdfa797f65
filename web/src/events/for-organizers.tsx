import { useQuery } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import { Link, Outlet, useParams } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { buttonClass } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { eventQuery } from './queries.ts'

/** Around the pages of organizers: everybody else reads that they are none, instead of a refusal. */
export const ForOrganizers = () => {
  const { t } = useWords()
  const params = useParams('/events/:eventId')
  const { data: event } = useQuery(eventQuery(params.eventId))
  if (!event || event.extra.may.manage) return <Outlet />
  return (
    <>
      <title>{`${event.event_name} · Afterglow`}</title>
      <PageHeader title={event.event_name} back={{ to: '/events/:eventId', params }} />
      <Notice
        icon={EyeOff}
        title={t('event.forOrganizers')}
        action={
          <Link to="/events/:eventId" params={params} className={buttonClass('soft')}>
            {t('chat.toEvent')}
          </Link>
        }
      />
    </>
  )
}

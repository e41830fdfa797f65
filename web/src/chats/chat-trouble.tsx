import { MessageCircleOff } from 'lucide-react'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import type { Event } from '../events/queries.ts'
import { buttonClass } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'

type Props = { eventId: number; event: Event | undefined; error: unknown; retry(): void }

/** A chat that cannot be shown: the viewer is outside, or it did not load. The back link stays. */
export const ChatTrouble = ({ eventId, event, error, retry }: Props) => {
  const { t } = useWords()
  const params = { eventId }
  return (
    <>
      <PageHeader title={event?.event_name ?? t('chat.title')} back={{ to: '/events/:eventId', params }} />
      {error ? (
        <Failed
          error={error}
          retry={retry}
          gone={t('chat.gone')}
          goneAction={
            <Link to="/chats" className={buttonClass('soft')}>
              {t('nav.chats')}
            </Link>
          }
        />
      ) : (
        <Notice
          icon={MessageCircleOff}
          title={t('chat.outside')}
          action={
            <Link to="/events/:eventId" params={params} className={buttonClass()}>
              {t('chat.toEvent')}
            </Link>
          }
        />
      )}
    </>
  )
}

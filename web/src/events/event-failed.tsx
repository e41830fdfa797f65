import { Link } from '@tanstack/react-router'
import { useWords } from '../app/words.ts'
import { buttonClass } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'

type Props = { error: unknown; retry?: () => void; heading?: 'h1' }

/** What belongs to an event did not come: most often the event is gone, and other events are the way on. */
export const EventFailed = (props: Props) => {
  const { t } = useWords()
  return (
    <Failed
      {...props}
      gone={t('event.gone')}
      goneAction={
        <Link to="/events" className={buttonClass('soft')}>
          {t('nav.events')}
        </Link>
      }
    />
  )
}

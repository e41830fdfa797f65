import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { buttonClass } from '../ui/button.tsx'
import { Failed } from '../ui/failed.tsx'

type Props = { error: unknown; retry?: () => void; heading?: 'h1' }

/** An event's data did not load: most often the event is gone, and the list of events is the way on. */
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

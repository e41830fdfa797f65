import { CalendarPlus, ExternalLink } from 'lucide-react'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { Menu } from '../ui/layers/menu.tsx'
import { googleCalendar, type Planned } from './google-calendar.ts'

type Props = {
  event: Planned
  /** The event's file, which the phone offers to its calendar. */
  file(): string | Promise<string>
}

export const AddToCalendar = ({ event, file }: Props) => {
  const { t } = useWords()
  const open = async () => {
    try {
      location.assign(await file())
    } catch (error) {
      sayFailure(error)
    }
  }
  return (
    <Menu
      trigger={
        <Button look="quiet" size="small" icon={<CalendarPlus className="size-4.5" />}>
          {t('calendar.add')}
        </Button>
      }
      items={[
        { label: t('calendar.file'), icon: CalendarPlus, act: () => void open() },
        {
          label: t('calendar.google'),
          icon: ExternalLink,
          act: () => void window.open(googleCalendar(event), '_blank', 'noopener'),
        },
      ]}
    />
  )
}

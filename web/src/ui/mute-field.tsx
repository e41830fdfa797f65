import { nearDayOf, timeOf } from '../app/date-format.ts'
import { muteEnds, mutes } from '../app/mutes.ts'
import { useWords } from '../app/words.ts'
import { Button } from './button.tsx'
import { Choice } from './field.tsx'

/** For how long to mute; while muted, until when, and unmuting. */
export const MuteField = ({ until, onChange }: { until: string | null; onChange: (until: string | null) => void }) => {
  const { t } = useWords()
  if (until === null)
    return (
      <Choice label={t('patience.mute')} value="" onChange={event => onChange(muteEnds(event.target.value))}>
        <option value="">{t('patience.muteNone')}</option>
        {mutes.map(each => (
          <option key={each} value={each}>
            {t(`patience.${each}`)}
          </option>
        ))}
      </Choice>
    )
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p>{t('patience.mutedUntil', { when: `${nearDayOf(until)}, ${timeOf(until)}` })}</p>
      <Button look="quiet" size="small" onClick={() => onChange(null)}>
        {t('patience.muteEnd')}
      </Button>
    </div>
  )
}

import { eventThemes } from '@afterglow/contract/events/themes'
import { Images } from 'lucide-react'
import { useState } from 'react'
import { useWords } from '../../app/words.ts'
import { ChoiceCard, ChoiceCards } from '../../ui/choice-cards.tsx'
import { ChoosePicture, useChosen } from '../../ui/pictures/picture-field.tsx'
import { isGenerated } from '../event-picture.tsx'
import { themeBackground, themeOf } from '../event-themes.ts'
import type { Event } from '../queries.ts'

type Props = { event: Event | undefined; error: string | undefined; onChoose(file: File | undefined): void }

/** The cover: a photo, or one of the themes. */
export const CoverField = ({ event, error, onChoose }: Props) => {
  const { t } = useWords()
  const [open, setOpen] = useState(false)
  const [theme, setTheme] = useState(event ? themeOf(event) : eventThemes[0])
  const { chosen, problem, choose, forget } = useChosen(onChoose)
  const hasPhoto = event && !isGenerated(event)
  const photo = chosen ?? (hasPhoto ? `${event.event_avatar_url}&w=1280` : undefined)
  return (
    <div>
      <div className="relative aspect-[3/2] max-h-[30svh] w-full overflow-hidden bg-sunken">
        {photo ? (
          <img src={photo} alt="" className="size-full object-cover" />
        ) : (
          <span
            aria-hidden="true"
            className="block size-full bg-cover"
            style={{ backgroundImage: themeBackground(theme) }}
          />
        )}
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="absolute end-3 bottom-3 inline-flex min-h-11 items-center gap-2 rounded-full bg-card/90 px-4 text-sm font-semibold shadow-card"
        >
          <Images className="size-4.5" aria-hidden="true" />
          {hasPhoto ? t('eventForm.picture') : t('eventForm.cover')}
        </button>
      </div>
      <div hidden={!open} className="grid grid-cols-1 gap-3 p-4 pb-0">
        <ChoosePicture className="justify-self-start" onChoose={choose} />
        {!hasPhoto && (
          <ChoiceCards
            legend={t('eventForm.themes')}
            className="scroll-thin flex min-w-0 snap-x overflow-x-auto p-1 [&>label]:min-w-24 [&>label]:snap-start"
          >
            {eventThemes.map(each => (
              <ChoiceCard
                key={each}
                name="event_theme"
                value={each}
                title={t(`eventForm.theme.${each}`)}
                picture={
                  <span
                    aria-hidden="true"
                    className="block h-14 w-full rounded-xl bg-cover"
                    style={{ backgroundImage: themeBackground(each) }}
                  />
                }
                checked={each === theme}
                onChange={() => {
                  setTheme(each)
                  forget()
                }}
              />
            ))}
          </ChoiceCards>
        )}
      </div>
      {(problem ?? error) && (
        <p role="alert" className="px-4 pt-2 text-sm font-medium text-bad">
          {problem ?? error}
        </p>
      )}
    </div>
  )
}

import { useState } from 'react'
import { useWords } from '../../app/words.ts'
import { ChoiceCard, ChoiceCards } from '../../ui/choice-cards.tsx'
import { formText } from '../../ui/form.ts'
import { Switch } from '../../ui/switch.tsx'
import type { EventLink } from './links-queries.ts'

export type Kind = EventLink['link_kind']

/** As people choose it: a photographer's is a link for adding photos. */
export type Choice = Kind | 'photographer'
const choices = ['guest', 'look', 'drop', 'photographer', 'screen'] as const satisfies readonly Choice[]

export const choiceOf = (link: Pick<EventLink, 'link_kind' | 'link_photographer'>): Choice =>
  link.link_photographer ? 'photographer' : link.link_kind

/** What a form with this choice asks for. */
export const kindIn = (form: FormData) => {
  const choice = formText(form, 'kind') as Choice
  const photographer = choice === 'photographer'
  return {
    kind: photographer ? ('drop' as const) : choice,
    photographer,
    shows_chat: form.has('shows_chat'),
    photos_wait: !photographer || form.has('photos_wait'),
  }
}

/** The link makes nobody a member of the event, and the chat is shown only if the link says so. */
export const onlyShows = (kind: Choice) => kind === 'look' || kind === 'screen'

/** What a link makes of a person who opens it, as fields of the form that makes it. */
export const KindChoice = () => {
  const { t } = useWords()
  const [chosen, setChosen] = useState<Choice>('guest')
  const [chat, setChat] = useState(false)
  const [waits, setWaits] = useState(false)
  return (
    <ChoiceCards legend={t('links.kinds')}>
      {choices.map(kind => (
        <ChoiceCard
          key={kind}
          name="kind"
          value={kind}
          title={t(`links.kind.${kind}`)}
          about={t(`links.kindMore.${kind}`)}
          checked={kind === chosen}
          onChange={() => setChosen(kind)}
        />
      ))}
      {onlyShows(chosen) && <Switch label={t('links.showsChat')} checked={chat} onChange={setChat} />}
      {chosen === 'photographer' && <Switch label={t('links.photosWait')} checked={waits} onChange={setWaits} />}
      {chosen === 'photographer' && waits && <input type="hidden" name="photos_wait" value="1" />}
      {onlyShows(chosen) && chat && <input type="hidden" name="shows_chat" value="1" />}
    </ChoiceCards>
  )
}

import { useState } from 'react'
import { useWords } from '../../app/words.ts'
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
  return { kind: photographer ? ('drop' as const) : choice, photographer, shows_chat: form.has('shows_chat') }
}

/** Whether whoever opens it becomes no person of the event, and the chat is shown only if the link says so. */
export const onlyShows = (kind: Choice) => kind === 'look' || kind === 'screen'

/** What a link makes of whoever opens it, as fields of the form that makes it. */
export const KindChoice = () => {
  const { t } = useWords()
  const [chosen, setChosen] = useState<Choice>('guest')
  const [chat, setChat] = useState(false)
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="mb-1.5 text-sm font-semibold">{t('links.kinds')}</legend>
      {choices.map(kind => (
        <label
          key={kind}
          className="grid min-h-12 cursor-pointer gap-0.5 rounded-2xl border border-edge px-4 py-2.5 has-checked:border-ember has-checked:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-ember"
        >
          <input
            type="radio"
            name="kind"
            value={kind}
            checked={kind === chosen}
            onChange={() => setChosen(kind)}
            className="sr-only"
          />
          <span className="font-semibold">{t(`links.kind.${kind}`)}</span>
          <span className="text-sm text-pretty text-soft">{t(`links.kindMore.${kind}`)}</span>
        </label>
      ))}
      {onlyShows(chosen) && <Switch label={t('links.showsChat')} checked={chat} onChange={setChat} />}
      {onlyShows(chosen) && chat && <input type="hidden" name="shows_chat" value="1" />}
    </fieldset>
  )
}

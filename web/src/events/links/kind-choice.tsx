import { useState } from 'react'
import { useWords } from '../../app/words.ts'
import { Switch } from '../../ui/switch.tsx'
import type { EventLink } from './links-queries.ts'

export type Kind = EventLink['link_kind']

const kinds = ['guest', 'look', 'drop', 'screen'] as const satisfies readonly Kind[]

/** Whether whoever opens it becomes no person of the event, and the chat is shown only if the link says so. */
export const onlyShows = (kind: Kind) => kind === 'look' || kind === 'screen'

/** What a link makes of whoever opens it, as fields of the form that makes it: `kind` and `shows_chat`. */
export const KindChoice = () => {
  const { t } = useWords()
  const [chosen, setChosen] = useState<Kind>('guest')
  const [chat, setChat] = useState(false)
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend className="mb-1.5 text-sm font-semibold">{t('links.kinds')}</legend>
      {kinds.map(kind => (
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

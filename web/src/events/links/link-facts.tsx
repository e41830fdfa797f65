import { dayOf, timeOf } from '../../app/date-format.ts'
import { t, useWords } from '../../app/words.ts'
import { choiceOf, onlyShows } from './kind-choice.tsx'
import type { EventLink } from './links-queries.ts'

/** What a link makes of whoever opens it, its limits, and how often it was used. */
export const LinkFacts = ({ link }: { link: EventLink }) => {
  const { t } = useWords()
  const { link_status: status, link_pin: pin, link_expires_at: end } = link
  return (
    <ul className="flex flex-wrap justify-center gap-x-4 gap-y-1 text-sm text-soft">
      <li className="font-semibold text-ink">
        {t(`links.kind.${choiceOf(link)}`)}
        {link.link_shows_chat && ` · ${t('links.showsChat')}`}
      </li>
      <li className={status === 'open' ? '' : 'font-semibold text-bad'}>{t(`links.status.${status}`)}</li>
      <li>{usesOf(link)}</li>
      {link.link_pin_required && (
        <li>{pin ? <b className="text-ink">{t('wall.pin', { pin })}</b> : t('links.withPin')}</li>
      )}
      {end && <li>{t('links.until', { when: `${dayOf(end)}, ${timeOf(end)}` })}</li>}
    </ul>
  )
}

const usesOf = ({ link_kind: kind, link_uses: count, link_max_uses: most }: EventLink) => {
  if (most !== null) return t('links.usesOf', { uses: count, most })
  return onlyShows(kind) ? t('links.devices', { count }) : t('links.uses', { count })
}

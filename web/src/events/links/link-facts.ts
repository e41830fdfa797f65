import { dayOf, timeOf } from '../../app/date-format.ts'
import { t } from '../../app/words.ts'
import { onlyShows } from './kind-choice.tsx'
import type { EventLink } from './links-queries.ts'

/** Whether a link is on, how often it was used, and its limits. */
export const factsOf = (link: EventLink): string[] => {
  const { link_status: status, link_pin: pin, link_expires_at: end } = link
  return [
    t(`links.status.${status}`),
    usesOf(link),
    link.link_asks && t('links.asks'),
    link.link_shows_chat && t('links.showsChat'),
    link.link_pin_required && (pin ? t('wall.pin', { pin }) : t('links.withPin')),
    end && t('links.until', { when: `${dayOf(end)}, ${timeOf(end)}` }),
  ].filter(fact => typeof fact === 'string')
}

const usesOf = ({ link_kind: kind, link_uses: count, link_max_uses: most }: EventLink) => {
  if (most !== null) return t('links.usesOf', { uses: count, most })
  return onlyShows(kind) ? t('links.devices', { count }) : t('links.uses', { count })
}

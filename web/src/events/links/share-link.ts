import { t } from '../../app/words.ts'
import type { Event } from '../queries.ts'
import type { EventLink } from './links-queries.ts'
import { phonesReach } from './unreachable.tsx'

export const canShare = ({ link_url }: EventLink) => 'share' in navigator && phonesReach(link_url)

/** Hands a link to another app, in words that say what it is for. `command`: for a photographer's computer. */
export const shareLink = ({ link_kind, link_url: url }: EventLink, event: Event, command?: string) => {
  const text = command ? t('links.sentPhotographer', { command }) : t(`links.sent.${link_kind}`)
  void navigator.share({ title: event.event_name, text, url }).catch(() => {})
}

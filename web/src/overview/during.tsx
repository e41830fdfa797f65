import { useQuery } from '@tanstack/react-query'
import { MessageCircle } from 'lucide-react'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { wordsOf } from '../chats/composer/pending-messages.ts'
import { chatQuery } from '../chats/queries.ts'
import type { Event } from '../events/queries.ts'
import { LatestPhotos } from './latest-photos.tsx'

/** While it lasts: the newest photos, and what was last said. */
export const During = ({ event }: { event: Event }) => {
  const { t } = useWords()
  return (
    <section aria-label={t('evening.during')} className="grid grid-cols-1 gap-3">
      {event.extra.may.album && <LatestPhotos eventId={event.id} />}
      <LastLine event={event} />
    </section>
  )
}

/** Its place is reserved, and stays if nobody has said anything. */
const LastLine = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const { data: chat } = useQuery(chatQuery(event.group_chat_id))
  const said = chat && !chat.extra.latest_blocked ? chat.latest_message : null
  return (
    <Link
      to="/events/:eventId/chat"
      params={{ eventId: event.id }}
      className="flex min-h-13 min-w-0 items-center gap-3 rounded-2xl bg-glow px-4 py-2 text-on-glow xl:hidden"
    >
      <MessageCircle className="size-5 shrink-0" />
      <span className="sr-only">{t('evening.lastLine')}</span>
      <span className="truncate" dir="auto">
        {said
          ? `${said.user.user_first_name}: ${wordsOf(t, said.message_content, said.attachments.length)}`
          : t('chat.noMessages')}
      </span>
    </Link>
  )
}

import { queryClient } from '../app/cache/query.ts'
import { online } from '../app/net/network.ts'
import { currentVisit } from '../app/router/history.ts'
import { hrefOf, navigate } from '../app/router/router.tsx'
import { discard } from '../app/storage/acts.ts'
import { type Act, acts } from '../app/storage/pending-acts.ts'
import { t } from '../app/words.ts'
import { type PendingMessage, waiting } from '../chats/composer/pending-messages.ts'
import { chatKey } from '../chats/keys.ts'
import type { Chat } from '../chats/queries.ts'
import { say } from '../ui/layers/toasts.ts'
import { overdue } from './overdue.ts'
import { performers } from './performers.ts'

const overdueMs = 60_000
const lookMs = 5_000

/** Reports items that have waited for a minute despite a network, and refused ones. Returns a function to stop. */
export const watchWaiting = () => {
  let since = Date.now()
  const look = () => {
    const before = Date.now() - overdueMs
    const late = [...waiting.get(), ...acts.get()].some(({ at, refused }) => refused === undefined && at < before)
    overdue.set(late && online.get() && since < before)
  }
  const looking = setInterval(look, lookMs)
  const stops = [
    online.follow(() => {
      since = Date.now()
      look()
    }),
    ...[waiting, acts].map(each => each.follow(look)),
    waiting.follow(all => all.forEach(sayRefused)),
    acts.follow(all => all.forEach(sayRefused)),
  ]
  return () => {
    clearInterval(looking)
    for (const stop of stops) stop()
    overdue.set(false)
  }
}

const said = new Set<number>()

/** Reports a refusal once, on any page; where its author sees the item, the item reports it itself. */
const sayRefused = (item: PendingMessage | Act) => {
  if (item.refused === undefined) return void said.delete(item.at)
  if (said.has(item.at)) return
  said.add(item.at)
  if ('kind' in item && !(item.kind in performers)) {
    const forget = { label: t('chat.discard'), act: () => void discard(item.at) }
    return void say(t('waits.unknown'), forget, true)
  }
  const href = placeOf(item)
  if (href === currentVisit().path) return
  const look = href ? { label: t('waits.look'), act: () => void navigate({ href }) } : undefined
  say(t('waits.refused', { why: item.refused }), look, true)
}

/** The page on which its author can correct it. */
const placeOf = (item: PendingMessage | Act): string | undefined => {
  if (!('kind' in item)) {
    const eventId = queryClient.getQueryData<Chat>(chatKey(item.chatId))?.event_id
    return eventId ? hrefOf({ to: '/events/:eventId/chat', params: { eventId } }) : undefined
  }
  if (item.kind === 'answer') return hrefOf({ to: '/events/:eventId', params: { eventId: item.told.event_id } })
  if (item.kind !== 'comment') return undefined
  const { photoId, eventId } = item.told
  return eventId ? hrefOf({ to: '/events/:eventId/photos/:photoId', params: { eventId, photoId } }) : undefined
}

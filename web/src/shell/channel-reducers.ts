import type { QueryClient } from '@tanstack/react-query'
import { applyChanges, type ChannelEvent } from '../app/cache/change.ts'
import { onChatEvent } from '../chats/reducer.ts'
import { hearEvents } from '../events/reducer.ts'
import { onGalleryEvent } from '../gallery/reducer.ts'
import { onNotificationEvent } from '../notifications/reducer.ts'
import { hearPlans } from '../plans/reducer.ts'
import { onWallEvent } from '../wall/reducer.ts'

const rules = [hearEvents, hearPlans, onGalleryEvent, onChatEvent, onWallEvent, onNotificationEvent]

export const applyEvent = (client: QueryClient, heard: ChannelEvent, me: number) =>
  applyChanges(
    client,
    rules.flatMap(rule => rule(heard, me)),
  )

/** Longer than any request takes. */
const rememberMs = 60_000

/**
 * A list requested before an event may arrive after it: events received meanwhile are applied again to later replies.
 * Returns a function that receives events.
 */
export const openEventBuffer = (client: QueryClient, me: number) => {
  let recent: { at: number; heard: ChannelEvent }[] = []
  const began = new Map<string, number>()
  const stop = client.getQueryCache().subscribe(event => {
    if (event.type !== 'updated') return
    const { queryHash } = event.query
    if (event.action.type === 'fetch') began.set(queryHash, Date.now())
    if (event.action.type !== 'success' || event.action.manual) return
    const since = began.get(queryHash) ?? 0
    const missed = recent.filter(({ at }) => at >= since)
    if (missed.length > 0)
      queueMicrotask(() => {
        for (const { heard } of missed) applyEvent(client, heard, me)
      })
  })
  return {
    hear(heard: ChannelEvent) {
      const at = Date.now()
      recent = [...recent.filter(each => at - each.at < rememberMs), { at, heard }]
      applyEvent(client, heard, me)
    },
    close: stop,
  }
}

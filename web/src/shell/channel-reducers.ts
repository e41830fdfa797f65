import type { QueryClient } from '@tanstack/react-query'
import { applyChanges, type Heard } from '../app/cache/change.ts'
import { hearChats } from '../chats/reducer.ts'
import { hearEvents } from '../events/reducer.ts'
import { hearGallery } from '../gallery/reducer.ts'
import { hearNotifications } from '../notifications/reducer.ts'
import { hearPlans } from '../plans/reducer.ts'
import { hearWalls } from '../wall/reducer.ts'

const rules = [hearEvents, hearPlans, hearGallery, hearChats, hearWalls, hearNotifications]

export const hear = (client: QueryClient, heard: Heard, me: number) =>
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
export const openHearing = (client: QueryClient, me: number) => {
  let recent: { at: number; heard: Heard }[] = []
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
        for (const { heard } of missed) hear(client, heard, me)
      })
  })
  return {
    hear(heard: Heard) {
      const at = Date.now()
      recent = [...recent.filter(each => at - each.at < rememberMs), { at, heard }]
      hear(client, heard, me)
    },
    close: stop,
  }
}

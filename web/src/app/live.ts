import type { Realtime } from '@afterglow/sdk/realtime'
import { notificationsKey, unreadKey } from '../notifications/keys.ts'
import type { Heard } from './change.ts'
import { connection } from './client.ts'
import { openHearing } from './hearing.ts'
import { keep, linksLiveMs, restore } from './kept.ts'
import { keepPresence } from './presence.ts'
import { queryClient } from './query.ts'
import { endIfStill, session } from './session.ts'
import { openStore } from './store.ts'

/** Whether what is shown is kept fresh by the channel. */
export const live = openStore(false)

type Listener = (heard: Heard) => void
const listeners = new Set<Listener>()
/** Hears every event that comes after now, such as somebody typing. Returns how to stop. */
export const listen = (listener: Listener) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** They are told only to apps that are looked at, so what came meanwhile is loaded. */
const freshenNotifications = () => {
  void queryClient.invalidateQueries({ queryKey: notificationsKey })
  void queryClient.invalidateQueries({ queryKey: unreadKey })
}

/** Restores what was seen, then follows the channel. Returns how to stop, once what was kept is there. */
export const goLive = async (userId: number): Promise<() => void> => {
  const start = await restore(queryClient, userId)
  const hearing = openHearing(queryClient, userId)
  let realtime: Realtime | undefined
  let closed = false
  const connecting = import('@afterglow/sdk/realtime').then(({ connect }) => {
    if (closed) return
    const opened = connect(connection, start === undefined ? {} : { cursor: start })
    realtime = opened
    // Without a cursor nobody knows what came between loading and listening.
    let whole = start !== undefined
    opened.onAny((kind, payload) => {
      const heard = { kind, payload } as Heard
      hearing.hear(heard)
      for (const listener of [...listeners]) listener(heard)
    })
    opened.when('live', () => {
      live.set(true)
      if (whole) freshenNotifications()
      else void queryClient.invalidateQueries()
      whole = true
    })
    opened.when('lost', () => live.set(false))
    opened.when('stale', () => void queryClient.invalidateQueries())
    opened.when('signedOut', () => {
      const token = session.get()?.token
      if (token) endIfStill(token)
    })
  })
  connecting.catch(() => live.set(false))
  const stopKeeping = keep(queryClient, userId, () => realtime?.cursor ?? start)
  const stopPresence = keepPresence(freshenNotifications)
  const renewing = setInterval(() => void queryClient.invalidateQueries(), linksLiveMs)
  const stopFollowing = session.follow(now => now && realtime?.reconnect())
  return () => {
    closed = true
    clearInterval(renewing)
    stopFollowing()
    stopPresence()
    stopKeeping()
    hearing.close()
    realtime?.close()
    live.set(false)
  }
}

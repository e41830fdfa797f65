import { connect } from '@afterglow/sdk/realtime'
import type { Heard } from '../app/change.ts'
import { connection } from '../app/client.ts'
import { linksLiveMs } from '../app/kept.ts'
import { keepPresence } from '../app/presence.ts'
import { queryClient } from '../app/query.ts'
import { endIfStill, session } from '../app/session.ts'
import { notificationsKey, unreadKey } from '../notifications/keys.ts'
import { openHearing } from './channel-reducers.ts'

/** They are told only to apps that are looked at, so what came meanwhile is loaded. */
const freshenNotifications = () => {
  void queryClient.invalidateQueries({ queryKey: notificationsKey })
  void queryClient.invalidateQueries({ queryKey: unreadKey })
}

/** Follows the channel from a cursor on: what it says changes what is loaded, and is told on. */
export const follow = (userId: number, start: string | undefined, tell: (heard: Heard) => void) => {
  const hearing = openHearing(queryClient, userId)
  const channel = connect(connection, start === undefined ? {} : { cursor: start })
  // Without a cursor nobody knows what came between loading and listening.
  let whole = start !== undefined
  channel.onAny((kind, payload) => {
    const heard = { kind, payload } as Heard
    hearing.hear(heard)
    tell(heard)
  })
  channel.when('live', () => {
    if (whole) freshenNotifications()
    else void queryClient.invalidateQueries()
    whole = true
  })
  channel.when('stale', () => void queryClient.invalidateQueries())
  channel.when('signedOut', () => {
    const token = session.get()?.token
    if (token) endIfStill(token)
  })
  const stopPresence = keepPresence(freshenNotifications)
  const renewing = setInterval(() => void queryClient.invalidateQueries(), linksLiveMs)
  const stopFollowing = session.follow(now => now && channel.reconnect())
  return {
    cursor: () => channel.cursor ?? start,
    stop() {
      clearInterval(renewing)
      stopFollowing()
      stopPresence()
      hearing.close()
      channel.close()
    },
  }
}

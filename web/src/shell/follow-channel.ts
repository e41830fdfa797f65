import { connect } from '@afterglow/sdk/realtime'
import type { ChannelEvent } from '../app/cache/change.ts'
import type { Listed } from '../app/cache/pages.ts'
import { linksLiveMs } from '../app/cache/persisted-cache.ts'
import { queryClient } from '../app/cache/query.ts'
import { arrivals } from '../app/net/channel-listeners.ts'
import { api, connection } from '../app/net/client.ts'
import { online } from '../app/net/network.ts'
import { keepPresence } from '../app/net/presence.ts'
import { bearer, endIfStill, session } from '../app/session.ts'
import { viewing } from '../app/viewing.ts'
import { notificationsKey, unreadKey } from '../notifications/keys.ts'
import { openEventBuffer } from './channel-reducers.ts'
import { refreshWhenDue } from './refresh-session.ts'

/** Notifications are only sent to active apps: those missed meanwhile are loaded, if there are any. */
const freshenNotifications = async () => {
  if (viewing.get()) return
  const unread = await api.notifications.countUnreadNotifications().catch(() => undefined)
  if (unread) queryClient.setQueryData(unreadKey, unread)
  const list = queryClient.getQueryCache().find<Listed<{ updated_at: string }>>({ queryKey: notificationsKey })
  await list?.promise?.catch(() => {})
  if (unread?.newest_at !== (list?.state.data?.pages[0]?.data[0]?.updated_at ?? null))
    void queryClient.invalidateQueries({ queryKey: notificationsKey })
}

/** Calls back when the page is visible again, and reports a signed-in user as active. */
const followVisibility = (onReturn: () => void) => {
  if (!viewing.get()) return keepPresence(onReturn)
  const turn = () => document.visibilityState === 'visible' && onReturn()
  document.addEventListener('visibilitychange', turn)
  return () => document.removeEventListener('visibilitychange', turn)
}

/** Follows the channel from a cursor: events change the loaded data, and are passed on. */
export const follow = (userId: number, start: string | undefined, tell: (heard: ChannelEvent) => void) => {
  const hearing = openEventBuffer(queryClient, userId)
  const mayAsk = () => document.visibilityState === 'visible' && online.get()
  const channel = connect(connection, { ...(start !== undefined && { cursor: start }), mayAsk })
  // Without a cursor, nobody knows what happened between loading and listening.
  let whole = start !== undefined
  channel.onAny((kind, payload) => {
    const heard = { kind, payload } as ChannelEvent
    hearing.hear(heard)
    tell(heard)
  })
  channel.when('live', () => {
    arrivals.set('live')
    if (whole) void freshenNotifications()
    else void queryClient.invalidateQueries()
    whole = true
  })
  channel.when('lost', () => arrivals.set('none'))
  channel.when('asking', () => {
    arrivals.set('asking')
    void freshenNotifications()
  })
  channel.when('stale', () => {
    whole = true
    void queryClient.invalidateQueries()
  })
  channel.when('signedOut', () => {
    const token = bearer()
    if (token) endIfStill(token)
  })
  const stopVisibility = followVisibility(() => {
    // A phone that slept may have left a connection attempt behind that nobody answers any more.
    channel.wake()
    void freshenNotifications()
    // A page that is never closed has only this occasion.
    void refreshWhenDue()
  })
  const renewing = setInterval(() => void queryClient.invalidateQueries(), linksLiveMs)
  const stopFollowing = [session, viewing].map(each => each.follow(() => bearer() && channel.reconnect()))
  const stopWaking = online.follow(reachable => reachable && channel.wake())
  return {
    cursor: () => channel.cursor ?? start,
    stop() {
      clearInterval(renewing)
      for (const stop of stopFollowing) stop()
      stopWaking()
      stopVisibility()
      hearing.close()
      channel.close()
      arrivals.set('none')
    },
  }
}

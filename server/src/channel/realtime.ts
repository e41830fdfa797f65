import type { Server as HttpServer } from 'node:http'
import type { ChannelEventKind, ChannelEvents } from '@afterglow/contract/realtime'
import type { Logger } from 'pino'
import type { Presence } from '../accounts/sessions/presence.ts'
import { type CurrentSession, onSessionsEnded } from '../accounts/sessions/sessions.ts'
import { announcementsUnderWay, whenAnnounced } from '../log/announce.ts'
import type { Database } from '../platform/database/database.ts'
import { openAddressing } from '../platform/http/client-address.ts'
import { networkOf, type RateLimits } from '../platform/http/limits.ts'
import { openOrigins } from '../platform/http/origins.ts'
import { originOf } from '../platform/http/server.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Holder } from '../platform/media/signed-url.ts'
import { openFilesMax } from '../platform/process/open-files.ts'
import { openChannel } from './channel.ts'
import { openDelivery } from './fan-out.ts'
import { anyOrigin } from './group-frames.ts'
import { openLocalAudience } from './local-audience.ts'
import type { ChangePresenters, Membership } from './payloads.ts'
import { openRelay } from './relay.ts'
import { openSessionWatch } from './session-watch.ts'
import { openSockets } from './sockets.ts'
import { type OtherProcesses, openWakeUps } from './wake-ups.ts'

export type RealtimeOptions = {
  server: HttpServer
  /** Connections apart from those that serve requests: under load, the channel would queue behind them. */
  db: Database
  config: { publicUrl: string | null; trustedProxies: string[]; corsOrigins: readonly string[] }
  showing: ChangePresenters
  membership: Membership
  urlsFor(origin: string): Urls
  holding(holder: Holder): string
  /** The token's session, read from the database; undefined if it is invalid. */
  findSession(token: string): Promise<CurrentSession | undefined>
  presence: Presence
  limits: RateLimits
  /** Tells other processes at once, rather than at their next poll, that there is something new. */
  others?: OtherProcesses | undefined
  log: Pick<Logger, 'error' | 'warn'>
}

/**
 * Sends users what the log does not contain. The payload's URLs are made with its argument: each socket gets its own
 * origin.
 */
export type Whisper = <Kind extends ChannelEventKind>(
  kind: Kind,
  payloadOf: (urls: Urls) => ChannelEvents[Kind],
  to: readonly number[],
) => void

/** For requests, files and the database: the part of a process's open files that sockets may not use. */
const openFilesReserved = 1000

/** The realtime channel: who is connected, what is new, and how one gets to the other. */
export const openRealtime = async (options: RealtimeOptions) => {
  const { server, db, config, presence, others } = options
  const sockets = openSockets()
  const watch = openSessionWatch(db, sockets)
  const delivery = openDelivery({ ...options, sockets, recheck: watch.recheck })
  const audience = openLocalAudience(db, options.membership.eventsOfMembers, sockets)
  const relay = openRelay({
    db,
    audience,
    log: options.log,
    within: options.membership.readWithin,
    underWay: announcementsUnderWay,
    isNeeded: () => sockets.size() > 0,
    tell: delivery.tell,
    forsake: () => channel.sendAway(),
  })
  const wakeUps = openWakeUps({ anyOrigin, others, wake: relay.wake, whisper: delivery.whisper })
  const stopListening = [whenAnnounced(wakeUps.wakeAll), onSessionsEnded(wakeUps.wakeAll)]

  const addressed = openAddressing(config.trustedProxies)
  const origin = originOf(config)
  const channel = openChannel({
    server,
    sockets,
    findSession: options.findSession,
    originOf: origin,
    networkOf: request => networkOf(addressed(request).from),
    mayCall: openOrigins([...config.corsOrigins, ...(config.publicUrl ? [new URL(config.publicUrl).origin] : [])]),
    limits: options.limits,
    enter: relay.enter,
    whenOpened({ userId, deviceRow }) {
      presence.connected(deviceRow)
      // Its session may have ended after its token was checked, when nobody was looking for its socket.
      watch.recheck([userId]).catch(() => {})
    },
    whenClosed({ userId, deviceRow }) {
      audience.release([userId])
      const stays = sockets.of(userId).some(other => other.deviceRow === deviceRow)
      if (!stays) presence.left(deviceRow)
    },
    socketsMax: Math.max(100, openFilesMax() - openFilesReserved),
    log: options.log,
  })

  return {
    /** Sends these users, here and at other processes, what the log does not contain, such as who is typing. */
    whisper: ((kind, payloadOf, to) => wakeUps.whisperAll(kind, payloadOf(delivery.urls), to)) satisfies Whisper,
    /** How many sockets are open here, and how far behind the log they are. */
    sockets: () => sockets.size(),
    lag: () => relay.lag(),
    async close() {
      for (const stop of stopListening) stop()
      await channel.close()
      watch.close()
      await relay.close()
    },
  }
}

export type Realtime = Awaited<ReturnType<typeof openRealtime>>

import { urlsFor } from '../platform/http/urls.ts'
import type { Needs, Slice } from '../slice.ts'
import { openSessionEnds } from './ended-sessions.ts'
import { anyHolder } from './group-frames.ts'
import type { ChangePresenters } from './payloads.ts'
import { openRealtime } from './realtime.ts'
import { realtimeRoutes } from './realtime-routes.ts'

/** Connections, and the delivery of the log to them. */
export const channel: Slice = {
  name: 'channel',
  tables: {},
  async open(
    parts: Needs<
      | 'acknowledgeUpTo'
      | 'background'
      | 'channelDb'
      | 'config'
      | 'limits'
      | 'log'
      | 'membership'
      | 'neighbours'
      | 'presence'
      | 'serve'
      | 'serveOpen'
      | 'server'
      | 'sessions'
      | 'shared'
      | 'signer'
      | 'slices'
      | 'vapidPublicKey'
    >,
  ) {
    const { server, serve, serveOpen, channelDb, slices, sessions, log } = parts
    const showing: ChangePresenters = Object.assign({}, ...slices.map(slice => slice.channel?.(slices, parts)))
    const sessionEnds = openSessionEnds(channelDb, sessions, log)
    const realtime = await openRealtime({
      ...parts,
      others: parts.shared ?? parts.neighbours,
      server: server.server,
      db: channelDb,
      showing,
      holding: parts.signer.holding,
      urlsFor: origin => urlsFor(origin, parts.signer.sign, anyHolder),
      findSession: sessions.findNow,
    })
    realtimeRoutes(serve, serveOpen, { ...parts, showing })
    return { gives: { realtime }, stop: realtime.close, close: sessionEnds.close }
  },
}

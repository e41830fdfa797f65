import * as channel from '@afterglow/contract/notifications/channel'
import { acknowledgeSeconds, channelPath } from '@afterglow/contract/realtime'
import { presenceTtlSeconds } from '../accounts/sessions/presence.ts'
import { publicPathOf } from '../platform/http/public-path.ts'
import type { Serve, ServeOpen } from '../platform/http/serve.ts'
import type { Config } from '../settings/config.ts'
import { catchUp, type SyncOptions } from './sync.ts'

export const realtimeRoutes = (
  serve: Serve,
  serveOpen: ServeOpen,
  { vapidPublicKey, config, ...syncing }: SyncOptions & { vapidPublicKey: string; config: Pick<Config, 'publicUrl'> },
) => {
  serveOpen(channel.readRealtimeConfig, async () => ({
    channel_path: publicPathOf(config) + channelPath,
    channel_transports: ['websocket' as const],
    vapid_public_key: vapidPublicKey,
    presence_seconds: presenceTtlSeconds,
    acknowledge_seconds: acknowledgeSeconds,
  }))

  serve(channel.syncRealtime, async ({ db, viewer, input, urls }) => {
    const { tooOld, ...caughtUp } = await catchUp(db, syncing, {
      viewer,
      cursor: input.cursor,
      until: input.until,
      urls,
    })
    return { ...caughtUp, too_old: tooOld }
  })
}

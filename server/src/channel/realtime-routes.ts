import * as contract from '@afterglow/contract/notifications'
import { acknowledgeSeconds, channelPath } from '@afterglow/contract/realtime'
import { presenceTtlSeconds } from '../accounts/sessions/presence.ts'
import type { Serve, ServeOpen } from '../platform/http/serve.ts'
import { catchUp, type Syncing } from './sync.ts'

export const realtimeRoutes = (
  serve: Serve,
  serveOpen: ServeOpen,
  { vapidPublicKey, ...syncing }: Syncing & { vapidPublicKey: string },
) => {
  serveOpen(contract.readRealtimeConfig, async () => ({
    channel_path: channelPath,
    channel_transports: ['websocket' as const],
    vapid_public_key: vapidPublicKey,
    presence_seconds: presenceTtlSeconds,
    acknowledge_seconds: acknowledgeSeconds,
  }))

  serve(contract.syncRealtime, async ({ db, viewer, input, urls }) => {
    const { tooOld, ...caughtUp } = await catchUp(db, syncing, {
      viewer,
      cursor: input.cursor,
      until: input.until,
      urls,
    })
    return { ...caughtUp, too_old: tooOld }
  })
}

import { z } from 'zod'
import { route } from '../route.ts'
import { maybe, shape, text } from '../words.ts'

export const readRealtimeConfig = route('readRealtimeConfig', 'GET api/realtime/config', {
  summary: 'Returns how to open the realtime channel and subscribe to pushes.',
  open: true,
  crowd: true,
  input: z.object({}),
  reply: shape('RealtimeConfig', {
    channel_path: z.string().describe('Path of the realtime channel at its host.'),
    channel_transports: z.array(z.enum(['websocket'])).describe('Of Socket.IO’s transports: WebSocket only.'),
    vapid_public_key: z.string().describe('Public VAPID key that a browser needs to subscribe.'),
    presence_seconds: z.int().positive().describe('How long a ping keeps the app active, in seconds.'),
    acknowledge_seconds: z
      .int()
      .positive()
      .describe('How long an app has to acknowledge a notification before it is also sent as a push, in seconds.'),
  }),
  refusals: {},
})

/** Cursors are opaque and shorter than this. */
const cursorLengthMax = 200

export const syncRealtime = route('syncRealtime', 'GET api/realtime/sync', {
  summary:
    'Returns the changes the viewer missed since a cursor, in order, up to now or up to the cursor `until`. Without a cursor, it only returns the current position. A cursor acknowledges the notifications up to it, as the channel would: ask again at once after one, and only while the app is in view.',
  input: z.object({ cursor: maybe(text(cursorLengthMax)), until: maybe(text(cursorLengthMax)) }),
  reply: shape('Sync', {
    cursor: z.string(),
    /**
     * The log does not reach back that far, or the cursor belongs to another history, as after a restore: reload what is
     * shown.
     */
    too_old: z.boolean().describe('Whether the cursor is no longer valid, so that everything must be reloaded.'),
    /** More changes follow: ask again with the new cursor. */
    more: z.boolean().describe('Whether more changes follow this page.'),
    changes: z
      .array(z.strictObject({ kind: z.string(), cursor: z.string(), payload: z.unknown() }))
      .describe('The changes since the cursor, in order.'),
  }),
  refusals: {},
})

/** What was told over the channel and by push in the tests, kept by `npm run examples`: of each event its arguments, of each kind of push what every platform got. */
import recorded from './channel-examples.json' with { type: 'json' }
import type { ClearedPlatform, PushPlatform } from './pushes.ts'

export type ChannelExamples = {
  events: Record<string, unknown[]>
  pushes: Record<string, Record<PushPlatform, unknown>>
  clearings: Record<ClearedPlatform, unknown>
}

export const channelExamples = recorded as unknown as ChannelExamples

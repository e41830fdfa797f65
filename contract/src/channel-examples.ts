/** Channel events and pushes recorded in the tests by `npm run examples`: the arguments of each event, and each kind of push per platform. */
import recorded from './channel-examples.json' with { type: 'json' }
import type { ClearedPlatform, PushPlatform } from './pushes.ts'

export type ChannelExamples = {
  events: Record<string, unknown[]>
  pushes: Record<string, Record<PushPlatform, unknown>>
  clearings: Record<ClearedPlatform, unknown>
}

export const channelExamples = recorded as unknown as ChannelExamples

import { type ChannelEventKind, ChannelMeta, channelEvents } from '@afterglow/contract/realtime'
import { type ChannelPayloads, connect, type Realtime, type RealtimeOptions } from '@afterglow/sdk/realtime'
import { afterEach, expect, vi } from 'vitest'
import type { z } from 'zod'
import { keepEvent } from './channel-recorder.ts'

export type ReceivedEvent = {
  [Kind in ChannelEventKind]: { kind: Kind; payload: ChannelPayloads[Kind]; cursor: string | null }
}[ChannelEventKind]

export type Listener = {
  channel: Realtime
  heard: ReceivedEvent[]
  kinds(): ChannelEventKind[]
  /** The kinds of events about events and their people, without the events that follow from them elsewhere. */
  eventKinds(): ChannelEventKind[]
  of<Kind extends ChannelEventKind>(kind: Kind): ChannelPayloads[Kind][]
  /** The first matching event of a kind, already heard or still to come. */
  next<Kind extends ChannelEventKind>(
    kind: Kind,
    fits?: (payload: ChannelPayloads[Kind]) => boolean,
  ): Promise<ChannelPayloads[Kind]>
  /** Waits until the connection is live again after an interruption. */
  live(): Promise<void>
  /** How often the connection became live, lost, stale, or signed out. */
  states: Record<'live' | 'lost' | 'stale' | 'signedOut', number>
  close(): void
}

const open = new Set<Realtime>()
afterEach(() => {
  for (const channel of open) channel.close()
  open.clear()
})

/** Listens as a member, over the SDK. Every event is checked against the closed contract on arrival. */
export const listen = async (
  at: { url: string },
  { token }: { token: string },
  { fromNow = true, ...options }: RealtimeOptions & { fromNow?: boolean } = {},
): Promise<Listener> => {
  const channel = connect({ baseUrl: at.url, token }, options)
  open.add(channel)
  const heard: ReceivedEvent[] = []
  const problems: unknown[] = []
  const states = { live: 0, lost: 0, stale: 0, signedOut: 0 }
  for (const name of ['live', 'lost', 'stale', 'signedOut'] as const)
    channel.when(name, () => {
      states[name] += 1
    })
  channel.onAny((kind, payload, meta) => {
    const checked = (channelEvents[kind] as z.ZodType | undefined)?.safeParse(payload)
    if (!checked?.success || !ChannelMeta.safeParse(meta).success)
      problems.push({ kind, payload, error: checked?.error })
    keepEvent(kind, [payload, meta], at.url)
    heard.push({ kind, payload, cursor: meta.cursor } as ReceivedEvent)
  })
  const live = () => vi.waitFor(() => expect(states.live, 'times live').toBeGreaterThan(states.lost), waiting)
  if (fromNow) await live()
  return {
    channel,
    heard,
    states,
    kinds: () => heard.map(({ kind }) => kind),
    eventKinds: () => eventKindsOf(heard),
    of: kind => heard.filter(event => event.kind === kind).map(({ payload }) => payload as never),
    next: (kind, fits = () => true) =>
      vi.waitFor(() => {
        expect(problems, 'events that the contract does not know').toEqual([])
        const found = heard.find(event => event.kind === kind && fits(event.payload as never))
        expect(found, `${kind} among ${heard.map(each => each.kind).join(', ') || 'nothing'}`).toBeDefined()
        return found?.payload as never
      }, waiting),
    live: async () => {
      await live()
    },
    close: () => channel.close(),
  }
}

const waiting = { timeout: 20_000, interval: 5 }

/** See Listener.eventKinds. */
export const eventKindsOf = <Kind extends string>(changes: readonly { kind: Kind }[]): Kind[] =>
  changes.map(({ kind }) => kind).filter(kind => /^(event|guest|join)\./.test(kind))

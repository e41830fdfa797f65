import type { ChannelEventKind, ChannelMeta } from '@afterglow/contract/realtime'
import type { Realtime, RealtimeState } from '../realtime.ts'

export type ChannelEvent = { kind: ChannelEventKind; payload: unknown; meta: ChannelMeta }

type Handler = (payload: never, meta: ChannelMeta) => void
type AnyHandler = Parameters<Realtime['onAny']>[0]

/** The listeners for the channel's events and its state. */
export class Listeners {
  readonly #byKind = new Map<string, Set<Handler>>()
  readonly #any = new Set<AnyHandler>()
  readonly #states = new Map<keyof RealtimeState, Set<() => void>>()

  on(kind: ChannelEventKind, handler: Handler) {
    return listen(handlersOf(this.#byKind, kind), handler)
  }

  onAny(handler: AnyHandler) {
    return listen(this.#any, handler)
  }

  when(name: keyof RealtimeState, handler: () => void) {
    return listen(handlersOf(this.#states, name), handler)
  }

  tell({ kind, payload, meta }: ChannelEvent) {
    for (const handler of this.#byKind.get(kind) ?? []) handler(payload as never, meta)
    for (const handler of this.#any) handler(kind, payload, meta)
  }

  state(name: keyof RealtimeState) {
    for (const handler of this.#states.get(name) ?? []) handler()
  }
}

const handlersOf = <Name, Entry>(sets: Map<Name, Set<Entry>>, name: Name) => {
  const handlers = sets.get(name) ?? new Set()
  sets.set(name, handlers)
  return handlers
}

const listen = <Entry>(handlers: Set<Entry>, handler: Entry) => {
  handlers.add(handler)
  return () => void handlers.delete(handler)
}

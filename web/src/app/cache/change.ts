import type { ChannelEventKind } from '@afterglow/contract/realtime'
import type { ChannelPayloads } from '@afterglow/sdk/realtime'
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

export type ChannelEvent = {
  [Kind in ChannelEventKind]: { kind: Kind; payload: ChannelPayloads[Kind] }
}[ChannelEventKind]

/**
 * The effect of an event on data loaded under a key: it produces a new state from the old one, or has it reloaded, now
 * or later.
 */
export type Change =
  | { key: QueryKey; become: (shown: unknown, key: QueryKey) => unknown }
  | { key: QueryKey; reload: true }
  | { key: QueryKey; outdate: true }
  | { key: QueryKey; forget: true }

/** A slice's rules: pure, and applying one twice equals applying it once. */
export type Rules = (heard: ChannelEvent, me: number) => Change[]

export const become = <Data>(key: QueryKey, rule: (shown: Data, key: QueryKey) => Data): Change => ({
  key,
  become: rule as (shown: unknown, key: QueryKey) => unknown,
})
export const reload = (key: QueryKey): Change => ({ key, reload: true })
/** Marks the data as stale: the page that shows it decides how soon to reload. */
export const outdate = (key: QueryKey): Change => ({ key, outdate: true })
export const forget = (key: QueryKey): Change => ({ key, forget: true })

export const applyChanges = (client: QueryClient, changes: readonly Change[]) => {
  for (const change of changes) {
    if ('reload' in change) void client.invalidateQueries({ queryKey: change.key })
    else if ('outdate' in change) void client.invalidateQueries({ queryKey: change.key, refetchType: 'none' })
    else if ('forget' in change) {
      client.removeQueries({ queryKey: change.key, type: 'inactive' })
      // It is removed for viewers on its page too, and reloading tells them why.
      void client.resetQueries({ queryKey: change.key, type: 'active' })
    } else
      for (const query of client.getQueryCache().findAll({ queryKey: change.key })) tell(client, query, change.become)
  }
}

const tell = (client: QueryClient, query: Query, become: (shown: unknown, key: QueryKey) => unknown) => {
  const { data, isInvalidated, dataUpdatedAt } = query.state
  if (data === undefined) return
  client.setQueryData(query.queryKey, become(data, query.queryKey), { updatedAt: dataUpdatedAt })
  // Stale data stays stale: an event changes one row, not the reason for staleness of the others.
  if (isInvalidated) query.invalidate()
}

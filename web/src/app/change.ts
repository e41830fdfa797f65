import type { ChannelEventKind } from '@afterglow/contract/realtime'
import type { ChannelPayloads } from '@afterglow/sdk/realtime'
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

/** One event of the channel. */
export type Heard = { [Kind in ChannelEventKind]: { kind: Kind; payload: ChannelPayloads[Kind] } }[ChannelEventKind]

/** What an event does to everything loaded under a key: a new state out of the old one, or that it is loaded again, now or later. */
export type Change =
  | { key: QueryKey; become: (shown: unknown, key: QueryKey) => unknown }
  | { key: QueryKey; reload: true }
  | { key: QueryKey; outdate: true }
  | { key: QueryKey; forget: true }

/** A slice's rules: pure, and applying one twice is applying it once. */
export type Rules = (heard: Heard, me: number) => Change[]

export const become = <Data>(key: QueryKey, rule: (shown: Data, key: QueryKey) => Data): Change => ({
  key,
  become: rule as (shown: unknown, key: QueryKey) => unknown,
})
export const reload = (key: QueryKey): Change => ({ key, reload: true })
/** No longer so; whoever shows it says how soon it asks again. */
export const outdate = (key: QueryKey): Change => ({ key, outdate: true })
export const forget = (key: QueryKey): Change => ({ key, forget: true })

export const applyChanges = (client: QueryClient, changes: readonly Change[]) => {
  for (const change of changes) {
    if ('reload' in change) void client.invalidateQueries({ queryKey: change.key })
    else if ('outdate' in change) void client.invalidateQueries({ queryKey: change.key, refetchType: 'none' })
    else if ('forget' in change) {
      client.removeQueries({ queryKey: change.key, type: 'inactive' })
      // Whoever looks at it keeps nothing either, and is told why by what loading it says now.
      void client.resetQueries({ queryKey: change.key, type: 'active' })
    } else
      for (const query of client.getQueryCache().findAll({ queryKey: change.key })) tell(client, query, change.become)
  }
}

const tell = (client: QueryClient, query: Query, become: (shown: unknown, key: QueryKey) => unknown) => {
  const { data, isInvalidated, dataUpdatedAt } = query.state
  if (data === undefined) return
  client.setQueryData(query.queryKey, become(data, query.queryKey), { updatedAt: dataUpdatedAt })
  // What was to be loaded again still is: an event changes one row and not what made the others stale.
  if (isInvalidated) query.invalidate()
}

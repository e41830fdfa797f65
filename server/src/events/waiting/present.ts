import type { Waiting, WaitingKind } from './waiting.ts'

export const presentWaiting = ({ kind, count, since }: Waiting & { kind: WaitingKind }) => ({
  waiting_kind: kind,
  waiting_count: count,
  waiting_since: since.toISOString(),
})

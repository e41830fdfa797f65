import { queryOptions } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { wallKey } from './keys.ts'

export type Wall = Awaited<ReturnType<typeof api.wall.readWall>>

/** Guests who open the wall get no events about it, and a closed link none at all. */
const lookEveryMs = 15_000

export const wallQuery = (eventId: number, everyMs = lookEveryMs) =>
  queryOptions({
    queryKey: wallKey(eventId),
    queryFn: ({ signal }) => api.wall.readWall({ event_id: eventId }, { signal }),
    refetchInterval: everyMs,
    staleTime: 0,
  })

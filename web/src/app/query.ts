import { AfterglowError } from '@afterglow/sdk'
import { onlineManager, QueryClient } from '@tanstack/react-query'
import { isPassing } from './client.ts'
import { online } from './network.ts'

const keptMs = 7 * 24 * 60 * 60_000

/** What was loaded. The channel keeps it fresh, so nothing here grows old while it is connected. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5 * 60_000,
      gcTime: keptMs,
      refetchOnWindowFocus: false,
      retry: (count, error) => isPassing(error) && count < 3,
      retryDelay: (count, error) =>
        error instanceof AfterglowError && error.retryAfterSeconds
          ? error.retryAfterSeconds * 1000
          : Math.min(500 * 2 ** count, 5000),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

onlineManager.setEventListener(setOnline => online.follow(setOnline))

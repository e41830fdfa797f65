import { AfterglowError, isLasting } from '@afterglow/sdk/methods'
import { onlineManager, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { statusOf } from './client.ts'
import { online } from './network.ts'

const keptMs = 7 * 24 * 60 * 60_000

/** What the service no longer gives to this person is no longer shown to them, and not kept: its page says that it is gone. */
const takeAway = (error: unknown, query: Query<unknown, unknown>) => {
  const status = statusOf(error)
  if (query.state.data !== undefined && (status === 400 || status === 404)) query.setState({ data: undefined })
}

/** What was loaded. The channel keeps it fresh, so nothing here grows old while it is connected. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: takeAway }),
  defaultOptions: {
    queries: {
      staleTime: 5 * 60_000,
      gcTime: keptMs,
      refetchOnWindowFocus: false,
      retry: (count, error) => !isLasting(error) && count < 3,
      retryDelay: (count, error) =>
        error instanceof AfterglowError && error.retryAfterSeconds
          ? error.retryAfterSeconds * 1000
          : Math.min(500 * 2 ** count, 5000),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** What keeps something from being shown: told as soon as waiting for the next try would look like nothing. */
export const troubleOf = ({
  error,
  failureCount,
  failureReason,
}: {
  error: unknown
  failureCount: number
  failureReason: unknown
}) => error ?? (failureCount > 1 || statusOf(failureReason) === 429 ? failureReason : null)

onlineManager.setEventListener(setOnline => online.follow(setOnline))

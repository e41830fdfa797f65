import { AfterglowError, isLasting } from '@afterglow/sdk/methods'
import { onlineManager, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { arrivals } from '../net/channel-listeners.ts'
import { statusOf } from '../net/client.ts'
import { online } from '../net/network.ts'

const keptMs = 7 * 24 * 60 * 60_000

/** Data the service no longer returns to this person is neither shown nor stored: its page says that it is gone. */
const takeAway = (error: unknown, query: Query<unknown, unknown>) => {
  const status = statusOf(error)
  if (query.state.data !== undefined && (status === 400 || status === 404)) query.setState({ data: undefined })
}

/** Without the channel, a page reloads its data when it is opened; not twice for parts of the same page. */
const openingMs = 5_000

/** How long data is fresh: for this time while the channel keeps it so. */
export const freshFor = (ms: number) => () => (arrivals.get() === 'live' ? ms : Math.min(ms, openingMs))

/** Loaded data. The channel keeps it fresh, so nothing here becomes stale while it is connected. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: takeAway }),
  defaultOptions: {
    queries: {
      staleTime: freshFor(5 * 60_000),
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

/**
 * The reason why something cannot be shown: reported as soon as waiting for a retry would look like nothing happens.
 */
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

import pg from 'pg'
import { vi } from 'vitest'

/** How many SQL statements the service sends while this runs; nothing else may run at the time. */
export const statementsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return sent.mock.calls.length
  } finally {
    sent.mockRestore()
  }
}

import pg from 'pg'
import { vi } from 'vitest'

/**
 * How many SQL statements the service sends while this runs; nothing else may run at the time.
 * The look-up of the caller's session is left out, as it happens once a second and not once a request.
 */
export const statementsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return sent.mock.calls.filter(([statement]) => !/\bdevices\b/.test(textOf(statement))).length
  } finally {
    sent.mockRestore()
  }
}

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : String((statement as { text?: unknown } | undefined)?.text)

import pg from 'pg'
import { vi } from 'vitest'

/**
 * Counts the SQL statements of requests while this runs; background work has connections of its own, whose name may be
 * given instead. The look-up of the caller's session is left out, as it is cached.
 */
export const statementsOf = async (work: () => Promise<unknown>, connections = 'afterglow'): Promise<number> =>
  (await textsOf(work, connections)).length

export const textsOf = async (work: () => Promise<unknown>, connections = 'afterglow'): Promise<string[]> => {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return sent.mock.calls
      .filter((_, at) => nameOf(sent.mock.contexts[at]) === connections)
      .map(([statement]) => textOf(statement))
      .filter(text => connections !== 'afterglow' || !/\bdevices\b/.test(text))
  } finally {
    sent.mockRestore()
  }
}

const nameOf = (client: unknown) =>
  (client as { connectionParameters: { application_name?: string } }).connectionParameters.application_name

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : String((statement as { text?: unknown } | undefined)?.text)

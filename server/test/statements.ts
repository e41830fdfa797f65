import pg from 'pg'
import { vi } from 'vitest'

/**
 * How many SQL statements requests cost while this runs; what runs apart from them has connections of its own.
 * The look-up of the caller's session is left out, as it happens once a second and not once a request.
 */
export const statementsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return sent.mock.calls.filter(
      ([statement], at) => isOfRequests(sent.mock.contexts[at]) && !/\bdevices\b/.test(textOf(statement)),
    ).length
  } finally {
    sent.mockRestore()
  }
}

const isOfRequests = (client: unknown) =>
  (client as { connectionParameters: { application_name?: string } }).connectionParameters.application_name ===
  'afterglow'

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : String((statement as { text?: unknown } | undefined)?.text)

import { AsyncLocalStorage } from 'node:async_hooks'

// For log lines only: no decision may depend on it. Entering it costs a request 0.2 µs.
const requests = new AsyncLocalStorage<string>()

/** Runs something on behalf of a request: every log line says so, and so do the jobs that it adds and theirs. */
export const askedBy = <Result>(request: string | undefined, work: () => Result): Result =>
  request === undefined ? work() : requests.run(request, work)

/** The ID of the request on whose behalf this runs, if there is one. */
export const requestNow = (): string | undefined => requests.getStore()

import { AsyncLocalStorage } from 'node:async_hooks'

// For lines of the log alone: nothing that is decided may depend on it. Entering it costs a request 0.2 µs.
const requests = new AsyncLocalStorage<string>()

/** Does something for a request: every line of the log says so, and so do the jobs that it adds and theirs. */
export const askedBy = <Result>(request: string | undefined, work: () => Result): Result =>
  request === undefined ? work() : requests.run(request, work)

/** The id of the request that this is done for, if it is for one. */
export const requestNow = (): string | undefined => requests.getStore()

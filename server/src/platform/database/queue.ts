import { waitedInVain } from './database-away.ts'

/**
 * Runs the transactions on one row, such as a chat, one after another. They would wait for its lock anyway, but each
 * would hold a database connection while waiting, and one busy chat would leave none for everybody else; for that
 * reason, nobody may enter with an open transaction. If one waited for the row in vain, those behind it are refused with
 * it.
 */
export const openQueue = <Row = number>() => {
  const lastOf = new Map<Row, Promise<unknown>>()
  return <Result>(rowId: Row, work: () => Promise<Result>): Promise<Result> => {
    const mine = (lastOf.get(rowId) ?? Promise.resolve()).then(work, fault =>
      waitedInVain(fault) ? Promise.reject(fault) : work(),
    )
    lastOf.set(rowId, mine)
    const leave = () => {
      if (lastOf.get(rowId) === mine) lastOf.delete(rowId)
    }
    mine.then(leave, leave)
    return mine
  }
}

/** Queues work on a row after everything before it. */
export type Queue = ReturnType<typeof openQueue<number>>

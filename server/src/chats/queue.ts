import { waitedInVain } from '../platform/database/database-away.ts'

/**
 * Runs the transactions on one chat one after another. They would wait for the chat's row lock anyway, but each would
 * hold a database connection while waiting, and one busy chat would leave none for everybody else; for that reason,
 * nobody may enter with an open transaction. If one waited for the chat in vain, those behind it are refused with it.
 */
export const openQueue = () => {
  const lastOf = new Map<number, Promise<unknown>>()
  return <Result>(chatId: number, work: () => Promise<Result>): Promise<Result> => {
    const mine = (lastOf.get(chatId) ?? Promise.resolve()).then(work, fault =>
      waitedInVain(fault) ? Promise.reject(fault) : work(),
    )
    lastOf.set(chatId, mine)
    const leave = () => {
      if (lastOf.get(chatId) === mine) lastOf.delete(chatId)
    }
    mine.then(leave, leave)
    return mine
  }
}

/** Queues work on a chat after everything before it. */
export type Queue = ReturnType<typeof openQueue>

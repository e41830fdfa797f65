import { waitedInVain } from '../platform/database/database-away.ts'

/**
 * Runs the transactions on one chat one after the other. They would wait for the chat's row lock anyway, but there each
 * that waits holds a database connection, and one busy chat would leave none for everybody else: so nobody comes here
 * with a transaction open. When one waited for the chat in vain, those behind it are refused with it.
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

/** Work on a chat, after what came before it. */
export type Queue = ReturnType<typeof openQueue>

import { type Db, type Transaction, transact } from '../platform/database.ts'

/**
 * Runs the transactions on one chat one after the other. They would wait for the chat's row lock anyway, but there each
 * that waits holds a database connection, and one busy chat would leave none for everybody else.
 */
export const openTurns = () => {
  const lastOf = new Map<number, Promise<unknown>>()
  return <Result>(db: Db, chatId: number, work: (tx: Transaction) => Promise<Result>): Promise<Result> => {
    // It has a connection already: in line it could wait for somebody who waits for one.
    if (db.isTransaction) return transact(db, work)
    const go = () => transact(db, work)
    const mine = (lastOf.get(chatId) ?? Promise.resolve()).then(go, go)
    lastOf.set(chatId, mine)
    const leave = () => {
      if (lastOf.get(chatId) === mine) lastOf.delete(chatId)
    }
    mine.then(leave, leave)
    return mine
  }
}

/** A transaction on a chat, after those before it. */
export type InTurn = ReturnType<typeof openTurns>

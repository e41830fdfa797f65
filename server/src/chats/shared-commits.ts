/*
 * Many requests, one commit. A commit's price is its flush to disk and the statement's start, and in one chat the row
 * lock that is held meanwhile: requests that arrive while statements are under way gather and go together in the next.
 * Measured (docs/decisions/shared-commits.md): TODO
 */

/** Beyond two, statements only share the same disk and cores; with one, the cores would idle through each flush. */
const statementsMax = 2
const actsMax = 128

type Waiting<Act, Done> = { act: Act; resolve(done: Done | undefined): void; reject(error: unknown): void }

/**
 * Runs acts of chats through `commit`, which does many in one statement and tells each act's result in the same order,
 * or undefined. An act starts at once while there is room; no chat is ever in two statements, so none waits for a lock
 * of ours. When a statement fails, its acts are done one by one, so that a bad one fails alone.
 */
export const shareCommits = <Act extends { chatId: number }, Done>(
  commit: (acts: readonly Act[]) => Promise<(Done | undefined)[]>,
): ((act: Act) => Promise<Done | undefined>) => {
  let waiting: Waiting<Act, Done>[] = []
  const busyChats = new Set<number>()
  let underWay = 0

  const startNext = () => {
    if (underWay === statementsMax || waiting.length === 0) return
    const batch: Waiting<Act, Done>[] = []
    const later: Waiting<Act, Done>[] = []
    for (const each of waiting) {
      const fits = batch.length < actsMax && !busyChats.has(each.act.chatId)
      ;(fits ? batch : later).push(each)
    }
    if (batch.length === 0) return
    waiting = later
    void run(batch)
  }

  const run = async (batch: readonly Waiting<Act, Done>[]) => {
    const chats = new Set(batch.map(({ act }) => act.chatId))
    underWay += 1
    for (const chat of chats) busyChats.add(chat)
    await settle(batch)
    for (const chat of chats) busyChats.delete(chat)
    underWay -= 1
    startNext()
  }

  const settle = async (batch: readonly Waiting<Act, Done>[]) => {
    try {
      const done = await commit(batch.map(({ act }) => act))
      for (const [at, { resolve }] of batch.entries()) resolve(done[at])
    } catch (error) {
      if (batch.length > 1 && wasRolledBack(error)) for (const each of batch) await settle([each])
      else for (const { reject } of batch) reject(error)
    }
  }

  return act =>
    new Promise((resolve, reject) => {
      waiting.push({ act, resolve, reject })
      startNext()
    })
}

/** The database itself says that the statement failed. After a cut connection nobody knows, and doing it again could double it. */
const wasRolledBack = (error: unknown) => (error as { severity?: string }).severity === 'ERROR'

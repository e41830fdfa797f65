import { online } from '../app/network.ts'
import { session } from '../app/session.ts'
import { isDone, kindOf, type Upload } from './upload.ts'
import { readDown, sent, strike, uploadLock, uploads, writeDown } from './upload-list.ts'
import { forgetSent, readSentBefore } from './uploaded-before.ts'

/*
 * Photos on their way. Each file is written down with its bytes before it leaves, so that neither a reload nor a dead
 * network loses one; large ones go on where they broke off.
 */

/** Takes files: from now on they will be sent, whatever happens to this page. */
export const enqueue = async (eventId: number, files: readonly File[]) => {
  const userId = session.get()?.userId
  if (userId === undefined) return
  const first = Math.max(Date.now(), (uploads.get().at(-1)?.at ?? 0) + 1)
  const taken = files.map((file, index): Upload => {
    const upload = { at: first + index, userId, eventId, file }
    return kindOf(file) ? { ...upload, state: 'waiting' } : { ...upload, state: 'refused', reason: 'type' }
  })
  if (!uploads.get().some(each => each.eventId === eventId)) forgetSent({ userId, eventId })
  uploads.set([...uploads.get(), ...taken])
  run()
  // One after the other, so that a phone need not hold all of them at once; what is sent meanwhile needs it no more.
  for (const { at } of taken) {
    const now = uploads.get().find(each => each.at === at)
    if (now && !isDone(now)) await writeDown({ ...now, state: 'waiting' })
    const then = uploads.get().find(each => each.at === at)
    if (!then || isDone(then)) await strike(at)
  }
}

export const sendAgain = (at: number) => {
  const found = uploads.get().find(each => each.at === at)
  if (!found) return
  const { reason: _, ...again } = { ...found, state: 'waiting' as const }
  uploads.set(uploads.get().map(each => (each.at === at ? again : each)))
  void writeDown(again)
  run()
}

/** Leaves files out that are not sent yet, and takes what is done from the list. */
export const dismiss = (gone: (upload: Upload) => boolean) => {
  for (const upload of uploads.get().filter(gone)) {
    void strike(upload.at)
    if (isDone(upload)) forgetSent(upload)
  }
  uploads.set(uploads.get().filter(each => !gone(each)))
}

/** Reads what an earlier page left behind and sends it. Returns how to stop. */
export const uploadWaiting = () => {
  void readLeft(session.get()?.userId)
  const stopFollowing = online.follow(reachable => reachable && run())
  return () => {
    stopFollowing()
    running?.abort()
    uploads.set([])
    sent.set(new Map())
  }
}

const readLeft = async (userId: number | undefined) => {
  // While another tab sends, what is written down is its work.
  if (navigator.locks && !(await navigator.locks.request(uploadLock, { ifAvailable: true }, async got => got !== null)))
    return
  const left = await readDown()
  const known = new Set(uploads.get().map(({ at }) => at))
  const mine = left.filter(each => each.userId === userId && !known.has(each.at))
  readSentBefore(mine)
  uploads.set([...mine, ...uploads.get()])
  run()
}

/** Its code; loaded ahead where photos are chosen, as the network may be gone when they are. */
export const sender = () => import('./uploading.ts')

let running: AbortController | undefined
/** The sender comes when there is something to send. */
const run = () => {
  if (running || !uploads.get().some(({ state }) => state === 'waiting')) return
  const stop = new AbortController()
  running = stop
  void sender()
    .then(({ sendUploads }) => sendUploads(stop.signal))
    .catch(() => {})
    .finally(() => {
      running = undefined
      // What was chosen while the last one was finishing; or its code did not arrive: then when there is a network.
      if (online.get()) setTimeout(run, 1000)
    })
}

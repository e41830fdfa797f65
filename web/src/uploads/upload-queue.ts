import { kindOf } from '@afterglow/sdk/files'
import { inOrderTaken, inShots } from '@afterglow/sdk/shots'
import { online } from '../app/net/network.ts'
import { session } from '../app/session.ts'
import { folderOf } from './folders.ts'
import { isDone, isLoose, type Upload, withoutBytes } from './upload.ts'
import { barriers, isDue, paused, setBarrier, setPaused } from './upload-barriers.ts'
import { holdBytes, holdName, thisTab } from './upload-files.ts'
import { readDown, sent, strike, strikeSafe, uploads, writeDown } from './upload-list.ts'
import { shareUploads } from './upload-tabs.ts'
import { forgetTally, isCounted } from './upload-tally.ts'

/*
 * Photos to be sent. Each file is stored with its bytes before it is sent, so that neither a reload nor a dead network
 * loses one; large ones continue where they stopped.
 */

const namesOf = ({ name, type, size }: File) => ({ name, type, size })

/** Accepts files, which will be sent from now on, whatever happens to this page. */
export const enqueue = async (eventId: number, files: readonly File[]) => {
  const userId = session.get()?.userId
  if (userId === undefined) return
  await holdName()
  const joined = await inShots(files, file => ({ ...namesOf(file), folder: folderOf(file), open: () => file }))
  const shots = await inOrderTaken(joined)
  const first = uploads.get().reduce((last, { at }) => Math.max(last, at + 1), Date.now())
  const taken = shots.map((files, index): Upload => {
    const at = first + index
    holdBytes(at, files)
    const upload = { at, userId, eventId, ...withoutBytes(files), holder: thisTab }
    return kindOf(files.file) ? { ...upload, state: 'waiting' } : { ...upload, state: 'refused', reason: 'type' }
  })
  if (!uploads.get().some(each => each.eventId === eventId)) forgetTally({ userId, eventId })
  setBarrier(eventId, undefined)
  uploads.set([...uploads.get(), ...taken])
  run()
  // One after another, so that a phone need not hold all of them at once; files sent meanwhile need no more memory.
  for (const { at } of taken) {
    const now = uploads.get().find(each => each.at === at)
    if (now && !isDone(now)) await writeDown({ ...now, state: 'waiting' })
    else if (now?.state === 'refused') await writeDown(now)
    const then = uploads.get().find(each => each.at === at)
    if (!then || (isDone(then) && then.state !== 'refused')) await strike(at)
  }
}

export const sendAgain = (at: number) => {
  const found = uploads.get().find(each => each.at === at)
  if (!found) return
  const { reason: _, said: __, ...again } = { ...found, state: 'waiting' as const }
  uploads.set(uploads.get().map(each => (each.at === at ? again : each)))
  void writeDown(again)
  goOn(found.eventId)
}

/** Continues after the service said that nothing more can be added to this album. */
export const goOn = (eventId: number) => {
  setBarrier(eventId, undefined)
  run()
}

/** Uploads in progress stop too; received bytes of a large file are kept. */
export const pause = () => setPaused(true)
export const resume = () => setPaused(false)

/** Drops files that have not been sent, and removes finished ones from the list. */
export const dismiss = (gone: (upload: Upload) => boolean) => {
  const going = uploads.get().filter(gone)
  uploads.set(uploads.get().filter(each => !gone(each)))
  for (const upload of going) {
    void strike(upload.at)
    if (!uploads.get().some(({ eventId }) => eventId === upload.eventId)) forgetTally(upload)
  }
}

/** Reads the uploads of an earlier page and sends them. Returns a function to stop. */
export const uploadWaiting = () => {
  const stop = new AbortController()
  const userId = session.get()?.userId
  uploads.set(uploads.get().filter(each => each.userId === userId))
  const stopFollowing = [
    shareUploads({ onTold: run, onLost: () => void readLeft(stop.signal) }),
    online.follow(reachable => reachable && run()),
    paused.follow(now => (now ? running?.abort() : run())),
    uploads.follow(warnBeforeLeaving),
  ]
  void readLeft(stop.signal)
  return () => {
    stop.abort()
    for (const stop of stopFollowing) stop()
    running?.abort()
    // A page without this queue may be opened in between; stored uploads are read again after it.
    uploads.set(uploads.get().filter(isLoose))
    sent.set(new Map())
    barriers.set(new Map())
    removeEventListener('beforeunload', warn)
  }
}

const readLeft = async (signal: AbortSignal) => {
  const userId = session.get()?.userId
  const left = await readDown()
  if (signal.aborted) return
  const known = new Set(uploads.get().map(({ at }) => at))
  const mine = left.filter(each => each.userId === userId && !known.has(each.at))
  uploads.set([...mine.filter(each => !isCounted(each)), ...uploads.get()])
  for (const safe of mine.filter(isCounted)) void strikeSafe(safe)
  run()
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault()
const warnBeforeLeaving = (all: readonly Upload[]) => {
  if (all.some(each => isLoose(each) && each.holder === thisTab)) addEventListener('beforeunload', warn)
  else removeEventListener('beforeunload', warn)
}

/** The sender's code; loaded ahead where photos are chosen, because the network may be gone by then. */
export const sender = () => import('./send-uploads.ts')

let running: AbortController | undefined
/** The sender is loaded when there is something to send. */
const run = () => {
  if (running || paused.get() || !uploads.get().some(isDue)) return
  const stop = new AbortController()
  running = stop
  void sender()
    .then(({ sendUploads }) => sendUploads(stop.signal))
    .catch(() => {})
    .finally(() => {
      running = undefined
      // A file was chosen while the last one was finishing; or the code did not arrive: then once there is a network.
      if (online.get()) setTimeout(run, 1000)
    })
}

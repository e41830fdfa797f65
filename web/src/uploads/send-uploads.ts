import { type Lanes, sendThrough } from '@afterglow/sdk/lanes'
import { online } from '../app/net/network.ts'
import { session } from '../app/session.ts'
import type { Upload } from './upload.ts'
import { attempt } from './upload-attempt.ts'
import { isDue } from './upload-barriers.ts'
import { change, sent, uploadLock, uploads } from './upload-list.ts'

const pauseMinMs = 1000
const pauseMaxMs = 30_000

/** Sends all due uploads, several at once, until nothing is left. Only one tab does so. */
export const sendUploads = async (stop: AbortSignal): Promise<void> => {
  if (!navigator.locks) return sendDue(stop)
  await navigator.locks.request(uploadLock, { signal: stop }, () => {
    takeOver()
    return sendDue(stop)
  })
}

/** Takes over the uploads of a closed tab. */
const takeOver = () => {
  sent.set(new Map())
  uploads.set(uploads.get().map(each => (each.state === 'sending' ? { ...each, state: 'waiting' } : each)))
}

const sendDue = (stop: AbortSignal) => {
  const next = () => {
    const due = stop.aborted ? undefined : uploads.get().find(isDue)
    return due && session.get()?.userId === due.userId ? due : undefined
  }
  return sendThrough(next, (upload, lanes) => sendOne(upload, lanes, stop), uploads.follow)
}

let pauseMs = pauseMinMs

const sendOne = async (upload: Upload, lanes: Lanes, stop: AbortSignal) => {
  await change(upload.at, { state: 'sending' })
  const outcome = await attempt(upload, lanes, stop)
  if (outcome === 'done') pauseMs = pauseMinMs
  else await change(upload.at, { state: 'waiting' })
  if (outcome !== 'again') return
  lanes.broke()
  await reachableOrAfter(pauseMs, stop)
  pauseMs = Math.min(pauseMs * 2, pauseMaxMs)
}

const reachableOrAfter = (ms: number, stop: AbortSignal) =>
  new Promise<void>(resolve => {
    const done = () => {
      clearTimeout(timer)
      stopFollowing()
      resolve()
    }
    const timer = setTimeout(done, ms)
    const stopFollowing = online.follow(reachable => reachable && done())
    stop.addEventListener('abort', done, { once: true })
  })

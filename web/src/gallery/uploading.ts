import { uploadPhoto } from '@afterglow/sdk/upload'
import { applyChanges } from '../app/change.ts'
import { connection, isPassing, statusOf } from '../app/client.ts'
import { online, reached, unreachable } from '../app/network.ts'
import { queryClient } from '../app/query.ts'
import { explained } from '../app/refused.ts'
import { endIfStill, session } from '../app/session.ts'
import { tooBig } from '../app/upload-limits.ts'
import { stillOf } from './film-still.ts'
import { hearGallery } from './hearing.ts'
import { inAlbum } from './known-uploads.ts'
import { kindOf, refusalOf, type Upload } from './upload.ts'
import { change, sent, uploadLock, uploads } from './upload-list.ts'

const atOnce = 2
const retryDelays = [0, 1000, 3000]
const pauseMaxMs = 30_000
/** Not the client's own fetch: in its place the library takes XMLHttpRequest, which tells how far it is. */
const direct = { baseUrl: connection.baseUrl, token: connection.token, extra: true }

/** Sends what waits, some at once, until nothing does. One tab does it. */
export const sendUploads = async (stop: AbortSignal): Promise<void> => {
  const work = async () => {
    await Promise.all(Array.from({ length: atOnce }, () => sendOneByOne(stop)))
  }
  await (navigator.locks ? navigator.locks.request(uploadLock, { signal: stop }, work) : work())
}

const sendOneByOne = async (stop: AbortSignal) => {
  let pause = 1000
  while (!stop.aborted) {
    const next = uploads.get().find(({ state }) => state === 'waiting')
    if (!next || session.get()?.userId !== next.userId) return
    await change(next.at, { state: 'sending' })
    const again = await send(next, stop)
    if (!again) {
      pause = 1000
      continue
    }
    await change(next.at, { state: 'waiting' })
    await reachableOrAfter(pause, stop)
    pause = Math.min(pause * 2, pauseMaxMs)
  }
}

/** Whether it must be tried again. */
const send = async (upload: Upload, signal: AbortSignal): Promise<boolean> => {
  const { at, eventId, file } = upload
  const token = connection.token()
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch {
    await change(at, { state: 'refused', reason: 'unreadable' })
    return false
  }
  const film = kindOf(file) === 'film'
  const said = await tooBig(file, film ? 'video' : 'image')
  if (said) {
    await change(at, { state: 'refused', reason: 'tooBig', said })
    return false
  }
  try {
    if (await inAlbum(upload)) {
      await change(at, { state: 'already' })
      return false
    }
    const files = film ? { image: await stillOf(file), video: file } : { image: file }
    const onProgress = (bytes: number) => sent.set(new Map(sent.get()).set(at, bytes))
    const photo = await uploadPhoto(direct, { event_id: eventId, ...files }, { signal, onProgress, retryDelays })
    reached()
    applyChanges(queryClient, hearGallery({ kind: 'photo.created', payload: photo }, photo.taken_by.id))
    await change(at, { state: 'safe' })
    return false
  } catch (error) {
    if (signal.aborted) return false
    if (statusOf(error) === 401) {
      if (token) endIfStill(token)
      return true
    }
    if (statusOf(error) === undefined) unreachable()
    if (isPassing(error)) return true
    await explained()
    await change(at, { state: 'refused', ...refusalOf(error) })
    return false
  } finally {
    const rest = new Map(sent.get())
    rest.delete(at)
    sent.set(rest)
  }
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

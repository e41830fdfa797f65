import { isRawName, kindOf } from '@afterglow/sdk/files'
import type { Lanes } from '@afterglow/sdk/lanes'
import { isLasting } from '@afterglow/sdk/methods'
import { type Beside, uploadPhoto } from '@afterglow/sdk/upload'
import { isBarrier } from '@afterglow/sdk/upload-refusals'
import { applyChanges } from '../app/cache/change.ts'
import { queryClient } from '../app/cache/query.ts'
import { connection, statusOf } from '../app/net/client.ts'
import { reached, unreachable } from '../app/net/network.ts'
import { explained } from '../app/net/refusal-message.ts'
import { tooBig } from '../app/net/upload-limits.ts'
import { endIfStill } from '../app/session.ts'
import { t } from '../app/words.ts'
import { onGalleryEvent } from '../gallery/reducer.ts'
import { sayFailure } from '../ui/failure.ts'
import { say } from '../ui/layers/toasts.ts'
import { inAlbum } from './album-check.ts'
import { stillOf } from './film-still.ts'
import { type Files, filesOf, refusalOf, type Upload, whyOf } from './upload.ts'
import { setBarrier } from './upload-barriers.ts'
import { openFiles } from './upload-files.ts'
import { change, leaveOut, sent } from './upload-list.ts'

const retryDelays = [0, 1000, 3000]
/** Not the client's own fetch: instead the library uses XMLHttpRequest, which reports progress. */
const direct = { baseUrl: connection.baseUrl, token: connection.token, extra: true as const }

/** `held`: it is waiting for a person, or was stopped. `again`: it did not get through. */
type Outcome = 'done' | 'held' | 'again'

/** Sends one upload, once. */
export const attempt = async (upload: Upload, lanes: Lanes, signal: AbortSignal): Promise<Outcome> => {
  const { at, eventId } = upload
  const token = connection.token()
  const files = await readable(upload)
  if (!files) {
    await change(at, { state: 'refused', reason: 'unreadable' })
    return 'done'
  }
  const { file, raw, live } = files
  const isVideo = kindOf(file) === 'video'
  const bytesKind = (each: File) => (isVideo ? 'video' : isRawName(each.name) ? 'raw' : 'image')
  const said = await tooBig(file, bytesKind(file))
  if (said) {
    await change(at, { state: 'refused', reason: 'tooBig', said })
    return 'done'
  }
  for (const beside of ['raw', 'live'] as const) {
    const each = files[beside]
    const said = each && (await tooBig(each, bytesKind(each)))
    if (said) return attempt(await leaveOut(upload, beside, said), lanes, signal)
  }
  try {
    if (await inAlbum(upload)) {
      await change(at, { state: 'already' })
      return 'done'
    }
    const parts = isVideo ? { image: await stillOf(file), video: file } : { image: file, raw, live }
    let before = 0
    const onProgress = (bytes: number) => {
      lanes.passed(Math.max(bytes - before, 0))
      before = bytes
      sent.set(new Map(sent.get()).set(at, bytes))
    }
    const onLeftOut = (kind: Beside, refusal: unknown) => void leaveOut(upload, kind, whyOf(refusalOf(refusal, kind)))
    const photo = await uploadPhoto(
      direct,
      { event_id: eventId, ...parts },
      { signal, onProgress, onLeftOut, retryDelays },
    )
    reached()
    applyChanges(queryClient, onGalleryEvent({ kind: 'photo.created', payload: photo }, photo.taken_by.id))
    if (photo.extra.incomplete) say(t('photo.incomplete', { name: file.name }))
    const sameAs = photo.extra.same_as
    await change(at, { state: 'safe', ...(sameAs && { twin: { id: photo.id, sameAs } }) })
    return 'done'
  } catch (error) {
    return await afterFailure(error, upload, { signal, token, isVideo })
  } finally {
    const rest = new Map(sent.get())
    rest.delete(at)
    sent.set(rest)
  }
}

type Attempt = { signal: AbortSignal; token: string | undefined; isVideo: boolean }

const afterFailure = async (
  error: unknown,
  { at, eventId }: Upload,
  { signal, token, isVideo }: Attempt,
): Promise<Outcome> => {
  if (signal.aborted) return 'held'
  if (statusOf(error) === 401) {
    if (token) endIfStill(token)
    return 'again'
  }
  if (statusOf(error) === undefined) unreachable()
  if (!isLasting(error)) {
    if ((statusOf(error) ?? 0) >= 500) sayFailure(error)
    return 'again'
  }
  await explained()
  const refused = refusalOf(error, isVideo ? 'video' : 'image')
  if (isBarrier(refused.reason)) {
    setBarrier(eventId, refused)
    return 'held'
  }
  await change(at, { state: 'refused', ...refused })
  return 'done'
}

const readable = async (upload: Upload): Promise<Files | undefined> => {
  try {
    const files = await openFiles(upload)
    for (const each of files ? filesOf<File>(files) : []) await each.slice(0, 1).arrayBuffer()
    return files
  } catch {
    return undefined
  }
}

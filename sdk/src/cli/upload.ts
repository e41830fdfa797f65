import type { Connection } from '../call.ts'
import { type Afterglow, afterglow } from '../client.ts'
import { AfterglowError, isLasting } from '../failure.ts'
import { type Lanes, sendThrough } from '../lanes.ts'
import { patiently, retryDelaysMs } from '../retry.ts'
import { type Uploading as Following, uploadPhoto } from '../upload.ts'
import { type FileKind, isBarrier, type UploadRefusal, uploadRefusal } from '../upload-refusals.ts'
import { type FolderFile, type FolderShot, fileOf, filesOf, sha256Of } from './folder.ts'
import type { Journal } from './journal.ts'
import { plainStill } from './placeholder-still.ts'

const checkedTogether = 200

export type Uploading = { connection: Connection; eventId: number; journal: Journal; signal: AbortSignal }

/**
 * Finds files that are already in the album, by their bytes; duplicates within the folder count as one. Each is read
 * once, unless it changes.
 */
export const sortOut = async (
  { connection, eventId, journal, signal }: Uploading,
  found: readonly FolderShot[],
  onRead: (files: number) => void,
) => {
  const api: Afterglow = afterglow(connection)
  const bySum = new Map<string, FolderShot>()
  /** The hash of the photo that each companion file belongs to, by the companion’s own hash. */
  const beside = new Map<string, string>()
  const already: FolderShot[] = []
  const unreadable: FolderFile[] = []
  const sumOf = async (file: FolderFile) => {
    const known = journal.sumOf(file)
    if (known !== undefined) return known
    const sum = await sha256Of(file).catch(() => undefined)
    if (sum !== undefined) journal.keepSum(file, sum)
    return sum
  }
  for (const [at, file] of found.entries()) {
    signal.throwIfAborted()
    const [sum, ...more] = await inTurn(filesOf(file), sumOf)
    onRead(at + 1)
    if (sum === undefined || more.includes(undefined)) unreadable.push(file)
    else if (bySum.has(sum)) already.push(file)
    else {
      bySum.set(sum, file)
      for (const each of more) if (each !== undefined) beside.set(each, sum)
    }
  }
  const sums = [...bySum.keys(), ...beside.keys()]
  const known = new Map<string, boolean>()
  for (let from = 0; from < sums.length; from += checkedTogether) {
    const sha256 = sums.slice(from, from + checkedTogether)
    const asked = () => api.gallery.checkUploads({ event_id: eventId, sha256 }, { signal })
    for (const { sha256: sum, mine } of (await patiently(asked, retryDelaysMs, signal)).known) known.set(sum, mine)
  }
  // Files that belong to somebody else's photo are not accepted.
  const lacking = new Set([...beside].flatMap(([sum, of]) => (known.has(sum) || known.get(of) === false ? [] : [of])))
  for (const [sum, file] of bySum)
    if (known.has(sum) && !lacking.has(sum)) {
      already.push(file)
      bySum.delete(sum)
    }
  return { missing: [...bySum.values()], already, unreadable }
}

const inTurn = async <Item, Made>(items: readonly Item[], make: (item: Item) => Promise<Made>) => {
  const made: Made[] = []
  for (const item of items) made.push(await make(item))
  return made
}

export type Outcome = {
  safe: number
  /** Possibly just a companion file, whose photo was added without it. */
  refused: { file: FolderFile; refusal: UploadRefusal }[]
  /** Not sent, and why: the same command continues with them. */
  left: number
  stopped?: UploadRefusal | 'away'
}
type Telling = {
  onBytes(more: number): void
  onSafe(): void
  onRefused(file: FolderFile, refusal: UploadRefusal): void
  /** It ends before its picture does, and is in the album as far as it goes. */
  onIncomplete(file: FolderFile): void
}

/**
 * Sends files, two to four at once, until all are in the album, or nothing more can be added, or the service remains
 * unreachable.
 */
export const sendAll = async (
  uploading: Uploading,
  files: readonly FolderShot[],
  telling: Telling,
): Promise<Outcome> => {
  const outcome: Outcome = { safe: 0, refused: [], left: 0 }
  const waiting = [...files]
  const refuse = (file: FolderFile, refusal: UploadRefusal) => {
    outcome.refused.push({ file, refusal })
    telling.onRefused(file, refusal)
  }
  const failed = (file: FolderShot, fault: unknown) => {
    if (uploading.signal.aborted) return waiting.unshift(file)
    if (!isLasting(fault) && !isUnreadable(fault)) {
      outcome.stopped ??= 'away'
      return waiting.unshift(file)
    }
    const refusal = isUnreadable(fault)
      ? ({ reason: 'other', sentence: 'The file cannot be read' } as const)
      : refusalOf(fault, file.kind === 'video' ? 'video' : 'image')
    if (isBarrier(refusal.reason)) {
      outcome.stopped ??= refusal
      return waiting.unshift(file)
    }
    return refuse(file, refusal)
  }
  const send = async (file: FolderShot, lanes: Lanes) => {
    let before = 0
    const onProgress = (sent: number) => {
      lanes.passed(Math.max(0, sent - before))
      telling.onBytes(sent - before)
      before = sent
    }
    try {
      const photo = await sendOne(uploading, file, {
        onProgress,
        onLeftOut: (kind, refusal) => file[kind] && refuse(file[kind], uploadRefusal(refusal, kind)),
      })
      if (photo.extra.incomplete) telling.onIncomplete(file)
      outcome.safe += 1
      telling.onSafe()
    } catch (fault) {
      telling.onBytes(-before)
      failed(file, fault)
    }
  }
  await sendThrough(() => (uploading.signal.aborted || outcome.stopped ? undefined : waiting.shift()), send)
  return { ...outcome, left: waiting.length }
}

const sendOne = async (
  { connection, eventId, journal, signal }: Uploading,
  found: FolderShot,
  following: Pick<Following, 'onProgress' | 'onLeftOut'>,
) => {
  const file = await fileOf(found)
  const files =
    found.kind === 'video'
      ? { image: new File([plainStill], 'still.jpg', { type: 'image/jpeg' }), video: file }
      : {
          image: file,
          ...(found.raw && { raw: await fileOf(found.raw) }),
          ...(found.live && { live: await fileOf(found.live) }),
        }
  const upload = { event_id: eventId, ...files }
  const withExtra = { ...connection, extra: true as const }
  return uploadPhoto(withExtra, upload, { signal, ...following, urlStorage: journal.sessions })
}

/** It changed or disappeared while it was read. */
const isUnreadable = (fault: unknown) =>
  fault instanceof Error &&
  (fault.name === 'NotReadableError' || /^(?:ENOENT|EACCES|EIO)/.test((fault as { code?: string }).code ?? ''))

const refusalOf = (fault: unknown, kind: FileKind): UploadRefusal =>
  fault instanceof AfterglowError && fault.status === 401
    ? { reason: 'notAllowed', sentence: fault.message }
    : uploadRefusal(fault, kind)

import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { isInEvent } from '../events/standing.ts'
import type { Database, Db } from '../platform/database.ts'
import { endingOf } from '../platform/media/endings.ts'
import { forgetSum, keepSums } from '../platform/media/file-sums.ts'
import { type ByteRange, NotStored, type Storage } from '../platform/media/storage.ts'
import type { Entry } from '../platform/zip/records.ts'
import { type Contents, ZipChanged } from '../platform/zip/stream.ts'
import * as store from './album-store.ts'

type AlbumEntry = Entry & { sha256: string | null; note: Buffer }

const photosAtOnce = 500
const lookEveryMs = 1_000
const nothing = Buffer.alloc(0)
const lost = Buffer.from('The file of this photo is missing on the server.\n')

/**
 * A selection of an album as the contents of a zip. Reading it throws ZipChanged as soon as the viewer is no longer in
 * the event, or a file is not there: then the next layout has a note in its place.
 */
export const albumContents = (
  { db, storage }: { db: Database; storage: Storage },
  selection: store.Selection,
  timezone: string,
): Contents<AlbumEntry> => {
  const localTimeOf = localTimesIn(timezone)
  const stillIn = watchStanding(db, selection)

  return {
    async *entries() {
      let after = 0
      for (;;) {
        const photos = await store.listAlbum(db, selection, after, photosAtOnce)
        for (const photo of photos) {
          const at = photo.taken_local ? clockOf(photo.taken_local) : localTimeOf(photo.created_at)
          const sum = photo.crc32 ?? (await sumOf(db, storage, photo))
          yield sum === undefined ? noteOn(photo, at) : entryOf(photo, at, sum)
        }
        const last = photos.at(-1)
        if (!last || photos.length < photosAtOnce) return
        after = last.sequence
      }
    },

    async open({ sha256, note }, range) {
      await stillIn()
      if (sha256 === null) return Readable.from([note.subarray(range.start, range.end + 1)])
      return Readable.from(watched(await opened(db, storage, sha256, range), stillIn), { objectMode: false })
    },
  }
}

const entryOf = (photo: store.AlbumPhoto, at: Date, crc32: number): AlbumEntry => ({
  name: `${nameOf(photo, at)}.${endingOf(photo.type)}`,
  bytes: photo.bytes,
  crc32,
  at,
  sha256: photo.sha256,
  note: nothing,
})

const noteOn = (photo: store.AlbumPhoto, at: Date): AlbumEntry => ({
  name: `${nameOf(photo, at)}.missing.txt`,
  bytes: lost.length,
  crc32: crc32(lost),
  at,
  sha256: null,
  note: lost,
})

/** `2026-11-20_21-04-11_olivia_123`. Usernames are letters, digits, dots, hyphens and underscores. */
const nameOf = ({ id, username }: store.AlbumPhoto, at: Date) => {
  const time = at.toISOString().slice(0, 19).replace('T', '_').replaceAll(':', '-')
  return `${time}_${username.replaceAll(/[^A-Za-z0-9._-]/g, '_')}_${id}`
}

/** What a clock showed, wherever it was, as if that were UTC. */
const clockOf = (local: string) => new Date(`${local.slice(0, 19)}Z`)

/** A moment as the clocks of a zone showed it, as if that were UTC. */
const localTimesIn = (timeZone: string) => {
  // Swedish writes dates as ISO does.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (moment: Date) => new Date(`${format.format(moment).replace(' ', 'T')}Z`)
}

/** The sum of a file that has none yet; undefined when the file is not there, or not as long as its row says. */
const sumOf = async (db: Db, storage: Storage, { sha256, bytes }: store.AlbumPhoto) => {
  try {
    const { stream, bytes: found } = await storage.open(sha256)
    if (found !== bytes) {
      stream.destroy()
      return undefined
    }
    let sum = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) sum = crc32(chunk, sum)
    await keepSums(db, [{ sha256, crc32: sum }])
    return sum
  } catch (error) {
    if (error instanceof NotStored) return undefined
    throw error
  }
}

const opened = async (db: Db, storage: Storage, sha256: string, range: ByteRange) => {
  try {
    return (await storage.open(sha256, range)).stream
  } catch (error) {
    if (!(error instanceof NotStored)) throw error
    await forgetSum(db, sha256)
    throw new ZipChanged('A file of the album is missing.')
  }
}

/** Throws ZipChanged once the viewer has lost the event; asks at most once a second. */
const watchStanding = (db: Db, { viewerId, eventId }: store.Selection) => {
  let looked = 0
  return async () => {
    if (Date.now() - looked < lookEveryMs) return
    looked = Date.now()
    const album = await store.findAlbum(db, viewerId, eventId)
    if (!album || !isInEvent(album.standing)) throw new ZipChanged('The viewer is no longer in the event.')
  }
}

/** A film takes minutes: who loses the event meanwhile does not get the rest. */
async function* watched(stream: Readable, stillIn: () => Promise<void>) {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    await stillIn()
    yield chunk
  }
}

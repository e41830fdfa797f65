import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { can } from '@afterglow/contract/capabilities'
import type { Database, Db } from '../platform/database/database.ts'
import { endingOf } from '../platform/media/file-extensions.ts'
import { numbered, shortened } from '../platform/media/file-name.ts'
import { forgetSum, keepSums } from '../platform/media/file-sums.ts'
import type { FullSizes } from '../platform/media/full-size.ts'
import { fullTypeOf } from '../platform/media/pictures/raw.ts'
import { type ByteRange, NotStored, type Storage } from '../platform/media/storage/storage.ts'
import { openPieces, readableOf } from '../platform/media/structure/open-pieces.ts'
import type { Piece } from '../platform/media/structure/pieces.ts'
import type { FullSize } from '../platform/media/structure/read-structure.ts'
import type { Contents } from '../platform/zip/layout.ts'
import type { Entry } from '../platform/zip/records.ts'
import { ZipChanged } from '../platform/zip/stream.ts'
import { toTakeHome } from './access.ts'
import * as store from './album-store.ts'

type AlbumEntry = Entry & {
  sha256: string | null
  pieces: readonly Piece[] | null
  note: Buffer
  /** Set for a file that accompanies its picture. */
  beside: 'raw' | 'moment' | null
}
type AlbumFile = Omit<AlbumEntry, 'name' | 'at'> & { ending: string }

const notInAlbum = 'Not in the album/'
const photosAtOnce = 500
const lookEveryMs = 1_000
const nothing = Buffer.alloc(0)
const lost = Buffer.from('The file of this photo is missing on the server.\n')
const noted = {
  sha256: null,
  bytes: lost.length,
  crc32: crc32(lost),
  pieces: null,
  note: lost,
  ending: 'missing.txt',
}

/**
 * A selection of an album as the contents of a zip. Reading it throws ZipChanged as soon as the viewer is no longer in
 * the event or no longer an organizer, or if a file is missing: the next layout then has a note in its place.
 */
export const albumContents = (
  { db, storage, fullSizes }: { db: Database; storage: Storage; fullSizes: Pick<FullSizes, 'follow'> },
  selection: store.Selection,
  timezone: string,
): Contents<AlbumEntry> => {
  const localTimeOf = localTimesIn(timezone)
  const stillIn = watchStanding(db, selection)

  /** The announced size must be exact: photos not analysed yet are analysed first. */
  const followed = async (photos: store.AlbumPhoto[], after: number) => {
    const unread = photos.filter(({ unread }) => unread)
    if (unread.length === 0) return photos
    await fullSizes.follow(unread.map(({ media_id }) => media_id))
    return store.listAlbum(db, selection, after, photosAtOnce)
  }

  return {
    async *entries() {
      let after = 0
      const unused = numbered()
      for (;;) {
        const photos = await followed(await store.listAlbum(db, selection, after, photosAtOnce), after)
        for (const photo of photos) {
          const at = photo.taken_local ? clockOf(photo.taken_local) : localTimeOf(photo.created_at)
          const files: AlbumFile[] = []
          for (const file of filesOf(photo)) files.push(fileOf(file, file.crc32 ?? (await sumOf(db, storage, file))))
          const folder = photo.hidden ? notInAlbum : ''
          const name = unused(`${folder}${nameOf(photo, at)}`, ...files.map(({ ending }) => ending))
          for (const { ending, ...file } of files) yield { ...file, name: `${name}.${ending}`, at }
        }
        const last = photos.at(-1)
        if (!last || photos.length < photosAtOnce) return
        after = last.sequence
      }
    },

    async open({ sha256, pieces, note }, range) {
      await stillIn()
      if (sha256 === null) return Readable.from([note.subarray(range.start, range.end + 1)])
      const file = await opened(db, storage, { sha256, pieces }, range)
      return readableOf(watched(file, stillIn), file)
    },
  }
}

type StoredFile = Pick<AlbumEntry, 'beside'> & {
  sha256: string
  bytes: number
  crc32: number | null
  /** The part to download; null: everything. */
  full: FullSize | null
  ending: string
}

/** The picture, followed by its RAW and its film. */
const filesOf = ({ full_size: full, raw, moment, ...photo }: store.AlbumPhoto): StoredFile[] => {
  const ending = endingOf(full ? fullTypeOf(photo.type) : photo.type)
  const picture = { sha256: photo.sha256, bytes: photo.stored_bytes, crc32: photo.crc32, full, ending, beside: null }
  const following = (file: store.AlbumPhoto['raw'], crc32: number | null, beside: 'raw' | 'moment'): StoredFile[] =>
    file ? [{ ...file, crc32, full: null, ending: endingOf(file.type), beside }] : []
  return [picture, ...following(raw, photo.raw_crc32, 'raw'), ...following(moment, photo.moment_crc32, 'moment')]
}

/** `crc32`: of the stored file, which is the entry's checksum unless that is in pieces. */
const fileOf = ({ sha256, bytes, full, ending, beside }: StoredFile, crc32: number | undefined): AlbumFile =>
  crc32 === undefined
    ? { ...noted, ending: beside ? `${ending}.${noted.ending}` : noted.ending, beside }
    : {
        sha256,
        bytes: full?.bytes ?? bytes,
        crc32: full?.crc32 ?? crc32,
        pieces: full?.pieces ?? null,
        note: nothing,
        ending,
        beside,
      }

/** `2027-06-21 21-04-11 Anna DSC_0412`, in at most 200 bytes. */
const nameOf = ({ first_name, file_name }: store.AlbumPhoto, at: Date) => {
  const time = at.toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-')
  return [time, shortened(first_name, 60), shortened(file_name ?? '', 118)].filter(part => part !== '').join(' ')
}

/** Reads a local time, in whatever time zone, as if it were UTC. */
const clockOf = (local: string) => new Date(`${local.slice(0, 19)}Z`)

/** Reads a moment in a time zone's local time, as if it were UTC. */
const localTimesIn = (timeZone: string) => {
  // Swedish formats dates like ISO.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (moment: Date) => new Date(`${format.format(moment).replace(' ', 'T')}Z`)
}

/**
 * The checksum of a file that has none yet; undefined if the file is missing, or has a different length than its row
 * says.
 */
const sumOf = async (db: Db, storage: Storage, { sha256, bytes }: StoredFile) => {
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

const opened = async (
  db: Db,
  storage: Storage,
  { sha256, pieces }: { sha256: string; pieces: readonly Piece[] | null },
  range: ByteRange,
) => {
  try {
    return pieces ? await openPieces(storage, sha256, pieces, range) : (await storage.open(sha256, range)).stream
  } catch (error) {
    if (!(error instanceof NotStored)) throw error
    await forgetSum(db, sha256)
    throw new ZipChanged('A file of the album is missing.')
  }
}

/**
 * Throws ZipChanged once the viewer has lost access to the event, or may no longer see hidden photos; checks at most
 * once a second.
 */
const watchStanding = (db: Db, { viewerId, eventId, takenBy }: store.Selection) => {
  let looked = 0
  let had = false
  return async () => {
    if (Date.now() - looked < lookEveryMs) return
    looked = Date.now()
    const { standing } = (await store.findAlbum(db, viewerId, eventId)) ?? { standing: 'none' as const }
    const has = can(standing, 'seeHidden') && can(standing, 'haveOriginals')
    if (!can(standing, toTakeHome(takenBy === viewerId)) || (had && !has))
      throw new ZipChanged('The viewer may have less of the event than before.')
    had = has
  }
}

/** A video takes minutes: a viewer who loses access meanwhile does not get the rest. */
async function* watched(stream: Readable, stillIn: () => Promise<void>) {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    await stillIn()
    yield chunk
  }
}

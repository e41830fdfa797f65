import { sql } from 'kysely'
import type { Urls } from '../http/urls.ts'
import { nameToSave } from './file-name.ts'
import { fullTypeOf } from './raw.ts'

/** What is known about a picture besides its displayed sizes: columns of a query with `media picture`. */
export const originalColumns = sql`
  picture.id as media_id, picture.file_name, picture.original_type, (picture.full_size ->> 'bytes')::bigint as full_bytes,
  picture.variants -> 'video' as film, picture.variants -> 'source' as film_source, picture.variants -> 'raw' as raw, picture.variants -> 'live' as live,
  picture.variants -> 'motion' is not null as moves`

export type OriginalRow = {
  media_id: number
  width: number
  height: number
  file_name: string | null
  original_type: string
  /** Null if it has not been analysed yet. */
  full_bytes: number | null
  film: { bytes: number; type: string; width: number; height: number } | null
  /** The same in its uploaded resolution, if that is larger. */
  film_source: { bytes: number; type: string; width: number; height: number } | null
  raw: { bytes: number; type: string } | null
  live: { bytes: number; type: string } | null
  /** Its video part can be played. */
  moves: boolean
}

/**
 * The links to a picture in screen and full size. `isFilm`: it is the poster image of a video, which nobody wants by
 * itself.
 */
export const presentShown = (row: OriginalRow, urls: Urls, epoch: number, isFilm = false) => ({
  screen_url: urls.media(row.media_id, 'display', epoch),
  original: originalOf(row, urls, epoch, isFilm),
})

const originalOf = (row: OriginalRow, urls: Urls, epoch: number, isFilm: boolean) => {
  const { media_id: id, file_name, full_bytes: bytes, film, film_source: source, width, height } = row
  const type = fullTypeOf(row.original_type)
  const named = (type: string) => ({ name: nameToSave({ id, file_name }, type), type })
  if (film) {
    const { bytes, type, width, height } = source ?? film
    return { url: urls.media(id, source ? 'source' : 'video', epoch), bytes, width, height, ...named(type) }
  }
  return bytes && !isFilm ? { url: urls.media(id, 'original', epoch), bytes, width, height, ...named(type) } : null
}

/** A file that came with the picture, unchanged, with all its metadata: for the uploader and organizers. */
export const presentBeside = (row: OriginalRow, which: 'raw' | 'live', urls: Urls, epoch: number) => {
  const { media_id: id, file_name, [which]: file } = row
  return (
    file && {
      url: urls.media(id, which, epoch),
      bytes: file.bytes,
      name: nameToSave({ id, file_name }, file.type),
      type: file.type,
    }
  )
}

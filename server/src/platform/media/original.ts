import { sql } from 'kysely'
import type { Urls } from '../http/urls.ts'
import { endingOf } from './file-extensions.ts'
import { nameToSave } from './file-name.ts'
import { fullTypeOf } from './pictures/raw.ts'

/** The facts about a picture besides its displayed sizes: columns of a query with `media picture`. */
export const originalColumns = sql`
  picture.id as media_id, picture.file_name, picture.original_type, (picture.full_size ->> 'bytes')::bigint as full_bytes,
  picture.full_size -> 'incomplete' is not null as incomplete, picture.variants -> 'full' as whole,
  picture.variants -> 'video' as film, picture.variants -> 'source' as film_source, picture.variants -> 'raw' as raw, picture.variants -> 'live' as live,
  picture.variants -> 'motion' is not null as moves, picture.variants #>> '{display,type}' as display_type,
  picture.variants #>> '{preview,type}' as preview_type`

export type OriginalRow = {
  media_id: number
  width: number
  height: number
  file_name: string | null
  original_type: string
  /** Null if it has not been analysed yet. */
  full_bytes: number | null
  /** The file ended before the picture. */
  incomplete: boolean
  /** Re-encoded in full size. */
  whole: { bytes: number; type: string; width: number; height: number } | null
  film: { bytes: number; type: string; width: number; height: number } | null
  /** The same in its uploaded resolution, if that is larger. */
  film_source: { bytes: number; type: string; width: number; height: number } | null
  raw: { bytes: number; type: string } | null
  live: { bytes: number; type: string } | null
  /** Its video part can be played. */
  moves: boolean
  display_type: string
  preview_type: string
}

/**
 * The links to a picture in screen and full size. `isFilm`: it is the poster image of a video, which nobody wants by
 * itself.
 */
export const presentShown = (row: OriginalRow, urls: Urls, epoch: number, isFilm = false) => ({
  screen_url: displayUrlOf(row, urls, epoch),
  original: originalOf(row, urls, epoch, isFilm),
  incomplete: row.incomplete,
})

export const displayUrlOf = ({ media_id, display_type }: OriginalRow, urls: Urls, epoch: number) =>
  urls.ofEvent(media_id, 'display', epoch, endingOf(display_type))

/** The type of the full size for every client: a JPEG for the formats that few display. */
export const fullEndingOf = ({ whole, original_type }: Pick<OriginalRow, 'whole' | 'original_type'>) => {
  const type = whole?.type ?? fullTypeOf(original_type)
  return /^image\/(?:png|webp|gif)$/.test(type) ? endingOf(type) : 'jpg'
}

const originalOf = (row: OriginalRow, urls: Urls, epoch: number, isFilm: boolean) => {
  const { media_id: id, film, film_source: source, whole } = row
  const shown = (
    variant: string,
    exact: boolean,
    { type, bytes, width, height }: { type: string; bytes: number; width: number; height: number },
  ) => ({
    url: urls.ofEvent(id, variant, epoch, endingOf(type)),
    bytes,
    width,
    height,
    name: nameToSave({ id, file_name: row.file_name }, type),
    type,
    exact,
  })
  if (film) return source ? shown('source', true, source) : shown('video', false, film)
  if (isFilm) return null
  const bytes = row.full_bytes
  if (bytes) return shown('original', true, { ...row, bytes, type: fullTypeOf(row.original_type) })
  return whole && shown('original', false, whole)
}

/** A file that came with the picture, unchanged, with all its metadata: for the uploader and organizers. */
export const presentBeside = (row: OriginalRow, which: 'raw' | 'live', urls: Urls, epoch: number) => {
  const { media_id: id, file_name, [which]: file } = row
  return (
    file && {
      url: urls.ofEvent(id, which, epoch, endingOf(file.type)),
      bytes: file.bytes,
      name: nameToSave({ id, file_name }, file.type),
      type: file.type,
    }
  )
}

import { sql } from 'kysely'
import type { Urls } from '../http/urls.ts'
import { nameToSave } from './file-name.ts'

/** What is known of a picture beside the sizes that are shown: columns of a query with `media picture`. */
export const originalColumns = sql`
  picture.id as media_id, picture.file_name, picture.original_type, (picture.full_size ->> 'bytes')::bigint as full_bytes,
  picture.variants -> 'video' as film`

export type OriginalRow = {
  media_id: number
  width: number
  height: number
  file_name: string | null
  original_type: string
  /** Null where nobody has looked yet. */
  full_bytes: number | null
  film: { bytes: number; type: string; width: number; height: number } | null
}

/** The links to a picture on a screen and in full. `isFilm`: it is the still of one, which alone is what nobody wants. */
export const presentShown = (row: OriginalRow, urls: Urls, epoch: number, isFilm = false) => ({
  screen_url: urls.media(row.media_id, 'display', epoch),
  original: originalOf(row, urls, epoch, isFilm),
})

const originalOf = (row: OriginalRow, urls: Urls, epoch: number, isFilm: boolean) => {
  const { media_id: id, file_name, original_type: type, full_bytes: bytes, film, width, height } = row
  const named = (type: string) => ({ name: nameToSave({ id, file_name }, type), type })
  if (film) {
    const { bytes, type, width, height } = film
    return { url: urls.media(id, 'video', epoch), bytes, width, height, ...named(type) }
  }
  return bytes && !isFilm ? { url: urls.media(id, 'original', epoch), bytes, width, height, ...named(type) } : null
}

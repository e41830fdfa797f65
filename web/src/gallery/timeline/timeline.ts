import type { PhotoFilter } from '../photo-filter.ts'
import { placeOf } from '../sections.ts'

/** In order of time, from the first on. */
export const newestFirst = ({ sort = 'newest' }: PhotoFilter) => sort === 'newest' || sort === 'taken_newest'

export type Quarter = { quarter_starts_at: string; quarter_photos_count: number }
/** The start of a day or an hour in a list: the number of photos before it. For a day, its total count. */
export type Mark = { key: string; at: string; hour: boolean; offset: number; count: number }

/** The days of a timeline, and the hours of each, in the order of the list. */
export const marksOf = (quarters: readonly Quarter[], newest: boolean): Mark[] => {
  const marks: Mark[] = []
  let offset = 0
  let day: Mark | undefined
  let hour: Mark | undefined
  for (const { quarter_starts_at: at, quarter_photos_count: photos } of newest ? quarters.toReversed() : quarters) {
    const place = placeOf(at)
    if (day?.key !== place.day) {
      day = { key: place.day, at, hour: false, offset, count: 0 }
      marks.push(day)
    }
    if (hour?.key !== place.hour) {
      hour = { key: place.hour, at, hour: true, offset, count: 0 }
      if (offset !== day.offset) marks.push(hour)
    }
    day.count += photos
    hour.count += photos
    offset += photos
  }
  return marks
}

/** The day or hour of the photo after this many others. */
export const markAt = (marks: readonly Mark[], offset: number): Mark | undefined =>
  marks.findLast(mark => mark.offset <= offset)

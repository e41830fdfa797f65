import type { PhotoFilter } from './photo-filter.ts'
import type { Photo } from './queries.ts'

const two = (number: number) => String(number).padStart(2, '0')

/** The day and the hour of a moment, by the reader's clock. */
export const placeOf = (at: string) => {
  const moment = new Date(at)
  const day = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
  return { day, hour: `${day} ${two(moment.getHours())}` }
}

/** An hour with at least this many photos gets a heading of its own; with fewer they continue the previous one. */
const hourMin = 8

/** A part of an album with its heading: a day with its total count, or an hour of it. */
export type Section = { key: string; day: string; at: string; hour: boolean; count: number }

const momentOf = ({ extra, created_at }: Photo, byTaken: boolean) => (byTaken && extra.taken_at) || created_at

type Placed = { id: string; at: string; day: string; hour: string }
/** Cached, as each page of a long album would compute those of all pages before. */
const known = new WeakMap<Photo, Placed>()
const placedAt = (photo: Photo, at: string): Placed => {
  const before = known.get(photo)
  if (before?.at === at) return before
  const now = { id: photo.id, at, ...placeOf(at) }
  known.set(photo, now)
  return now
}

/** The section of each photo, by the reader's clock. */
export const sectionsOf = (photos: readonly Photo[], { sort }: PhotoFilter): Map<string, Section> => {
  if (sort === 'most_liked') return new Map()
  const byTaken = sort === 'taken_newest' || sort === 'taken_oldest'
  const placed = photos.map(photo => placedAt(photo, momentOf(photo, byTaken)))
  const ofHour = new Map<string, number>()
  for (const { hour } of placed) ofHour.set(hour, (ofHour.get(hour) ?? 0) + 1)
  const found = new Map<string, Section>()
  let day: Section | undefined
  let last: Section | undefined
  let began: string | undefined
  for (const each of placed) {
    const own = (ofHour.get(each.hour) ?? 0) >= hourMin
    if (day?.day !== each.day) {
      day = { key: each.day, day: each.day, at: each.at, hour: false, count: 0 }
      last = day
      began = each.hour
    } else if (own && last?.key !== each.hour && began !== each.hour)
      last = { key: each.hour, day: each.day, at: each.at, hour: true, count: 0 }
    day.count++
    if (last && last !== day) last.count++
    found.set(each.id, last ?? day)
  }
  return found
}

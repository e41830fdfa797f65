import type { ChannelPayloads } from '@afterglow/sdk/realtime'
import { eachRow, type Listed } from '../app/cache/pages.ts'
import type { PhotoFilter, Sort } from './photo-filter.ts'

type Photo = ChannelPayloads['photo.created']

/** Milliseconds; a photo without a capture time counts as taken when it was added. */
export const takenMs = ({ extra, created_at }: Photo) => Date.parse(extra.taken_at ?? created_at)

const later = (one: Photo, other: Photo) => Number(one.id) - Number(other.id)
const takenLater = (one: Photo, other: Photo) => takenMs(one) - takenMs(other) || later(one, other)
const order: Record<Sort, (one: Photo, other: Photo) => number> = {
  newest: (one, other) => later(other, one),
  oldest: later,
  taken_newest: (one, other) => takenLater(other, one),
  taken_oldest: takenLater,
  most_liked: (one, other) =>
    Number(other.event_photo_likes_count) - Number(one.event_photo_likes_count) || later(other, one),
}

/** Inserts a photo at its place in a list; one beyond the loaded part arrives when that is loaded. */
export const withPhoto = (listed: Listed<Photo>, photo: Photo, { sort = 'newest', by }: PhotoFilter = {}) => {
  if (by !== undefined && photo.taken_by.id !== by) return listed
  if (listed.pages.some(page => page.data.some(({ id }) => id === photo.id)))
    return eachRow(listed, each => (each.id === photo.id ? photo : each))
  const isBehind = (each: Photo) => order[sort](photo, each) < 0
  const found = listed.pages.findIndex(page => page.data.some(isBehind))
  if (found < 0 && listed.pages.at(-1)?.next_page_url !== null) return listed
  const into = found < 0 ? listed.pages.length - 1 : found
  // A list that begins further down has earlier pages that are not loaded.
  const [first] = listed.pages
  if (into === 0 && first && first.current_page > 1 && first.data.findIndex(isBehind) === 0) return listed
  const pages = listed.pages.map((page, at) => {
    if (at !== into) return page
    const place = page.data.findIndex(isBehind)
    return { ...page, data: page.data.toSpliced(place < 0 ? page.data.length : place, 0, photo) }
  })
  return { ...listed, pages }
}

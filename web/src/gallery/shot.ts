import { filmOf } from './film.ts'
import type { Photo } from './queries.ts'

/** One picture as the viewer shows it, of an album or of a chat. */
export type Shot = {
  id: string
  alt: string
  width: number
  height: number
  thumbhash?: string | undefined
  /** Within 640 px: likely in the browser's cache. */
  preview: string
  /** Within 2048 px: what a screen needs. */
  screen: string
  /** All there is, for zooming in and saving. */
  full: string
  film?: { url: string; poster: string } | undefined
  /** The moment around it, which plays while it is pressed. */
  motion?: string | null | undefined
}

/** Longest edges of the sizes that the service makes, in pixels. */
const previewEdge = 640
const screenEdge = 2048

export const shotOf = (photo: Photo, alt: string): Shot => {
  const { id, extra, event_photo_url, event_photo_preview_url } = photo
  const film = filmOf(photo)
  return {
    id,
    alt,
    width: extra.width,
    height: extra.height,
    thumbhash: extra.thumbhash,
    preview: event_photo_preview_url,
    screen: film?.poster ?? extra.screen_url,
    full: film?.poster ?? event_photo_url,
    film,
    motion: extra.motion_url,
  }
}

type Size = { width: number; height: number }

/** As large as it fits, but never larger than it is. */
export const fitted = ({ width, height }: Size, room: Size): Size => ({
  width: Math.round(Math.min(room.width, (room.height / height) * width, width)),
  height: Math.round(Math.min(room.height, (room.width / width) * height, height)),
})

/** What a browser may choose from by the pixels that it has: all there is only for who zooms in. */
export const sourcesOf = ({ width, height, preview, screen, full }: Shot, zoomed: boolean): string => {
  const within = (edge: number) => Math.round(width * Math.min(1, edge / Math.max(width, height)))
  const sources = new Map([[within(previewEdge), preview]])
  sources.set(within(screenEdge), screen)
  if (zoomed) sources.set(width, full)
  return [...sources].map(([pixels, url]) => `${url} ${pixels}w`).join(', ')
}

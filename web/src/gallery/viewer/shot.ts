import { filmOf } from '../film.ts'
import type { Photo } from '../queries.ts'

/** A picture as the viewer shows it, from an album or a chat. */
export type Shot = {
  id: string
  alt: string
  width: number
  height: number
  thumbhash?: string | undefined
  /** At most 640 px: probably in the browser's cache. */
  preview: string
  /** At most 2048 px: enough for a screen; within 1280 px for a phone by an addition to its URL. */
  screen: string
  /** The full size, for zooming in and saving. */
  full: string
  film?: { url: string; poster: string } | undefined
  /** The video part, which plays while it is pressed. */
  motion?: string | null | undefined
}

/** Longest edges of the sizes that the service makes, in pixels. */
const previewEdge = 640
const mediumEdge = 1280
/** The service makes it for pictures from this size on. */
const mediumFrom = 1500
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

/** As large as fits, but never enlarged. */
export const fitted = ({ width, height }: Size, room: Size): Size => ({
  width: Math.round(Math.min(room.width, (room.height / height) * width, width)),
  height: Math.round(Math.min(room.height, (room.width / width) * height, height)),
})

/**
 * The candidates that a browser may choose from for its resolution: the full size only when zooming in. `avif`: for a
 * browser that supports it; the service sends it where it is a third smaller, and the JPEG otherwise.
 */
export const sourcesOf = (
  { width, height, preview, screen, full }: Shot,
  { zoomed, avif }: { zoomed: boolean; avif: boolean },
): string => {
  const within = (edge: number) => Math.round(width * Math.min(1, edge / Math.max(width, height)))
  const sources = new Map([[within(previewEdge), preview]])
  if (Math.max(width, height) >= mediumFrom)
    sources.set(within(mediumEdge), `${screen}&w=${mediumEdge}${avif ? '&as=avif' : ''}`)
  sources.set(within(screenEdge), screen)
  if (zoomed) sources.set(width, full)
  return [...sources].map(([pixels, url]) => `${url} ${pixels}w`).join(', ')
}

import { useRef } from 'react'
import type { Slide } from 'yet-another-react-lightbox'
import { filmOf } from './film.ts'
import type { Photo } from './queries.ts'

const slideOf = (photo: Photo, alt: string): Slide => {
  const size = photo.extra && { width: photo.extra.width, height: photo.extra.height }
  const film = filmOf(photo)
  if (film) return { type: 'video', poster: film.poster, ...size, sources: [{ src: film.url, type: 'video/mp4' }] }
  return { src: photo.event_photo_url, alt, ...size }
}

type Shown = { url: string; alt: string; slide: Slide }

/** What the lightbox shows: the same slides as long as pictures and words are the same, so that a like moves nothing. */
export const useSlides = (photos: readonly Photo[], altOf: (photo: Photo) => string): Slide[] => {
  const known = useRef(new Map<string, Shown>())
  const last = useRef<Slide[]>([])
  const slides = photos.map(photo => {
    const before = known.current.get(photo.id)
    const alt = altOf(photo)
    if (before?.url === photo.event_photo_url && before.alt === alt) return before.slide
    const slide = slideOf(photo, alt)
    known.current.set(photo.id, { url: photo.event_photo_url, alt, slide })
    return slide
  })
  const same = slides.length === last.current.length && slides.every((slide, at) => slide === last.current[at])
  if (!same) last.current = slides
  return last.current
}

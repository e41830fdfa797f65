import { useRef } from 'react'
import type { Slide } from 'yet-another-react-lightbox'
import type { Shot } from './shot.ts'

const slideOf = (shot: Shot): Slide => {
  const { film, full, alt, width, height } = shot
  return film
    ? { type: 'video', poster: film.poster, width, height, sources: [{ src: film.url, type: 'video/mp4' }] }
    : { src: full, alt, width, height, shot }
}

/** The lightbox's slides: the same objects as long as pictures and texts are the same, so that a like moves nothing. */
export const useSlides = (shots: readonly Shot[]): Slide[] => {
  const known = useRef(new Map<string, { key: string; slide: Slide }>())
  const last = useRef<Slide[]>([])
  const slides = shots.map(shot => {
    const before = known.current.get(shot.id)
    const key = JSON.stringify(shot)
    if (before?.key === key) return before.slide
    const slide = slideOf(shot)
    known.current.set(shot.id, { key, slide })
    return slide
  })
  const same = slides.length === last.current.length && slides.every((slide, at) => slide === last.current[at])
  if (!same) last.current = slides
  return last.current
}

import { type CSSProperties, useCallback, useEffect, useLayoutEffect } from 'react'
import { useSettled } from '../app/idle.ts'
import { openStore, useStore } from '../app/store.ts'
import { chosenTheme, isDrawn, themeHue } from './event-themes.ts'

/* The colours of an event's page, drawn from its cover: the hue is the picture's, lightness and strength are ours, so that whatever is read in them keeps its contrast by day and by night. */

/** A colour by lightness, chroma and hue (OKLCH, degrees), as the nearest that a screen shows. */
const colour = (lightness: number, chroma: number, hue: number) => {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const parts = linear.map(value => {
    const bounded = Math.min(1, Math.max(0, value))
    const shown = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055
    return Math.round(shown * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${parts.join('')}`
}

/** Each by day and by night. */
export const coloursOf = (hue: number) => ({
  ember: [colour(0.48, 0.13, hue), colour(0.8, 0.11, hue)],
  'ember-deep': [colour(0.41, 0.12, hue), colour(0.86, 0.08, hue)],
  'on-ember': ['#ffffff', colour(0.2, 0.03, hue)],
  glow: [colour(0.94, 0.035, hue), colour(0.31, 0.05, hue)],
  'on-glow': [colour(0.36, 0.09, hue), colour(0.92, 0.04, hue)],
})

const side = 24
/** Below this, a picture is nearly grey. */
const chromaMin = 0.015

/** The hue that the eye takes from a picture, in degrees; undefined if it has none, or may not be read. */
const hueOf = (picture: HTMLImageElement): number | undefined => {
  try {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = side
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (!context) return undefined
    context.drawImage(picture, 0, 0, side, side)
    return hueAmong(context.getImageData(0, 0, side, side).data)
  } catch {
    return undefined
  }
}

/** How many of a picture's pixels decide: the most colourful, and of these the light ones. Night is not what is seen. */
const deciding = 0.12

/** Of pixels as red, green, blue and opacity. */
export const hueAmong = (pixels: ArrayLike<number>): number | undefined => {
  const seen: { a: number; b: number; weight: number }[] = []
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = [0, 1, 2].map(part => {
      const value = (pixels[at + part] ?? 0) / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
    const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
    const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
    seen.push({ a, b, weight: Math.hypot(a, b) * Math.min(1, lightness / 0.5) })
  }
  const most = seen.sort((one, other) => other.weight - one.weight).slice(0, Math.ceil(seen.length * deciding))
  const mean = (of: 'a' | 'b') => most.reduce((sum, each) => sum + each[of], 0) / most.length
  const [a, b] = [mean('a'), mean('b')]
  if (!(Math.hypot(a, b) >= chromaMin)) return undefined
  return ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360
}

/** The hue of each cover that has been seen. */
const hues = openStore<ReadonlyMap<string, number | undefined>>(new Map())

/**
 * The page's colours once its cover is there, for an element that is `covered`, and what is to be told of that. By
 * default also of what lies around that element, such as a sheet above it, as long as it is shown.
 */
export const useCoverColours = (cover: string | undefined, around = true) => {
  const seen = useStore(hues)
  const theme = cover && chosenTheme(cover)
  const hue = theme ? themeHue(theme) : seen.get(cover ?? '')
  useLayoutEffect(() => {
    if (hue === undefined || !around) return
    const { style } = document.documentElement
    const colours = Object.entries(styleOf(hue)).map(([name, colour]) => [name, String(colour)] as const)
    for (const [name, colour] of colours) style.setProperty(name, colour)
    return () => {
      for (const [name] of colours) style.removeProperty(name)
    }
  }, [hue, around])
  const onCover = useCallback(
    (picture: HTMLImageElement) => cover && hues.set(new Map([...hues.get(), [cover, hueOf(picture)]])),
    [cover],
  )
  return { style: hue === undefined ? undefined : styleOf(hue), onCover }
}

/** The colours of an event on all of its pages, also on those that do not show its cover. */
export const useEventColours = (cover: string | undefined) => {
  const { onCover } = useCoverColours(cover)
  const settled = useSettled()
  useEffect(() => {
    if (!cover || !settled || hues.get().has(cover) || isDrawn(cover)) return
    const picture = new Image()
    picture.onload = () => onCover(picture)
    picture.src = `${cover}&w=400`
  }, [cover, settled, onCover])
}

const styleOf = (hue: number) =>
  Object.fromEntries(
    Object.entries(coloursOf(hue)).flatMap(([name, [day, night]]) => [
      [`--day-${name}`, day],
      [`--night-${name}`, night],
    ]),
  ) as CSSProperties

const side = 24
/** Below this, a picture is nearly grey. */
const chromaMin = 0.015

/** The hue that the eye takes from a picture, in degrees; undefined if it has none, or may not be read. */
export const hueOf = (picture: HTMLImageElement): number | undefined => {
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

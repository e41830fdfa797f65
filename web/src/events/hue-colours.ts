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

import sharp from 'sharp'

export type Mood = 'sunset' | 'night' | 'meadow' | 'dance'

const skies: Record<Mood, [string, string, string]> = {
  sunset: ['#3b2667', '#bc4e6f', '#f7b267'],
  night: ['#05060f', '#141e46', '#41295a'],
  meadow: ['#7ec8e3', '#c9e9f6', '#f4f1bb'],
  dance: ['#12002b', '#5b0e6e', '#c2185b'],
}
const grounds: Record<Mood, string> = { sunset: '#1d1128', night: '#070914', meadow: '#4f772d', dance: '#0b0016' }

/** Numbers from 0 to 1 that a seed decides. */
const dice = (seed: number) => {
  let state = (seed * 7919 + 17) % 2147483647
  return () => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
}

const light = (roll: () => number, width: number, height: number, hue: number) =>
  `<circle cx="${roll() * width}" cy="${roll() * height * 0.7}" r="${4 + roll() ** 3 * width * 0.04}" fill="hsl(${hue + roll() * 50} 100% ${60 + roll() * 30}%)" opacity="${0.2 + roll() * 0.7}"/>`

const figure = (roll: () => number, width: number, height: number, colour: string) => {
  const [x, size] = [roll() * width, height * (0.12 + roll() * 0.1)]
  const y = height * 0.86
  return `<g fill="${colour}"><circle cx="${x}" cy="${y - size}" r="${size * 0.17}"/><path d="M${x - size * 0.24} ${y} q${size * 0.24} ${-size * 1.6} ${size * 0.48} 0z"/></g>`
}

/** A JPEG as a phone might have taken it, drawn by the seed; upright or across. */
export const picture = async (seed: number, mood: Mood): Promise<Blob> => {
  const roll = dice(seed)
  const [width, height] = seed % 3 === 0 ? [1500, 2000] : [2000, 1500]
  const [top, middle, low] = skies[mood]
  const lights = Array.from({ length: mood === 'meadow' ? 12 : 70 }, () =>
    light(roll, width, height, mood === 'dance' ? 280 : 20),
  )
  const figures = Array.from({ length: 2 + Math.floor(roll() * 6) }, () =>
    figure(roll, width, height, `${grounds[mood]}`),
  )
  const hill = `M0 ${height * 0.8} Q${width * roll()} ${height * (0.65 + roll() * 0.15)} ${width} ${height * 0.82} V${height} H0Z`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${top}"/><stop offset=".6" stop-color="${middle}"/><stop offset="1" stop-color="${low}"/></linearGradient>
    <filter id="glow"><feGaussianBlur stdDeviation="6"/></filter></defs>
    <rect width="100%" height="100%" fill="url(#sky)"/><g filter="url(#glow)">${lights.join('')}</g>
    <path d="${hill}" fill="${grounds[mood]}"/>${figures.join('')}</svg>`
  const jpeg = await sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer()
  return new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' })
}

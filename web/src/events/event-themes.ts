import { type EventTheme, eventThemes } from '@afterglow/contract/events/themes'

const dot = (x: number, y: number, size: number, colour: string) =>
  `radial-gradient(circle at ${x}% ${y}%,${colour} 0 ${size}%,transparent ${size + 0.4}%)`
const glow = (x: number, y: number, size: number, colour: string) =>
  `radial-gradient(circle at ${x}% ${y}%,${colour} 0,transparent ${size}%)`
/** Every so far down and to the side, as if thrown. */
const thrown = (count: number, size: number, colours: readonly string[]) =>
  Array.from({ length: count }, (_, at) =>
    dot((at * 37 + 9) % 100, (at * 53 + 14) % 100, size + (at % 3) * 0.5, colours[at % colours.length] as string),
  )

/** As backgrounds, the uppermost layer first, and the hue of the colours that go with each (OKLCH, degrees). */
const drawn: Record<EventTheme, { hue: number; layers: readonly string[] }> = {
  dusk: {
    hue: 45,
    layers: [
      glow(18, 40, 14, '#ffe2b0'),
      glow(47, 24, 11, '#ffd08a'),
      glow(80, 46, 16, '#ffe2b0'),
      'linear-gradient(#4a1f63,#b4475a 55%,#f2a65a)',
    ],
  },
  garden: {
    hue: 145,
    layers: [
      ...thrown(9, 1.6, ['#fff6fb', '#f7c8dc', '#ffe08a']),
      'radial-gradient(ellipse at 50% 120%,#1f4d2e 0 45%,transparent 46%)',
      'linear-gradient(#cfe8c4,#6fa866)',
    ],
  },
  gold: {
    hue: 85,
    layers: [
      'repeating-conic-gradient(from 0deg at 50% 115%,rgb(255 240 190/.28) 0 5deg,transparent 5deg 12deg)',
      'linear-gradient(160deg,#7a5410,#d9a93b 55%,#8a6114)',
    ],
  },
  confetti: {
    hue: 350,
    layers: [
      ...thrown(22, 1.1, ['#ff5d8f', '#ffb703', '#3a86ff', '#06d6a0', '#ffffff']),
      'linear-gradient(135deg,#ffd6e4,#ffb3c9)',
    ],
  },
  sea: {
    hue: 225,
    layers: [
      'repeating-radial-gradient(circle at 50% 135%,rgb(255 255 255/.16) 0 4%,transparent 4% 9%)',
      'linear-gradient(#bfe3ee,#3f8fb0 45%,#123c5a)',
    ],
  },
  paper: {
    hue: 70,
    layers: [
      'repeating-linear-gradient(0deg,rgb(120 90 60/.13) 0 1px,transparent 1px 9%)',
      'linear-gradient(90deg,transparent 12%,rgb(200 80 70/.35) 12% 12.4%,transparent 12.4%)',
      'linear-gradient(#fbf3e4,#eadbc0)',
    ],
  },
  neon: {
    hue: 325,
    layers: [
      glow(20, 30, 42, 'rgb(255 45 170/.75)'),
      glow(82, 62, 46, 'rgb(0 200 255/.65)'),
      'repeating-linear-gradient(90deg,rgb(255 255 255/.07) 0 1px,transparent 1px 7%)',
      'linear-gradient(#12062b,#1c0a3d)',
    ],
  },
  snow: {
    hue: 255,
    layers: [...thrown(20, 0.7, ['#ffffff', 'rgb(255 255 255/.75)']), 'linear-gradient(#2b3f6b,#8fb0d9 70%,#eef5fc)'],
  },
}

/** Of an event without a photo: as its drawn picture’s address says, or by its ID if nobody has chosen one. */
export const themeOf = ({ id, event_avatar_url }: { id: number; event_avatar_url: string }): EventTheme =>
  chosenTheme(event_avatar_url) ?? (eventThemes[id % eventThemes.length] as EventTheme)

export const chosenTheme = (cover: string): EventTheme | undefined => {
  const chosen = /[?&]theme=(\w+)/.exec(cover)?.[1]
  return eventThemes.find(theme => theme === chosen)
}

export const themeBackground = (theme: EventTheme) => drawn[theme].layers.join()
export const themeHue = (theme: EventTheme) => drawn[theme].hue

/** The service generated the picture at this address. */
export const isDrawn = (cover: string) => cover.includes('/initials/')

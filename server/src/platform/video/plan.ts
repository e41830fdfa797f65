import type { Film } from './film.ts'

/** The target of a conversion: H.264 and AAC that every browser and phone of the last ten years plays. */
export type Plan = {
  picture: number
  sound: number | null
  turn: Film['turn']
  interlaced: boolean
  hdr: Film['hdr']
  colours: Film['colours']
  width: number
  height: number
  /** A fixed rate, as a fraction. */
  fps: string
  /** Anything later is left out. */
  secondsMax: number
  threads: number
  /** No plausible result is larger. */
  bytesMax: number
}

const longEdgeMax = 1920
const shortEdgeMax = 1080
const fpsMax = 60
const fpsUntold = 30
const largeFrameBytes = 16 * 1024 ** 2
const usual = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 50, 60_000 / 1001, 60]

export const videoKilobits = 8_000
export const soundKilobits = 128

export const planFor = (film: Film, { secondsMax, threads }: { secondsMax: number; threads: number }): Plan => {
  const { picture, sound, turn, interlaced, hdr, colours } = film
  const bytesASecond = ((videoKilobits + soundKilobits) * 1000) / 8
  return {
    picture,
    sound,
    turn,
    interlaced,
    hdr,
    colours,
    ...sizeOf(film),
    fps: rateOf(film.fps),
    secondsMax,
    // Each thread keeps frames of its own.
    threads: film.frameBytes > largeFrameBytes ? 1 : threads,
    // A video that does not state its length, or lies, is limited by the longest that is allowed.
    bytesMax: Math.ceil(64 * 1024 * 1024 + 1.5 * bytesASecond * secondsMax),
  }
}

/** Within 1080p in either orientation, never enlarged; even, because chroma has half the resolution. */
const sizeOf = ({ width, height }: Film) => {
  const [long, short] = [Math.max(width, height), Math.min(width, height)]
  const scale = Math.min(1, longEdgeMax / long, shortEdgeMax / short)
  const even = (edge: number) => Math.max(2, Math.round((edge * scale) / 2) * 2)
  return { width: even(width), height: even(height) }
}

/** Close to a usual rate means that rate; a phone's average is off by a thousandth. */
const rateOf = (told: number | null) => {
  const fps = Math.min(told ?? fpsUntold, fpsMax)
  const away = (from: number) => Math.abs(from - fps)
  const nearest = usual.reduce((best, each) => (away(each) < away(best) ? each : best))
  const near = away(nearest) / nearest < 0.005
  const chosen = near ? nearest : Math.max(1, fps)
  return chosen % 1 === 0
    ? `${chosen}/1`
    : near
      ? `${Math.round(nearest * 1001)}/1001`
      : `${Math.round(chosen * 1000)}/1000`
}

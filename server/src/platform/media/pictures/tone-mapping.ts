import type { CodedColour } from '../structure/nclx.ts'

/*
 * Maps pictures in high dynamic range, or in the wider colours of video, to sRGB for every screen. White of a page, 203
 * cd/m² by ITU-R BT.2408, stays white, and anything brighter is compressed into the last fifth below it, so that
 * ordinary colours keep their values. Works in 16 bits, because 8 of PQ would show steps.
 */

const [pq, hlg, linear] = [16, 18, 8] as const
const [p3Dci, p3, bt2020] = [11, 12, 9] as const
const referenceWhite = 203
/** A white page in HLG, 75 % of its signal. */
const hlgWhite = 0.265

/** Tells whether ordinary decoding would show wrong colours. */
export const needsMapping = ({ primaries, transfer }: CodedColour): boolean =>
  transfer === pq ||
  transfer === hlg ||
  transfer === linear ||
  primaries === bt2020 ||
  primaries === p3 ||
  primaries === p3Dci

/** From 16 bits to 8, in place: 3 or 4 channels, of which the last is transparency. `max` stands for full light. */
export const toSrgb = (
  pixels: Uint16Array,
  channels: number,
  { primaries, transfer }: CodedColour,
  max: number,
): Buffer => {
  const light = lightOf(transfer, max)
  const toBt709 = matrices.get(primaries) ?? identity
  const rgb = new Float64Array(3)
  const read = (at: number) => {
    const [r, g, b] = [0, 1, 2].map(channel => light[pixels[at + channel] as number] as number) as [
      number,
      number,
      number,
    ]
    for (let row = 0; row < 3; row++)
      rgb[row] =
        (toBt709[row * 3] as number) * r + (toBt709[row * 3 + 1] as number) * g + (toBt709[row * 3 + 2] as number) * b
  }
  const most = () => Math.max(rgb[0] as number, rgb[1] as number, rgb[2] as number)

  const brightestAt = (pixel: number) => {
    read(pixel * channels)
    return most()
  }
  const peak =
    transfer === pq || transfer === hlg || transfer === linear ? peakOf(pixels.length / channels, brightestAt) : 1
  const bytes = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.length)
  for (let at = 0; at < pixels.length; at += channels) {
    read(at)
    const brightest = most()
    const scale = brightest > 0 ? compressed(brightest, peak) / brightest : 0
    const alpha = channels === 4 ? (pixels[at + 3] as number) : 0
    for (let channel = 0; channel < 3; channel++)
      bytes[at + channel] = encoded[
        Math.min(Math.max(Math.round((rgb[channel] as number) * scale * steps), 0), steps)
      ] as number
    if (channels === 4) bytes[at + 3] = Math.round((alpha * 255) / max)
  }
  return bytes
}

/** Encoders overshoot by a third at the edges of saturated colours: that is no highlight. */
const [overshoot, bright] = [1.3, 2.5] as const
const lowest = 0.8

/** The same below the knee; above it, up to the peak, ever less. The brighter the peak, the more room it gets. */
const compressed = (value: number, peak: number): number => {
  const knee = 1 - (1 - lowest) * Math.min(Math.max((peak - overshoot) / (bright - overshoot), 0), 1)
  if (knee === 1 || value <= knee) return Math.min(value, 1)
  const part = Math.min((value - knee) / (peak - knee), 1)
  const bend = 1 / ((peak - knee) / (1 - knee) - 1)
  return knee + ((1 - knee) * part * (1 + bend)) / (part + bend)
}

const samples = 100_000

/** The brightest light, but for a thousandth: a few sparks must not darken everything else. */
const peakOf = (count: number, at: (pixel: number) => number): number => {
  const step = Math.max(1, Math.floor(count / samples))
  const seen = Array.from({ length: Math.ceil(count / step) }, (_, n) => at(n * step)).sort((a, b) => a - b)
  return seen[Math.floor((seen.length - 1) * 0.999)] ?? 1
}

const lightOf = (transfer: number, max: number): Float32Array =>
  Float32Array.from({ length: 65_536 }, (_, value) => {
    const signal = Math.min(value / max, 1)
    if (transfer === pq) return pqLight(signal) / referenceWhite
    if (transfer === hlg) return hlgLight(signal) / hlgWhite
    return transfer === linear ? signal : srgbLight(signal)
  })

const pqLight = (signal: number): number => {
  const root = signal ** (32 / 2523)
  return 10_000 * (Math.max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (8192 / 1305)
}

/** Without its gamma for dark rooms, which is 1 on a screen of 300 cd/m². */
const hlgLight = (signal: number): number =>
  signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12

const srgbLight = (signal: number): number => (signal <= 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4)

const steps = 16_383
const encoded = Uint8Array.from({ length: steps + 1 }, (_, n) => {
  const light = n / steps
  return Math.round(255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055))
})

/** To the colours of sRGB, row by row. */
const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1]
const fromP3 = [1.22494, -0.22494, 0, -0.042057, 1.042057, 0, -0.019638, -0.078636, 1.098274]
const matrices = new Map<number, readonly number[]>([
  [bt2020, [1.660491, -0.587641, -0.07285, -0.12455, 1.1329, -0.008349, -0.018151, -0.100579, 1.11873]],
  [p3, fromP3],
  [p3Dci, fromP3],
])

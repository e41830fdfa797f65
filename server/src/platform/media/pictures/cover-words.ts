import { fileURLToPath } from 'node:url'
import sharp, { type OverlayOptions } from 'sharp'
import { type CoverWords, coverSize } from './cover-size.ts'

/** Has Latin letters; for those of other scripts the host needs fonts of its own. */
const fontfile = fileURLToPath(new URL('./fraunces-latin-600.ttf', import.meta.url))
const edge = 64
const nameLengthMax = 70
const markup: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** A column of black that grows denser towards the foot, laid side by side. */
const shade = Buffer.alloc(coverSize.height * 4)
for (let row = 0; row < coverSize.height; row++)
  shade[row * 4 + 3] = Math.round(210 * Math.max(0, (row / coverSize.height - 0.35) / 0.65))

/** Draws a text within the width of a cover. */
const drawn = async (text: string, points: number) => {
  const words = text.replaceAll(/[&<>]/g, sign => markup[sign] as string)
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="white" font_family="Fraunces SemiBold" size="${points}pt">${words}</span>`,
      fontfile,
      rgba: true,
      width: coverSize.width - 2 * edge,
      wrap: 'word-char',
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height: rows, channels } = info
  return { input: data, raw: { width, height: rows, channels } }
}

/** Layers to be laid over a cover: a shade, the name and the line below it. */
export const layersOf = async (words: CoverWords | undefined): Promise<OverlayOptions[]> => {
  if (!words) return []
  const letters = [...words.name.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()]
  const name = letters.length > nameLengthMax ? `${letters.slice(0, nameLengthMax - 1).join('')}…` : letters.join('')
  if (!name) return []
  const long = name.length > 28
  const [title, line] = [await drawn(name, long ? 48 : 66), words.line ? await drawn(words.line, 28) : undefined]
  const foot = coverSize.height - edge
  const lineTop = foot - (line?.raw.height ?? 0)
  return [
    { input: shade, raw: { width: 1, height: coverSize.height, channels: 4 }, tile: true, left: 0, top: 0 },
    { ...title, left: edge, top: Math.max(0, lineTop - (line ? 24 : 0) - title.raw.height) },
    ...(line ? [{ ...line, left: edge, top: lineTop }] : []),
  ]
}

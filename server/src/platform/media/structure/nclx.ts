import type { PictureType } from '../pictures/sniffed-type.ts'
import { type Box, boxesIn } from './boxes.ts'
import { colourOfHevc } from './hevc-colour.ts'

/** How numbers become light, by the code points that video uses (ITU-T H.273); decoders of pictures ignore them. */
export type CodedColour = { primaries: number; transfer: number }

/** The colours declared this way in a HEIC, AVIF or PNG; null if there are none. */
export const codedColourOf = (file: Buffer, type: PictureType): CodedColour | null => {
  try {
    if (type === 'image/png') return colourOfPng(file)
    return type === 'image/heic' || type === 'image/avif' ? colourOfHeif(file) : null
  } catch (error) {
    // A length that leads out of the file.
    if (error instanceof RangeError) return null
    throw error
  }
}

const colourOfPng = (file: Buffer) => {
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') return null
    if (type === 'cICP') return { primaries: file.readUInt8(at + 8), transfer: file.readUInt8(at + 9) }
  }
  return null
}

/** Reads the main picture: others may be for other screens. */
const colourOfHeif = (file: Buffer) => {
  const within = ({ body, end }: Box, skip = 0) => boxesIn(file, body + skip, end) ?? []
  const meta = boxesIn(file, 0, file.length)?.find(({ type }) => type === 'meta') ?? firstMeta(file)
  const parts = meta ? within(meta, 4) : []
  const main = parts.find(({ type }) => type === 'pitm')
  const properties = parts.find(({ type }) => type === 'iprp')
  if (!main || !properties) return null
  const id = file[main.body] === 0 ? file.readUInt16BE(main.body + 4) : file.readUInt32BE(main.body + 4)
  const [all, given] = ['ipco', 'ipma'].map(name => within(properties).find(({ type }) => type === name))
  if (!all || !given) return null
  const listed = within(all)
  const own = indicesOf(file, given, id).map(index => listed[index - 1])
  const colours = own.filter(box => box?.type === 'colr')
  for (const box of colours)
    if (box && file.toString('latin1', box.body, box.body + 4) === 'nclx')
      return { primaries: file.readUInt16BE(box.body + 4), transfer: file.readUInt16BE(box.body + 6) }
  const stream = colours.length === 0 && (own.find(isStream) ?? listed.find(isStream))
  return stream ? colourOfHevc(file.subarray(stream.body, stream.end)) : null
}

const isStream = (box: Box | undefined) => box?.type === 'hvcC'

/** Finds it in a file where something other than boxes follows. */
const firstMeta = (file: Buffer): Box | undefined => {
  const first = file.readUInt32BE(0)
  const end = first + file.readUInt32BE(first)
  return boxesIn(file, first, end)?.find(({ type }) => type === 'meta')
}

/** The indices of a picture's properties, counted from 1. */
const indicesOf = (file: Buffer, { body }: Box, wanted: number): number[] => {
  const [version, wide] = [file.readUInt8(body), (file.readUInt8(body + 3) & 1) === 1]
  let at = body + 8
  for (let left = file.readUInt32BE(body + 4); left > 0; left -= 1) {
    const id = version === 0 ? file.readUInt16BE(at) : file.readUInt32BE(at)
    at += version === 0 ? 2 : 4
    const count = file.readUInt8(at)
    at += 1
    const size = wide ? 2 : 1
    if (id === wanted)
      return Array.from({ length: count }, (_, n) =>
        wide ? file.readUInt16BE(at + n * 2) & 0x7fff : file.readUInt8(at + n) & 0x7f,
      )
    at += count * size
  }
  return []
}

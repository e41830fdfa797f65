import { crc32 } from 'node:zlib'
import { orientationAlone, turns } from './orientation.ts'
import { demand, gather } from './pieces.ts'
import type { Structure } from './read-structure.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The chunks to keep, and their maximum size: nothing hides in a longer one. Image data is unlimited. */
const kept: Record<string, readonly number[] | null> = {
  IHDR: [13],
  PLTE: null,
  IDAT: null,
  IEND: [0],
  tRNS: null,
  cHRM: [32],
  gAMA: [4],
  iCCP: null,
  sBIT: [1, 2, 3, 4],
  sRGB: [1],
  cICP: [4],
  mDCV: [24],
  mDCv: [24],
  cLLI: [8],
  cLLi: [8],
  bKGD: [1, 2, 6],
  pHYs: [9],
  acTL: [8],
  fcTL: [26],
  fdAT: null,
}
const lengthsMax: Record<string, number> = { PLTE: 768, tRNS: 256 }
const isCritical = (type: string) => /^[A-Z]/.test(type)

/**
 * A PNG from its signature to IEND. A wrong checksum, which decoders ignore for what an image needs, is put right, and a
 * missing IEND is added; any other chunk with a wrong one is left out. An ICC profile loses its name.
 */
export const readPng = (file: Buffer, orientation: number): Structure => {
  const pieces = gather()
  demand(file.subarray(0, 8).equals(signature), 'no signature')
  pieces.keep(0, 8)
  let pixels = false
  for (let at = 8; ; ) {
    if (pixels && isCutIend(file.subarray(at))) {
      pieces.put(chunk('IEND', Buffer.alloc(0)))
      return { end: file.length, pieces: pieces.all() }
    }
    demand(at + 12 <= file.length, 'cut')
    const length = file.readUInt32BE(at)
    const end = at + 12 + length
    demand(end <= file.length, 'a chunk longer than the file')
    const type = file.toString('latin1', at + 4, at + 8)
    demand(/^[A-Za-z]{4}$/.test(type) && (at > 8 || type === 'IHDR'), 'no chunk')
    const sum = crc32(file.subarray(at + 4, end - 4))
    const isRight = file.readUInt32BE(end - 4) === sum
    const lengths = kept[type]
    if (lengths === undefined) demand(!isCritical(type), 'an unknown chunk')
    else if (isRight || isCritical(type)) {
      demand(lengths === null || lengths.includes(length), 'a chunk of another length')
      demand(length <= (lengthsMax[type] ?? length), 'a chunk of another length')
      if (type === 'iCCP') keepProfile(pieces, file, at, length)
      else {
        pieces.keep(at, isRight ? end : end - 4)
        if (!isRight) pieces.put(u32(sum))
      }
    }
    pixels ||= type === 'IDAT'
    if (type === 'IHDR' && turns(orientation)) pieces.put(chunk('eXIf', orientationAlone(orientation)))
    if (type === 'IEND') return { end, pieces: pieces.all() }
    at = end
  }
}

/** Nothing, or the beginning of an IEND. */
const isCutIend = (rest: Buffer) =>
  rest.length < 12 && chunk('IEND', Buffer.alloc(0)).subarray(0, rest.length).equals(rest)

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const profileName = Buffer.from('icc\0')

const keepProfile = (pieces: ReturnType<typeof gather>, file: Buffer, at: number, length: number) => {
  const [from, to] = [at + 8, at + 8 + length]
  const profile = file.indexOf(0, from) + 1
  demand(profile > from + 1 && profile <= from + 80 && profile < to, 'a profile without a name')
  const head = Buffer.alloc(8)
  head.writeUInt32BE(profileName.length + to - profile)
  head.write('iCCP', 4)
  const sum = Buffer.alloc(4)
  const named = crc32(Buffer.concat([head.subarray(4), profileName]))
  sum.writeUInt32BE(crc32(file.subarray(profile, to), named))
  pieces.put(Buffer.concat([head, profileName]))
  pieces.keep(profile, to)
  pieces.put(sum)
}

const chunk = (type: string, body: Buffer): Buffer => {
  const framed = Buffer.concat([Buffer.alloc(4), Buffer.from(type), body, Buffer.alloc(4)])
  framed.writeUInt32BE(body.length)
  framed.writeUInt32BE(crc32(framed.subarray(4, -4)), framed.length - 4)
  return framed
}

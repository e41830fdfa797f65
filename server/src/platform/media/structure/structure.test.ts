import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { exifBlock } from '../../../../test/exif.ts'
import { heic } from '../../../../test/heic.ts'
import {
  gifBlock,
  jpegSegment,
  planted,
  pngChunk,
  riffChunk,
  withComment,
  withExif,
} from '../../../../test/picture-blocks.ts'
import { avif, gif, jpeg, type PictureOptions, png, webp } from '../../../../test/pictures.ts'
import { decodeHeic } from '../pictures/heic.ts'
import { detectPicture, type PictureType } from '../pictures/sniffed-type.ts'
import { arePieces, assemble, within } from './pieces.ts'
import { readStructure } from './read-structure.ts'

const word = 'Rumpelstilzchen'
const makers = { jpeg, png, webp, gif, avif }
const sizes = [
  [1, 1],
  [33, 17],
  [64, 48],
] as const

const typeOf = async (file: Buffer) => (await detectPicture(file)) as PictureType
const read = async (file: Buffer) => {
  const type = await typeOf(file)
  // The others have no effective one, and their decoder may not accept the planted one.
  const turned = ['image/jpeg', 'image/png', 'image/webp'].includes(type)
  const { orientation } = turned ? await sharp(file).metadata() : {}
  return readStructure(file, type, orientation)
}
/** The full-size file, or a failed test. */
const fullOf = async (file: Buffer): Promise<Buffer> => {
  const { full } = await read(file)
  expect(full).not.toBeNull()
  const made = Buffer.concat(assemble(file, full?.pieces ?? []))
  expect(made.length).toBe(full?.bytes)
  return made
}
const isHeic = async (file: Buffer) => (await typeOf(file)) === 'image/heic'

/** Upright, each frame, in the colours that a viewer shows. */
const pixelsOf = async (file: Buffer) => {
  const found = await sharp(file).metadata()
  const facts = { pages: found.pages, delay: found.delay, loop: found.loop, orientation: found.orientation ?? 1 }
  const depth = { depth: found.depth, space: found.space, icc: found.icc?.toString('latin1') }
  if (await isHeic(file)) {
    const { data } = await decodeHeic(file, { page: found.pagePrimary ?? 0, ...found.autoOrient })
    return { ...facts, orientation: 1, ...depth, pixels: data.toString('base64') }
  }
  const { data, info } = await sharp(file, { animated: true, failOn: 'warning' })
    .raw({ depth: found.depth === 'ushort' ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { ...facts, ...depth, width: info.width, height: info.height, pixels: data.toString('base64') }
}

/** Metadata of the file itself, except the profile. */
const metadataOf = async (file: Buffer) => {
  const { exif, xmp, iptc, comments } = await sharp(file).metadata()
  return { exif: exif && exif.length > 40 ? exif.length : undefined, xmp, iptc, comments }
}
const bare = { exif: undefined, xmp: undefined, iptc: undefined, comments: undefined }

const shapes = async (): Promise<[string, Buffer][]> => {
  const files: [string, Buffer][] = []
  const add = async (name: string, file: Buffer | Sharp | Promise<Buffer>) =>
    files.push([name, await (file instanceof sharp ? (file as Sharp).toBuffer() : (file as Buffer))])
  const wishes: PictureOptions[] = [{}, { gps: true, takenAt: '2026:11:20 21:04:11' }, { transparent: true }]
  for (const [format, make] of Object.entries(makers))
    for (const [width, height] of sizes)
      for (const wish of wishes)
        await add(`${format} ${width}×${height} ${Object.keys(wish)}`, make({ ...wish, width, height }))
  for (const make of [jpeg, png, webp])
    for (let orientation = 1; orientation <= 8; orientation++)
      for (const [width, height] of sizes)
        await add(
          `${make.name} ${width} orientation ${orientation}`,
          make({ width, height, orientation, gps: orientation % 2 === 0 }),
        )
  for (const make of [gif, webp])
    for (const frames of [2, 3, 7])
      for (const transparent of [false, true])
        await add(`${make.name} of ${frames}`, make({ width: 40, height: 30, frames, transparent }))
  const base = await png({ width: 61, height: 47 })
  const from = () => sharp(base)
  for (const progressive of [false, true])
    for (const chromaSubsampling of ['4:4:4', '4:2:0'])
      for (const quality of [10, 60, 100])
        for (const profile of [undefined, 'p3', 'cmyk'])
          for (const space of ['srgb', 'b-w']) {
            const colours =
              profile === 'cmyk' ? from().toColourspace('cmyk').withIccProfile('cmyk') : from().toColourspace(space)
            const picture = profile === 'p3' && space === 'srgb' ? colours.withIccProfile('p3') : colours
            await add(
              `jpeg ${progressive} ${chromaSubsampling} ${quality} ${profile} ${space}`,
              picture.jpeg({ progressive, chromaSubsampling, quality }),
            )
          }
  await add('jpeg without Huffman tables of its own', from().jpeg({ optimiseCoding: true, trellisQuantisation: true }))
  for (const palette of [false, true])
    for (const progressive of [false, true])
      for (const space of ['srgb', 'b-w', 'rgb16', 'grey16']) {
        if (palette && space.endsWith('16')) continue
        for (const profile of [undefined, 'p3']) {
          const picture = from().toColourspace(space)
          await add(
            `png ${palette} ${progressive} ${space} ${profile}`,
            (profile && space === 'srgb' ? picture.withIccProfile(profile) : picture).png({ palette, progressive }),
          )
        }
      }
  for (const lossless of [false, true])
    for (const alpha of [false, true])
      for (const profile of [false, true]) {
        const picture = alpha ? from().ensureAlpha(0.5) : from()
        await add(
          `webp ${lossless} ${alpha} ${profile}`,
          (profile ? picture.withIccProfile('p3') : picture).webp({ lossless, effort: 0 }),
        )
      }
  for (const chromaSubsampling of ['4:4:4', '4:2:0'])
    for (const bitdepth of [8, 10, 12] as const)
      if (bitdepth === 8)
        await add(`avif ${chromaSubsampling}`, from().avif({ chromaSubsampling, bitdepth, effort: 0 }))
  for (const tiles of [
    [['lights']],
    [
      ['red', 'green'],
      ['blue', 'white'],
    ],
    [['lights', 'red', 'green']],
  ])
    for (const turns of [undefined, 1, 2, 3] as const)
      for (const mirror of [undefined, 0, 1] as const)
        for (const exif of [undefined, exifBlock({ Orientation: 6, DateTime: '2026:11:20 21:04:11' })]) {
          const wish = {
            tiles,
            ...(turns && { turns }),
            ...(mirror !== undefined && { mirror }),
            ...(exif && { exif }),
          }
          await add(`heic ${JSON.stringify(tiles)} ${turns} ${mirror} ${Boolean(exif)}`, heic(wish))
        }
  return files
}

const all = await shapes()

describe('the full size of a picture', () => {
  test(`the full size has the same pixels, colours and frames without metadata: ${all.length} files`, {
    tags: 'slow',
  }, async () => {
    expect(all.length).toBeGreaterThanOrEqual(300)
    for (const [name, file] of all) {
      const made = await fullOf(file)
      expect(await pixelsOf(made), name).toEqual(await pixelsOf(file))
      expect(await metadataOf(made), name).toEqual(bare)
    }
  })

  test('the full size has no text from any metadata block, nor from behind the end', async () => {
    for (const [name, file] of all.filter((_, n) => n % 3 === 0)) {
      const full = planted(file, word)
      expect(full.includes(word), name).toBe(true)
      const made = await fullOf(full)
      expect(made.includes(word), name).toBe(false)
      expect((await pixelsOf(made)).pixels, name).toBe((await pixelsOf(file)).pixels)
    }
    for (const tiles of [
      [['lights']],
      [
        ['red', 'green'],
        ['blue', 'white'],
      ],
    ]) {
      const file = planted(heic({ tiles, words: word, exif: exifBlock({ DateTime: word }) }), word)
      const made = await fullOf(file)
      expect(made.includes(word)).toBe(false)
      expect((await pixelsOf(made)).pixels).toBe((await pixelsOf(heic({ tiles }))).pixels)
    }
    const profiled = await sharp(await png({ width: 8, height: 8 }))
      .withIccProfile('p3')
      .png()
      .toBuffer()
    const at = profiled.indexOf('iCCP') - 4
    const end = at + 12 + profiled.readUInt32BE(at)
    const data = profiled.subarray(profiled.indexOf(0, at + 8), end - 4)
    const renamed = Buffer.concat([
      profiled.subarray(0, at),
      pngChunk('iCCP', Buffer.concat([Buffer.from(word), data])),
      profiled.subarray(end),
    ])
    const made = await fullOf(renamed)
    expect(made.includes(word)).toBe(false)
    expect(await pixelsOf(made)).toEqual(await pixelsOf(profiled))
  })

  test('the full size is the file itself if there is nothing to remove, and of a full size the same again', async () => {
    for (const [name, file] of all.filter((_, n) => n % 5 === 0)) {
      const once = await fullOf(file)
      expect((await fullOf(once)).equals(once), name).toBe(true)
    }
  })
})

describe('the end of a picture', () => {
  test('a picture ends at its last byte, whatever follows', async () => {
    const archive = Buffer.from('PK\x03\x04 half an archive')
    // Another picture in boxes may be part of the first.
    for (const [name, file] of all.filter((_, n) => n % 2 === 0))
      for (const more of [archive, Buffer.from('<html>'), Buffer.alloc(100), Buffer.from([0xff, 0xd9]), file])
        if (more !== file || !/^(heic|avif)/.test(name))
          expect((await read(Buffer.concat([file, more]))).end, name).toBe(file.length)
  })

  test('a picture’s end includes a declared gain map or motion video, if that is one, and within limits', async () => {
    const [photo, gain] = [await jpeg({ width: 64, height: 48 }), await jpeg({ width: 16, height: 12 })]
    const ultra = withPictures(photo, gain)
    expect((await read(ultra)).end).toBe(ultra.length)
    expect((await read(Buffer.concat([ultra, Buffer.from(word)]))).end).toBe(ultra.length)
    expect((await fullOf(ultra)).length).toBeLessThanOrEqual(photo.length)

    const film = Buffer.concat([isoBox('ftyp', 'isom'), isoBox('moov', 'x'), isoBox('mdat', 'y')])
    const motion = (bytes: number, tail: Buffer) =>
      Buffer.concat([photo.subarray(0, 2), xmp(`<x GCamera:MicroVideoOffset="${bytes}"/>`), photo.subarray(2), tail])
    const google = Buffer.concat([
      photo.subarray(0, 2),
      xmp(`<Container:Item Item:Mime="video/mp4" Item:Semantic="MotionPhoto" Item:Length="${film.length}"/>`),
      photo.subarray(2),
      film,
    ])
    for (const file of [motion(film.length, film), google]) expect((await read(file)).end).toBe(file.length)
    for (const tail of [Buffer.alloc(film.length), Buffer.from(word), film.subarray(0, 20)]) {
      const file = motion(tail.length, tail)
      expect((await read(file)).end).toBe(file.length - tail.length)
    }
    const longer = motion(film.length, Buffer.concat([film, Buffer.from(word)]))
    expect((await read(longer)).end).toBe(longer.length - word.length)
    const huge = Buffer.concat([film, isoBox('free', Buffer.alloc(17 * 1024 * 1024))])
    expect((await read(motion(huge.length, huge))).end).toBeLessThan(photo.length + 200)
    for (const file of [motion(film.length, film), google]) expect((await fullOf(file)).includes('ftyp')).toBe(false)
  })
})

test('the gain map of an HDR picture stays, without anybody’s text', async () => {
  const file = await readFile(new URL('../../../../test/fixtures/field/ultra-hdr.jpg', import.meta.url))
  const noted = withExif(file, exifBlock({ DateTime: word, Orientation: 6 }))
  const original = (await sharp(file).metadata()).gainMap?.image
  for (const given of [file, noted]) {
    const full = await fullOf(given)
    expect(full.includes(word)).toBe(false)
    // Read by the library that phones use.
    const found = await sharp(full).metadata()
    expect([found.width, found.height]).toEqual([640, 480])
    const gainMap = found.gainMap?.image as Buffer
    const pixels = (picture: Buffer) => sharp(picture).raw().toBuffer()
    expect(await pixels(gainMap)).toEqual(await pixels(original as Buffer))
    for (const numbers of ['hdrgm:GainMapMax="2.5"', 'hdrgm:OffsetSDR="0.015625"', 'hdrgm:HDRCapacityMax="2.5"'])
      expect(gainMap.includes(numbers)).toBe(true)
    // Found by its index and by its directory alike.
    const again = readStructure(full, 'image/jpeg', found.orientation)
    expect([again.end, again.full?.bytes]).toEqual([full.length, full.length])
    expect(full.includes(`Item:Length="${gainMap.length}"`)).toBe(true)
    expect(await pixels(full)).toEqual(await pixels(given))
  }
})

describe('the film of a motion photo', () => {
  const film = Buffer.concat([isoBox('ftyp', 'isom'), isoBox('mdat', 'y'), isoBox('moov', 'x')])
  const sef = (name: string) =>
    Buffer.concat([Buffer.from([0, 0, 0x30, 0x0a, name.length, 0, 0, 0]), Buffer.from(name)])
  const index = Buffer.concat([Buffer.from('SEFH'), Buffer.alloc(20), Buffer.from('SEFT')])
  const filmOf = async (file: Buffer) => {
    const { film: found, end } = await read(file)
    return { film: found && file.subarray(...found), left: file.length - (end ?? 0) }
  }

  test.each([
    ['nothing but it', film, 0],
    ['Samsung’s block and index', Buffer.concat([sef('MotionPhoto_Data'), film, index]), 0],
    ['another maker’s header', Buffer.concat([Buffer.from('MOTOROLA\0\0'), Buffer.alloc(32), film]), 0],
    ['something else after it', Buffer.concat([film, Buffer.from(word)]), word.length],
    ['a picture in boxes before it', Buffer.concat([isoBox('ftyp', 'heic'), isoBox('mdat', 'z'), film]), 0],
  ])('a motion video is found behind a JPEG and a HEIC, with %s', async (name, tail, left) => {
    const photo = await jpeg({ width: 64, height: 48 })
    expect(await filmOf(Buffer.concat([photo, tail]))).toEqual({ film, left })
    expect((await fullOf(Buffer.concat([photo, tail]))).includes('ftyp')).toBe(false)
    if (/picture|index/.test(name)) return
    expect(await filmOf(Buffer.concat([heic(), tail]))).toEqual({ film, left })
    expect((await fullOf(Buffer.concat([heic(), tail]))).includes('isom')).toBe(false)
  })

  test('a motion video is found in a box of a HEIC, whatever introduces it there', async () => {
    for (const inner of [film, Buffer.concat([sef('MotionPhoto_Data'), film])])
      expect((await filmOf(Buffer.concat([heic(), isoBox('mpvd', inner)]))).film).toEqual(film)
  })

  test('a video without index or pictures, or a picture itself, is no motion video', async () => {
    const photo = await jpeg({ width: 64, height: 48 })
    for (const tail of [
      film.subarray(0, 20),
      isoBox('ftyp', 'isom'),
      Buffer.concat([isoBox('ftyp', 'avif'), film.subarray(12)]),
    ])
      expect((await filmOf(Buffer.concat([photo, tail]))).film).toBeNull()
  })

  test.each(['motion-sef.jpg', 'motion-trailer-only.jpg'])('a motion video is found in a real file: %s', async name => {
    const file = await readFile(new URL(`../../../../test/fixtures/field/${name}`, import.meta.url))
    const { film: found, left } = await filmOf(file)
    expect([found?.toString('latin1', 4, 8), left]).toEqual(['ftyp', 0])
  })
})

describe('a structure that lies', () => {
  test('a lying JPEG is not handed out: segments longer than the file, cut ones, words where tables should end', async () => {
    const photo = await jpeg({ width: 64, height: 48 })
    const broken = (at: number, bytes: number[]) => {
      const copy = Buffer.from(photo)
      copy.set(bytes, at)
      return copy
    }
    const tables = photo.indexOf(Buffer.from([0xff, 0xdb]))
    const longer = Buffer.concat([
      photo.subarray(0, tables + 2),
      Buffer.from([0, 67 + word.length]),
      photo.subarray(tables + 4, tables + 69),
      Buffer.from(word),
      photo.subarray(tables + 69),
    ])
    const lies = [
      broken(tables + 2, [0xff, 0xff]),
      broken(tables + 2, [0, 0]),
      broken(tables + 2, [0, 1]),
      photo.subarray(0, tables + 10),
      longer,
    ]
    for (const file of lies) expect(readStructure(file, 'image/jpeg')).toMatchObject({ end: null, full: null })
  })

  test('a truncated file of any kind has no end', async () => {
    for (const [name, file] of all.filter((_, n) => n % 6 === 0)) {
      const type = await typeOf(file)
      for (const length of [0, 1, 7, 12, 20, 33, Math.floor(file.length / 2), file.length - 1])
        expect(
          readStructure(file.subarray(0, length), type).full === null || mendable(file.subarray(0, length), type),
          `${name} at ${length}`,
        ).toBe(true)
    }
  })

  /** A JPEG within its scan, or a PNG or GIF that lacks nothing but its end. */
  const mendable = (file: Buffer, type: string) =>
    (type === 'image/jpeg' && readStructure(file, type).incomplete) ||
    (type === 'image/png' && file.indexOf('IEND') > 0) ||
    (type === 'image/gif' && file.at(-1) === 0)

  test('bytes that decoders skip are left out: between segments, and segments of no length', async () => {
    const photo = await jpeg({ width: 64, height: 48, orientation: 6 })
    const at = (mark: number) => photo.indexOf(Buffer.from([0xff, mark]))
    const put = (where: number, ...bytes: Buffer[]) =>
      Buffer.concat([photo.subarray(0, where), ...bytes, photo.subarray(where)])
    const odd = [
      put(2, Buffer.from(word)),
      put(at(0xdb), Buffer.alloc(18)),
      put(at(0xdb), Buffer.from([0xff, 0xe5, 0, 0])),
      put(at(0xdb), Buffer.from([0xff, 0xfe, 0, 1]), Buffer.from(word)),
      put(at(0xda), Buffer.from([0xff, 0, 0x11, 0xff, 0xd0, 0xff, 0x01]), Buffer.from(word)),
      put(photo.length - 2, Buffer.from([0xff, 0xff, 0xff])),
    ]
    for (const [n, file] of odd.entries()) {
      const full = await fullOf(file)
      expect([n, full.includes(word), await pixelsOf(full)]).toEqual([n, false, await pixelsOf(photo)])
      expect(readStructure(file, 'image/jpeg').incomplete).toBe(false)
    }
  })

  test('a file with only a wrong end or checksum is repaired', async () => {
    const photo = await jpeg({ width: 64, height: 48 })
    for (const less of [1, 2, 3, 40]) {
      const cut = photo.subarray(0, photo.length - less)
      const { full, incomplete } = readStructure(cut, 'image/jpeg')
      expect([incomplete, full !== null]).toEqual([true, true])
      if (less <= 2) expect(await pixelsOf(await fullOf(cut))).toEqual(await pixelsOf(photo))
      else expect((await sharp(await fullOf(cut), { failOn: 'none' }).metadata()).width).toBe(64)
    }
    const picture = planted(await png({ width: 8, height: 8 }), word)
    const wrong = (name: string) => {
      const copy = Buffer.from(picture)
      const at = copy.indexOf(name)
      const end = at + 4 + copy.readUInt32BE(at - 4)
      copy[end] = (copy[end] ?? 0) ^ 1
      return copy
    }
    for (const file of [wrong('IDAT'), wrong('IEND'), wrong('tEXt'), ...[4, 8, 12].map(n => picture.subarray(0, -n))]) {
      const full = await fullOf(file)
      expect([full.includes(word), await pixelsOf(full)]).toEqual([false, await pixelsOf(picture)])
    }
    const animation = await gif({ width: 8, height: 8, frames: 3 })
    expect(await fullOf(animation.subarray(0, -1))).toEqual(animation)
  })

  test('65 535 segments are parsed, and a file that needs as many pieces is not handed out', async () => {
    const photo = await jpeg({ width: 64, height: 48 })
    const comment = jpegSegment(0xfe, Buffer.from('x'))
    const many = Buffer.concat([photo.subarray(0, 2), ...Array<Buffer>(65_535).fill(comment), photo.subarray(2)])
    expect(await pixelsOf(await fullOf(many))).toEqual(await pixelsOf(photo))
    const restart = jpegSegment(0xdd, Buffer.alloc(2))
    const mixed = Array.from({ length: 65_535 }, (_, n) => (n % 2 ? comment : restart))
    const torn = Buffer.concat([photo.subarray(0, 2), ...mixed, photo.subarray(2)])
    expect(readStructure(torn, 'image/jpeg')).toMatchObject({ end: torn.length, full: null })
  })

  test('a PNG with an unknown critical chunk or a length beyond the file is not handed out', async () => {
    const picture = await png({ width: 8, height: 8 })
    const beyond = Buffer.from(picture)
    beyond.writeUInt32BE(0xffffffff, 33)
    const put = (chunk: Buffer) => Buffer.concat([picture.subarray(0, 33), chunk, picture.subarray(33)])
    const long = put(pngChunk('gAMA', Buffer.from(word)))
    for (const file of [beyond, put(pngChunk('CgBI', Buffer.alloc(4))), long])
      expect(readStructure(file, 'image/png')).toMatchObject({ end: null, full: null })
  })

  test('a WebP or GIF whose chunks exceed the file, or a GIF with captions, is not handed out', async () => {
    const picture = await webp({ width: 8, height: 8 })
    const beyond = Buffer.from(picture)
    beyond.writeUInt32LE(0xfffffff0, 16)
    const larger = Buffer.from(picture)
    larger.writeUInt32LE(picture.length, 4)
    for (const file of [beyond, larger, riffChunk('RIFF', Buffer.from('WEBP'))])
      expect(readStructure(file, 'image/webp')).toMatchObject({ end: null, full: null })
    const animation = await gif({ width: 8, height: 8 })
    const caption = gifBlock(1, Buffer.from(word))
    const captioned = Buffer.concat([animation.subarray(0, -1), caption, animation.subarray(-1)])
    expect(readStructure(captioned, 'image/gif')).toMatchObject({ end: captioned.length, full: null })
  })

  test('boxes of size 0, of 2⁶³, or within each other are not handed out', async () => {
    const photo = heic()
    const at = photo.indexOf('mdat') - 4
    const toTheEnd = Buffer.from(photo)
    toTheEnd.writeUInt32BE(0, at)
    const behind = Buffer.concat([toTheEnd, Buffer.from(word)])
    expect((await read(behind)).end).toBe(photo.length)
    expect((await fullOf(behind)).includes(word)).toBe(false)
    const giant = Buffer.from(photo)
    giant.writeUInt32BE(1, at)
    giant.writeBigUInt64BE(2n ** 63n, at + 8)
    const empty = Buffer.from(photo)
    empty.writeUInt32BE(0, photo.indexOf('meta') - 4)
    const small = Buffer.from(photo)
    small.writeUInt32BE(7, photo.indexOf('iinf') - 4)
    const inner = Buffer.from(photo)
    inner.writeUInt32BE(0xffffff, photo.indexOf('iloc') - 4)
    for (const file of [giant, empty, small, inner]) expect(readStructure(file, 'image/heic').full).toBeNull()
  })

  test('a mutated file never fails in any other way', async () => {
    let state = 7
    const next = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state % below
    }
    for (const [, file] of all.filter((_, n) => n % 8 === 0)) {
      const type = await typeOf(file)
      for (let round = 0; round < 60; round++) {
        const copy = Buffer.from(file)
        for (let n = 0; n < 3; n++) copy[next(Math.min(copy.length, 400))] = next(256)
        const { end, full } = readStructure(copy, type)
        if (end !== null) expect(end).toBeLessThanOrEqual(copy.length)
        if (full) expect(arePieces(full.pieces, end as number)).toBe(true)
      }
    }
  })
})

test('any range of the pieces is that range of the whole', async () => {
  const file = planted(await jpeg({ width: 64, height: 48, orientation: 6 }), word)
  const { full } = await read(file)
  const pieces = [...(full?.pieces ?? []), 5, [file.length - 3, file.length] as [number, number]]
  const whole = Buffer.concat(assemble(file, pieces))
  for (let start = 0; start < whole.length; start += 13)
    for (const end of [start, start + 1, start + 40, whole.length - 1])
      if (end < whole.length && end >= start)
        expect(
          Buffer.concat(assemble(file, within(pieces, { start, end }))).equals(whole.subarray(start, end + 1)),
        ).toBe(true)
})

test('a comment makes another file of the same picture', async () => {
  for (const make of Object.values(makers)) {
    const picture = await make({ width: 16, height: 16 })
    const other = withComment(picture, 'x')
    expect(other.equals(picture)).toBe(false)
    expect((await pixelsOf(other)).pixels).toBe((await pixelsOf(picture)).pixels)
  }
})

const isoBox = (type: string, content: string | Buffer) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length)
  head.write(type, 4)
  return Buffer.concat([head, Buffer.from(content as string)])
}
const xmp = (text: string) => jpegSegment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${text}`))

/** A JPEG followed by another, and the index that names both. */
const withPictures = (photo: Buffer, second: Buffer): Buffer => {
  const index = Buffer.alloc(58)
  index.write('MM\0*', 0, 'latin1')
  index.writeUInt32BE(8, 4)
  index.writeUInt16BE(1, 8)
  index.writeUInt16BE(0xb002, 10)
  index.writeUInt16BE(7, 12)
  index.writeUInt32BE(32, 14)
  index.writeUInt32BE(26, 18)
  const segment = jpegSegment(0xe2, Buffer.concat([Buffer.from('MPF\0'), index]))
  const first = photo.length + segment.length
  // The index begins after two bytes of the photo and eight of the segment.
  index.writeUInt32BE(first, 30)
  index.writeUInt32BE(second.length, 46)
  index.writeUInt32BE(first - 10, 50)
  const written = jpegSegment(0xe2, Buffer.concat([Buffer.from('MPF\0'), index]))
  return Buffer.concat([photo.subarray(0, 2), written, photo.subarray(2), second])
}

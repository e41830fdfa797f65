import { describe, expect, test } from 'vitest'
import { appleNote, exifBlock } from '../../server/test/exif.ts'
import { hasFfmpeg, iphoneMov } from '../../server/test/films.ts'
import { box, heic } from '../../server/test/heic.ts'
import { withExif } from '../../server/test/picture-blocks.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { inShots } from './shots.ts'

/** Files by path, each with this many bytes or these bytes. */
const shotsOf = (files: Record<string, Buffer | number>) =>
  inShots(Object.keys(files), path => {
    const [folder = '', name = ''] = path.split('/')
    const bytes = files[path] ?? 0
    if (typeof bytes === 'number') return { folder, name, size: bytes, open: () => Promise.reject(new Error('unread')) }
    return { folder, name, size: bytes.length, open: () => new Blob([new Uint8Array(bytes)]) }
  })

test('files of one folder and one name are one shot, and none of them is read', async () => {
  const names = ['a/IMG_1.HEIC', 'a/IMG_1.MOV', 'a/DSC.nef', 'a/dsc.JPG', 'b/x.CR2', 'a/y.mp4', 'a/y.jpg']
  expect(await shotsOf(Object.fromEntries(names.map(name => [name, 1000])))).toEqual([
    { file: 'a/IMG_1.HEIC', live: 'a/IMG_1.MOV' },
    { file: 'a/dsc.JPG', raw: 'a/DSC.nef' },
    { file: 'b/x.CR2' },
    { file: 'a/y.mp4' },
    { file: 'a/y.jpg' },
  ])
  expect(await shotsOf({ 'a/IMG_1.HEIC': 1000, 'a/IMG_1.MOV': 100_000_000 })).toHaveLength(2)
})

describe('a Live Photo whose files have other names', () => {
  const [one, two, three] = [1, 2, 3].map(n => `0A1B2C3D-0000-4000-8000-00000000000${n}`) as [string, string, string]
  const noted = (identifier: string) => exifBlock({ MakerNote: appleNote(identifier) })
  const still = async (identifier: string) => withExif(await jpeg({}), noted(identifier))
  /** As QuickTime writes it, after the recording. */
  const moment = (identifier: string) => {
    const keys = ['com.apple.quicktime.make', 'com.apple.quicktime.content.identifier']
    const names = box('keys', u32(0), u32(keys.length), ...keys.map(key => box('mdta', Buffer.from(key))))
    const data = (text: string) => box('data', u32(1), u32(0), Buffer.from(text))
    const values = ['Apple', identifier].map((text, at) => box(String.fromCharCode(0, 0, 0, at + 1), data(text)))
    const meta = box('meta', box('hdlr', Buffer.alloc(24)), names, box('ilst', ...values))
    return Buffer.concat([box('ftyp', Buffer.from('qt  ')), box('mdat', Buffer.alloc(5000)), box('moov', meta)])
  }

  test('is one shot by the identifier in both, of JPEG and of HEIC, across folders; others stay by themselves', async () => {
    const files = {
      'a/IMG_0412.HEIC': heic({ exif: noted(one) }),
      'a/IMG_E0412.MOV': moment(one),
      'a/Kiss.jpg': await still(two),
      'b/IMG_7.MOV': moment(two),
      'a/plain.jpg': await jpeg({}),
      'a/film.mov': moment(three),
      'a/IMG_9.JPG': await still(two),
    }
    expect(await shotsOf(files)).toEqual([
      { file: 'a/IMG_0412.HEIC', live: 'a/IMG_E0412.MOV' },
      { file: 'a/Kiss.jpg', live: 'b/IMG_7.MOV' },
      { file: 'a/plain.jpg' },
      { file: 'a/film.mov' },
      { file: 'a/IMG_9.JPG' },
    ])
  })

  test('is none where a file lies about its lengths, is cut off or cannot be read', async () => {
    const [picture, film] = [await still(one), moment(one)]
    const at = picture.indexOf('Apple iOS') + 14
    const lying = Buffer.from(picture)
    lying.writeUInt16BE(0xffff, at)
    lying.writeUInt16BE(0xffff, at + 2 + 12)
    const looped = Buffer.from(film)
    looped.writeUInt32BE(0, film.indexOf('keys') - 4)
    for (const [image, live] of [
      [lying, film],
      [picture.subarray(0, at + 20), film],
      [picture, looped],
      [picture, film.subarray(0, film.length - 40)],
      [picture, Buffer.from([0, 0, 0, 7, ...Buffer.from('moov'), ...Buffer.alloc(20)])],
      [picture, 1000],
      [1000, film],
    ] as const)
      expect(await shotsOf({ 'a/one.jpg': image, 'a/two.mov': live })).toHaveLength(2)
  })

  test.skipIf(!hasFfmpeg)('is told by a film that another program wrote', async () => {
    const files = { 'a/one.jpg': await still(one), 'a/two.mov': await iphoneMov({}, one.toLowerCase()) }
    expect(await shotsOf(files)).toEqual([{ file: 'a/one.jpg', live: 'a/two.mov' }])
  })
})

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

import { describe, expect, test } from 'vitest'
import { appleNote, exifBlock } from '../../server/test/exif.ts'
import { iphoneMov } from '../../server/test/films.ts'
import { box, heic } from '../../server/test/heic.ts'
import { needing } from '../../server/test/needing.ts'
import { withExif } from '../../server/test/picture-blocks.ts'
import { jpeg } from '../../server/test/pictures.ts'
import { ffmpeg } from '../../server/test/tools.ts'
import { inOrderTaken, inShots } from './shots.ts'

/** Files by path, each with this many bytes or these bytes. */
const shotsOf = (files: Record<string, Buffer | number>) =>
  inShots(Object.keys(files), path => {
    const [folder = '', name = ''] = path.split('/')
    const bytes = files[path] ?? 0
    if (typeof bytes === 'number') return { folder, name, size: bytes, open: () => Promise.reject(new Error('unread')) }
    return { folder, name, size: bytes.length, open: () => new Blob([new Uint8Array(bytes)]) }
  })

test('a RAW and the photo of its name are one shot, unread; a film of that name stays a film', async () => {
  const names = ['a/IMG_1.HEIC', 'a/IMG_1.MOV', 'a/DSC.nef', 'a/dsc.JPG', 'b/x.CR2', 'a/y.mp4', 'a/y.jpg']
  expect(await shotsOf(Object.fromEntries(names.map(name => [name, 1000])))).toEqual([
    { file: 'a/IMG_1.HEIC' },
    { file: 'a/IMG_1.MOV' },
    { file: 'a/dsc.JPG', raw: 'a/DSC.nef' },
    { file: 'b/x.CR2' },
    { file: 'a/y.mp4' },
    { file: 'a/y.jpg' },
  ])
})

test('shots are in the order of the cameras’ clocks, and of the files’ own times where there is none', async () => {
  const at = (hour: number) => new Date(2026, 5, 21, hour).getTime()
  const file = (name: string, hour: number, bytes = new Uint8Array()) => ({
    file: new File([new Uint8Array(bytes)], name, { lastModified: at(hour) }),
  })
  const taken = async (time: string) => jpeg({ width: 64, height: 48, takenAt: `2026:06:21 ${time}` })
  const shots = [
    // Copied later than it was taken, as from a card.
    file('second.jpg', 23, await taken('19:30:00')),
    file('film.mp4', 20),
    file('first.jpg', 23, await taken('18:00:00')),
    file('shown.png', 19),
  ]
  const names = (await inOrderTaken(shots)).map(({ file }) => file.name)
  expect(names).toEqual(['first.jpg', 'shown.png', 'second.jpg', 'film.mp4'])
})

describe('a film beside a photo of its name', () => {
  const camera = { Make: 'Apple', Model: 'iPhone 15', DateTimeOriginal: '2026:06:21 23:04:11' }
  const told = { make: 'Apple', model: 'iPhone 15', creationdate: '2026-06-21T23:04:11+0200' }
  const photo = async (wish = {}) => withExif(await jpeg({}), exifBlock({ ...camera, ...wish }))
  const joined = async (film: Buffer, picture: Buffer, names = ['a/IMG_1.jpg', 'a/img_1.MOV']) =>
    (await shotsOf({ [names[0] as string]: picture, [names[1] as string]: film })).length === 1

  test('is its moment if the same camera took both in one second, and it is short and silent', async () => {
    expect(await joined(movOf(told, { seconds: 2.9 }), await photo())).toBe(true)
    expect(await joined(movOf(told), await photo({ DateTimeOriginal: '2026:06:21 23:04:12' }))).toBe(true)
  })

  test.each([
    ['lasts three seconds', movOf(told, { seconds: 3 }), {}, undefined],
    ['has sound', movOf(told, { sound: true }), {}, undefined],
    ['is of another camera', movOf({ ...told, model: 'iPhone 14' }), {}, undefined],
    ['is two seconds apart', movOf(told), { DateTimeOriginal: '2026:06:21 23:04:13' }, undefined],
    ['does not say when', movOf({ make: 'Apple', model: 'iPhone 15' }), {}, undefined],
    ['has another name', movOf(told), {}, ['a/IMG_1.jpg', 'a/IMG_2.MOV']],
    ['has no index', movOf(told).subarray(0, 1000), {}, undefined],
  ] as const)('stays a film if it %s', async (_, film, wish, names) => {
    expect(await joined(film, await photo(wish), names as string[] | undefined)).toBe(false)
  })

  test('stays a film beside a photo without EXIF, or with one that lies', async () => {
    expect(await joined(movOf(told), await jpeg({}))).toBe(false)
    const picture = await photo()
    const lying = Buffer.from(picture)
    lying.writeUInt32LE(0xfffffff0, lying.indexOf('Exif') + 10)
    expect(await joined(movOf(told), lying)).toBe(false)
  })
})

describe('a Live Photo whose files have other names', () => {
  const [one, two, three] = [1, 2, 3].map(n => `0A1B2C3D-0000-4000-8000-00000000000${n}`) as [string, string, string]
  const noted = (identifier: string) => exifBlock({ MakerNote: appleNote(identifier) })
  const still = async (identifier: string) => withExif(await jpeg({}), noted(identifier))
  const moment = (identifier: string) =>
    movOf({ make: 'Apple', 'content.identifier': identifier }, { seconds: 9, sound: true })

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

  needing(ffmpeg).test('is told by a film that another program wrote', async () => {
    const files = { 'a/one.jpg': await still(one), 'a/two.mov': await iphoneMov({}, one.toLowerCase()) }
    expect(await shotsOf(files)).toEqual([{ file: 'a/one.jpg', live: 'a/two.mov' }])
  })
})

function u32(value: number) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** As QuickTime writes it: the index after the recording. */
function movOf(told: Record<string, string>, { seconds = 2, sound = false } = {}) {
  const names = Object.keys(told).map(name => box('mdta', Buffer.from(`com.apple.quicktime.${name}`)))
  const data = (text: string) => box('data', u32(1), u32(0), Buffer.from(text))
  const values = Object.values(told).map((text, at) => box(String.fromCharCode(0, 0, 0, at + 1), data(text)))
  const keys = box('keys', u32(0), u32(names.length), ...names)
  const meta = box('meta', box('hdlr', Buffer.alloc(24)), keys, box('ilst', ...values))
  const head = box('mvhd', u32(0), u32(0), u32(0), u32(600), u32(600 * seconds), Buffer.alloc(80))
  const track = (kind: string) => box('trak', box('mdia', box('hdlr', u32(0), u32(0), Buffer.from(kind))))
  const moov = box('moov', head, track('vide'), ...(sound ? [track('soun')] : []), meta)
  return Buffer.concat([box('ftyp', Buffer.from('qt  ')), box('mdat', Buffer.alloc(5000)), moov])
}

import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { type ExifOptions, exifBlock } from '../../../../test/exif.ts'
import { jpegSegment, pngChunk, withExif } from '../../../../test/picture-blocks.ts'
import { jpeg, png } from '../../../../test/pictures.ts'
import { localOf, momentOf } from './capture-time.ts'
import { readExif, readMetadata } from './exif.ts'

const written = '2026:11:20 21:04:11'
const local = '2026-11-20T21:04:11.000'
const takenOf = (exif: Buffer | undefined) => readExif(exif).taken

describe('the capture time', () => {
  it('the capture time is read in either byte order, with and without its prefix', () => {
    for (const order of ['II', 'MM'] as const) {
      const block = exifBlock({ DateTimeOriginal: written }, order)
      expect(takenOf(block)).toEqual({ local, offset: null })
      expect(takenOf(Buffer.concat([Buffer.from('Exif\0\0'), block]))).toEqual({ local, offset: null })
    }
  })

  it('the capture time keeps the camera’s offset and fractions of a second', () => {
    const block = exifBlock({ DateTimeOriginal: written, OffsetTimeOriginal: '+05:45', SubSecTimeOriginal: '0789' })
    expect(takenOf(block)).toEqual({ local: '2026-11-20T21:04:11.078', offset: '+05:45' })
  })

  it('the exposure time precedes those of digitizing and of the last change, with its own offset if it has one', () => {
    const change = { DateTime: '2026:12:01 08:00:00', OffsetTime: '+01:00' }
    expect(takenOf(exifBlock({ ...change, DateTimeOriginal: written }))).toEqual({ local, offset: '+01:00' })
    const both = { ...change, DateTimeOriginal: written, OffsetTimeOriginal: '+05:45' }
    expect(takenOf(exifBlock(both))).toEqual({ local, offset: '+05:45' })
    expect(takenOf(exifBlock(change))).toEqual({ local: '2026-12-01T08:00:00.000', offset: '+01:00' })
  })

  it.each([
    '0000:00:00 00:00:00',
    '    :  :     :  :  ',
    '2026:02:30 10:00:00',
    '2026:11:20 25:00:00',
    '1000:01:01 00:00:00',
    '',
  ])('the capture time is unknown for %j', text => expect(takenOf(exifBlock({ DateTimeOriginal: text }))).toBe(null))

  it.each(['+25:00', '+14:01', '1:00', 'Z', '   :  ', '+0100', '2026'])('an offset of %j is ignored', text =>
    expect(takenOf(exifBlock({ DateTimeOriginal: written, OffsetTimeOriginal: text }))).toEqual({
      local,
      offset: null,
    }),
  )
})

describe('the location', () => {
  it('a location is read in degrees, south and west of zero too', () => {
    const north = exifBlock({ GPSLatitude: [47, 22, 12.5], GPSLongitude: [8, 32, 24] })
    expect(readExif(north).place).toEqual({ latitude: 47.370139, longitude: 8.54 })
    const south = exifBlock({ GPSLatitude: [33, 51, 0], GPSLongitude: [70, 30, 0], south: true, west: true })
    expect(readExif(south).place).toEqual({ latitude: -33.85, longitude: -70.5 })
  })

  it.each([
    ['no fix', [0, 0, 0], [0, 0, 0]],
    ['beyond the pole', [91, 0, 0], [8, 0, 0]],
    ['beyond the date line', [47, 0, 0], [181, 0, 0]],
    ['no number', [Number.NaN, 0, 0], [8, 0, 0]],
  ])('a location is unknown with %s', (_, GPSLatitude, GPSLongitude) =>
    expect(readExif(exifBlock({ GPSLatitude, GPSLongitude })).place).toBe(null),
  )
})

describe('a damaged block', () => {
  const whole = exifBlock({
    DateTimeOriginal: written,
    OffsetTimeOriginal: '+01:00',
    GPSLatitude: [47, 22, 12],
    GPSLongitude: [8, 3, 2],
  })
  const sensible = { taken: expect.anything(), place: expect.anything() }
  const nothing = { taken: null, place: null }

  it('a damaged block yields nothing or its intact part, wherever it is cut', () => {
    for (let length = 0; length < whole.length; length++) readExif(whole.subarray(0, length))
    expect(readExif(whole.subarray(0, 8))).toEqual(nothing)
    expect(readExif(undefined)).toEqual(nothing)
    expect(readExif(whole)).toEqual(sensible)
  })

  it('a damaged block never makes the parser throw or hang, whatever bytes are flipped', () => {
    const started = performance.now()
    for (let byte = 0; byte < whole.length; byte++)
      for (const value of [0, 1, 0x7f, 0xff]) {
        const bent = Buffer.from(whole)
        bent[byte] = value
        const { taken, place } = readExif(bent)
        if (taken) expect(Number.isFinite(momentOf(taken, null).getTime())).toBe(true)
        if (place) expect(Math.abs(place.latitude)).toBeLessThanOrEqual(90)
      }
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('a block whose directories form a cycle ends the parser', () => {
    const turning = Buffer.from('II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0\x08\0\0\0', 'latin1')
    expect(readExif(turning)).toEqual(nothing)
  })
})

describe('the moment', () => {
  const taken = (local: string, offset: string | null = null) => ({ local: `${local}.000`, offset })

  it('a moment follows from the offset, else from the event’s zone, else from UTC', () => {
    const evening = taken('2026-07-20T21:04:11', '-03:00')
    expect(momentOf(evening, 'Europe/Madrid').toISOString()).toBe('2026-07-21T00:04:11.000Z')
    expect(momentOf({ ...evening, offset: null }, 'Europe/Madrid').toISOString()).toBe('2026-07-20T19:04:11.000Z')
    expect(momentOf({ ...evening, offset: null }, null).toISOString()).toBe('2026-07-20T21:04:11.000Z')
  })

  it.each([
    ['2026-03-29T01:59:59', '2026-03-29T00:59:59.000Z'],
    ['2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25T01:59:59', '2026-10-24T23:59:59.000Z'],
    ['2026-10-25T03:00:00', '2026-10-25T02:00:00.000Z'],
  ])('the moment is right in the hours when clocks change: %s', (local, moment) =>
    expect(momentOf(taken(local), 'Europe/Madrid').toISOString()).toBe(moment),
  )

  it('a moment is stored beside the clock’s own reading', () => {
    expect(localOf({ local: '2026-11-20T21:04:11.078', offset: '+05:45' })).toBe('2026-11-20T21:04:11+05:45')
    expect(localOf(taken('2026-11-20T21:04:11'))).toBe('2026-11-20T21:04:11')
  })
})

describe('a camera that says its offset elsewhere', () => {
  const at = { DateTimeOriginal: '2026:06:21 21:00:00' }
  const offsetOf = (wish: ExifOptions) => readExif(exifBlock({ ...at, ...wish })).taken?.offset

  it('a camera’s offset is taken from any of its times, the own one first', () => {
    expect(offsetOf({ OffsetTime: '-05:00' })).toBe('-05:00')
    expect(offsetOf({ OffsetTime: '-05:00', OffsetTimeOriginal: '+02:00' })).toBe('+02:00')
  })

  it.each([
    ['2026:06:22', [2, 0, 0], '-05:00'],
    ['2026:06:21', [15, 16, 10], '+05:45'],
    ['2026:06:21', [21, 0, 0], '+00:00'],
    // A receiver that tells the time alone.
    [undefined, [2, 0, 0], '-05:00'],
    [undefined, [19, 0, 3], '+02:00'],
    // A fix of half an hour ago, of yesterday, of nowhere.
    ['2026:06:21', [18, 23, 0], null],
    ['2026:06:20', [2, 0, 0], null],
    ['2026:06:22', [Number.NaN, 0, 0], null],
  ] as const)('an offset follows from the satellites: %s %s is %s', (GPSDateStamp, GPSTimeStamp, offset) => {
    expect(offsetOf({ ...(GPSDateStamp && { GPSDateStamp }), GPSTimeStamp: [...GPSTimeStamp] })).toBe(offset)
  })
})

describe('a date that stands beside EXIF', () => {
  const taken = async (file: Buffer) => readMetadata(await sharp(file).metadata()).taken
  const told = { local: '2026-06-21T23:04:11.000', offset: '+02:00' }
  const xmp = (inner: string, attributes = '') =>
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description ${attributes}>${inner}</rdf:Description></rdf:RDF></x:xmpmeta>`
  const withXmp = async (packet: string) =>
    sharp(await jpeg({}))
      .withXmp(packet)
      .jpeg()
      .toBuffer()

  it.each([
    xmp('', 'exif:DateTimeOriginal="2026-06-21T23:04:11+02:00"'),
    xmp('', "xmp:CreateDate='2026-06-21T23:04:11+0200'"),
    xmp('<photoshop:DateCreated>2026-06-21T23:04:11+02:00</photoshop:DateCreated>'),
    xmp('', 'xmp:ModifyDate="2026-07-01T00:00:00Z" xmp:CreateDate = "2026-06-21T23:04:11+02:00"'),
  ])('a date is read from XMP: %s', async packet => {
    expect(await taken(await withXmp(packet))).toEqual(told)
  })

  it('an XMP date is ignored if it only says when something changed, or a day', async () => {
    expect(await taken(await withXmp(xmp('', 'xmp:ModifyDate="2026-06-21T23:04:11Z"')))).toBeNull()
    expect(await taken(await withXmp(xmp('', 'photoshop:DateCreated="2026-06-21"')))).toBeNull()
  })

  it('a date is read from IPTC', async () => {
    const field = (number: number, text: string) => Buffer.from([0x1c, 2, number, 0, text.length, ...Buffer.from(text)])
    const record = Buffer.concat([field(55, '20260621'), field(60, '230411+0200')])
    const block = Buffer.concat([
      Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0'),
      Buffer.from([record.length]),
      record,
    ])
    const photo = await jpeg({})
    const noted = Buffer.concat([photo.subarray(0, 2), jpegSegment(0xed, block), photo.subarray(2)])
    expect(await taken(noted)).toEqual(told)
  })

  it.each([
    'Sun, 21 Jun 2026 23:04:11 +0200',
    '21 June 2026 23:04:11 +0200',
    '2026-06-21T23:04:11+02:00',
    '2026:06:21 23:04:11+02:00',
  ])('a date is read from the text of a PNG: %s', async text => {
    const picture = await png({})
    const chunk = pngChunk('tEXt', Buffer.from(`Creation Time\0${text}`))
    expect(await taken(Buffer.concat([picture.subarray(0, 33), chunk, picture.subarray(33)]))).toEqual(told)
  })

  it('a date beside EXIF gives way to EXIF', async () => {
    const both = await sharp(withExif(await jpeg({}), exifBlock({ DateTimeOriginal: '2025:01:01 00:00:00' })))
      .keepExif()
      .withXmp(xmp('', 'exif:DateTimeOriginal="2026-06-21T23:04:11+02:00"'))
      .jpeg()
      .toBuffer()
    expect((await taken(both))?.local).toBe('2025-01-01T00:00:00.000')
  })
})

describe('a clock that was never set', () => {
  it.each([
    '1904:01:01 00:00:00',
    '1970:01:01 00:00:00',
    '1969:12:31 19:00:00',
    '1970:02:13 08:00:00',
    '1980:01:01 00:00:00',
    '1980:01:01 03:12:44',
    '2000:01:01 00:00:00',
  ])('an unset clock gives no date: %s', DateTimeOriginal => {
    expect(readExif(exifBlock({ DateTimeOriginal })).taken).toBeNull()
  })

  it('an unset clock does not hide a valid date', () => {
    const { taken } = readExif(exifBlock({ DateTimeOriginal: '1970:01:01 00:00:00', DateTime: '2026:06:21 23:04:11' }))
    expect(taken?.local).toBe('2026-06-21T23:04:11.000')
    expect(readExif(exifBlock({ DateTimeOriginal: '1955:05:05 12:00:00' })).taken?.local).toBe(
      '1955-05-05T12:00:00.000',
    )
  })
})

it.each([
  ['2026/11/20 21:04:11', '2026-11-20T21:04:11.000'],
  ['2026.11.20 21:04:11', '2026-11-20T21:04:11.000'],
  ['2026-11-20 21:04:11', '2026-11-20T21:04:11.000'],
  ['2025:12:31 24:08:19', '2026-01-01T00:08:19.000'],
  ['2026:02:30 24:08:19', null],
  ['2026:11/20 21:04:11', null],
])('a camera writes its date in more than one way: %s', (DateTimeOriginal, local) => {
  expect(readExif(exifBlock({ DateTimeOriginal })).taken?.local ?? null).toBe(local)
})

it('a clock far ahead of the upload gives no date, one months ahead does', () => {
  const ahead = (days: number) => {
    const DateTimeOriginal = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replaceAll('-', ':')
    return readExif(exifBlock({ DateTimeOriginal })).taken
  }
  expect(ahead(400)).toBeNull()
  expect(ahead(200)).not.toBeNull()
})

describe('a real camera’s picture', () => {
  it.each([
    ['date-offset-of-change-only.jpg', { local: '2027-06-21T21:00:00.000', offset: '-05:00' }],
    ['date-gps-utc.jpg', { local: '2027-06-21T21:00:00.000', offset: '-05:00' }],
    ['date-xmp-only.jpg', { local: '2027-06-21T21:00:00.000', offset: '-05:00' }],
    ['date-1904.jpg', null],
    ['date-1980.jpg', null],
    ['date-2099.jpg', null],
    ['date-24-hours.jpg', { local: '2027-06-22T00:08:19.000', offset: null }],
    ['date-slashes.jpg', { local: '2027-06-21T21:00:00.000', offset: null }],
  ])('a real camera’s picture has its capture time: %s', async (name, taken) => {
    const file = await readFile(new URL(`../../../../test/fixtures/field/${name}`, import.meta.url))
    expect(readMetadata(await sharp(file).metadata()).taken).toEqual(taken)
  })
})

import { describe, expect, it } from 'vitest'
import { takenAt } from './exif-date.ts'

const dateOf = (text: string, order: 'II' | 'MM' = 'II') => takenAt(exif(text, order))?.toISOString() ?? null

describe('when a picture was taken', () => {
  it('is read in either byte order, with and without its prefix', () => {
    expect(dateOf('2026:11:20 21:04:11')).toBe('2026-11-20T21:04:11.000Z')
    expect(dateOf('2026:11:20 21:04:11', 'MM')).toBe('2026-11-20T21:04:11.000Z')
    const block = Buffer.concat([Buffer.from('Exif\0\0'), exif('2026:11:20 21:04:11', 'MM')])
    expect(takenAt(block)?.toISOString()).toBe('2026-11-20T21:04:11.000Z')
  })

  it.each([
    '0000:00:00 00:00:00',
    '    :  :     :  :  ',
    '2026:02:30 10:00:00',
    '2026:11:20 25:00:00',
    '1000:01:01 00:00:00',
    '',
  ])('is unknown for %j', text => expect(dateOf(text)).toBe(null))

  it('is unknown for a block that is cut, empty or points out of itself', () => {
    const whole = exif('2026:11:20 21:04:11', 'II')
    for (let length = 0; length < 44 + 19; length++) expect(takenAt(whole.subarray(0, length))).toBe(null)
    for (let byte = 0; byte < whole.length - 20; byte++) {
      const bent = Buffer.from(whole)
      bent[byte] = 0xff
      expect(() => takenAt(bent)).not.toThrow()
    }
    expect(takenAt(undefined)).toBe(null)
  })
})

// One directory pointing to the EXIF directory, which holds DateTimeOriginal alone.
function exif(text: string, order: 'II' | 'MM'): Buffer {
  const block = Buffer.alloc(44 + 20)
  const u16 = (value: number, at: number) =>
    order === 'II' ? block.writeUInt16LE(value, at) : block.writeUInt16BE(value, at)
  const u32 = (value: number, at: number) =>
    order === 'II' ? block.writeUInt32LE(value, at) : block.writeUInt32BE(value, at)
  block.write(order)
  u16(42, 2)
  u32(8, 4)
  directory(8, 0x8769, 4, 1, 26)
  directory(26, 0x9003, 2, 20, 44)
  block.write(text, 44, 'latin1')
  return block

  function directory(at: number, tag: number, kind: number, count: number, value: number) {
    u16(1, at)
    u16(tag, at + 2)
    u16(kind, at + 4)
    u32(count, at + 6)
    u32(value, at + 10)
  }
}

import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { detectContainer, endsEarly } from './container.ts'

const path = join(tmpdir(), `afterglow-container-${process.pid}`)
afterAll(() => rm(path, { force: true }))
const told = async (bytes: Buffer | string) => {
  await writeFile(path, bytes)
  return (await detectContainer(path))?.type
}
const ftyp = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mp42isom`, 'latin1')
const asf = Buffer.concat([Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'), Buffer.alloc(40)])

test('a video is recognised by its content', async () => {
  expect(await told(ftyp('isom'))).toBe('video/mp4')
  expect(await told(ftyp('mp42'))).toBe('video/mp4')
  expect(await told(ftyp('M4V '))).toBe('video/mp4')
  expect(await told(ftyp('qt  '))).toBe('video/quicktime')
  expect(await told('\0\0\0\x08wide\0\0\0\x08mdat')).toBe('video/quicktime')
  for (const brand of ['3gp4', '3gp5', '3g2a', 'M4VH', 'MSNV', 'dash', 'M4A '])
    expect(await told(ftyp(brand))).toBe('video/mp4')
  const [skip, uuid] = [Buffer.from('\0\0\0\x0cskipabcd'), Buffer.from('\0\0\0\x20uuid'.padEnd(32, 'u'), 'latin1')]
  expect(await told(Buffer.concat([skip, ftyp('isom')]))).toBe('video/mp4')
  expect(await told(Buffer.concat([uuid, skip, ftyp('qt  ')]))).toBe('video/quicktime')
  expect(await told('RIFF\x10\0\0\0AVI LIST')).toBe('video/x-msvideo')
  expect(await told(asf)).toBe('video/x-ms-wmv')
})

test('no other file counts as a video, whatever its name', async () => {
  const others = [
    '',
    'RIFF',
    'RIFF\x10\0\0\0WAVEfmt ',
    '#EXTM3U\n#EXTINF:1,\n/etc/passwd\n',
    "ffconcat version 1.0\nfile '/etc/passwd'\n",
    '<html><video src=x></html>',
    'GIF89a\x01\0\x01\0',
    '\x1a\x45\xdf\xa3matroska webm',
    ftyp('heic'),
    ftyp('avif'),
    ftyp('msf1'),
    Buffer.concat([Buffer.from('\0\0\0\x0cskipabcd'), ftyp('heic')]),
    Buffer.concat([Buffer.from('\0\0\0\x0cjunkabcd'), ftyp('isom')]),
    Buffer.from('\0\0\0\x08skip'.repeat(100)),
  ]
  for (const bytes of others) expect([bytes.toString(), await told(bytes)]).toEqual([bytes.toString(), undefined])
})

test('a video without its index, or cut within a box, ends early', async () => {
  const early = async (bytes: Buffer) => {
    await writeFile(path, bytes)
    return endsEarly(path)
  }
  const whole = Buffer.concat([ftyp('isom'), Buffer.from('\0\0\0\x0cmdatabcd\0\0\0\x0cmoovabcd')])
  expect(await early(whole)).toBe(false)
  for (const less of [1, 4, 12, 16]) expect(await early(whole.subarray(0, whole.length - less))).toBe(true)
  expect(await early(Buffer.concat([ftyp('isom'), Buffer.from('\0\0\0\x0cmoovabcd\0\0\0\0mdatabcd')]))).toBe(false)
})

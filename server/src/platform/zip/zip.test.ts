import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import * as yauzl from 'yauzl'
import { has } from '../../../test/needing.ts'
import { newFolder } from '../../../test/new-folder.ts'
import { sevenZip, unzip } from '../../../test/tools.ts'
import { type Contents, layOut } from './layout.ts'
import type { Entry } from './records.ts'
import { ZipChanged, zipBytes } from './stream.ts'

const run = promisify(execFile)
let folder = ''
beforeAll(async () => {
  folder = newFolder('zip')
})

const at = new Date('2026-11-20T21:04:11Z')
type File = Entry & { content: Buffer }
const file = (name: string, content: Buffer | string): File => {
  const bytes = Buffer.from(content as string)
  return { name, content: bytes, bytes: bytes.length, crc32: crc32(bytes), at }
}
const contentsOf = (files: readonly File[]): Contents<File> => ({
  async *entries() {
    yield* files
  },
  open: async ({ content }, { start, end }) => Readable.from([content.subarray(start, end + 1)]),
})
const written = async (contents: Contents<File>, range?: { start: number; end: number }) =>
  Buffer.concat(await Array.fromAsync(zipBytes(contents, await layOut(contents.entries()), range)))

describe('files are opened some before they are needed', () => {
  const streams: Readable[] = []
  const opening = (files: readonly File[], failing = -1): Contents<File> => {
    streams.length = 0
    return {
      ...contentsOf(files),
      async open({ content }, { start, end }) {
        const stream = Readable.from([content.subarray(start, end + 1)])
        streams.push(stream)
        if (streams.length - 1 === failing) stream.destroy(new Error('The storage is away.'))
        return stream
      },
    }
  }
  const small = Array.from({ length: 40 }, (_, n) => file(`${n}.jpg`, Buffer.alloc(1000, n)))

  test('a few files are opened ahead, none behind many unread bytes, and all are closed when reading stops', async () => {
    for (const [files, most] of [
      [small, 8],
      [small.map(({ name }) => file(name, Buffer.alloc(3 * 1024 * 1024))), 2],
    ] as const) {
      const contents = opening(files)
      const bytes = zipBytes(contents, await layOut(contents.entries()))
      await bytes.next()
      expect(streams).toHaveLength(most)
      await bytes.return(undefined)
      await expect.poll(() => streams.every(({ destroyed }) => destroyed)).toBe(true)
    }
  })

  test('a file that fails early breaks the zip in its turn, and nothing else', async () => {
    const contents = opening(small, 5)
    const layout = await layOut(contents.entries())
    let sent = 0
    const sending = async () => {
      for await (const chunk of zipBytes(contents, layout)) {
        sent += chunk.length
        await new Promise(resolve => setTimeout(resolve, 1))
      }
    }
    await expect(sending()).rejects.toThrow('The storage is away.')
    expect(sent).toBeGreaterThan(5000)
    expect(sent).toBeLessThan(7000)
    await expect.poll(() => streams.every(({ destroyed }) => destroyed)).toBe(true)
  })

  test('a range before the current position is refused, too', async () => {
    const layout = await layOut(contentsOf(small).entries())
    const fewer = contentsOf(small.slice(0, 3))
    await expect(Array.fromAsync(zipBytes(fewer, layout, { start: 0, end: 20_000 }))).rejects.toThrow(ZipChanged)
  })
})

test('any range of a zip is that part of the whole', async () => {
  const files = Array.from({ length: 9 }, (_, n) => file(`photo ${n}.jpg`, Buffer.alloc(n * 37, n)))
  const contents = contentsOf(files)
  const whole = await written(contents)
  expect(whole.length).toBe((await layOut(contents.entries())).length)
  const position = fc.integer({ min: 0, max: whole.length - 1 })
  await fc.assert(
    fc.asyncProperty(position, position, async (a, b) => {
      const range = { start: Math.min(a, b), end: Math.max(a, b) }
      expect((await written(contents, range)).equals(whole.subarray(range.start, range.end + 1))).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('an empty zip is valid', async () => {
  expect((await written(contentsOf([]))).toString('hex')).toBe(`504b0506${'00'.repeat(18)}`)
})

test('every zip reader finds every file', async () => {
  const files = [file('a.jpg', 'first'), file('empty.txt', ''), file('b_c.mp4', Buffer.alloc(100_000, 7))]
  const path = join(folder, 'small.zip')
  await writeFile(path, await written(contentsOf(files)))
  const opened = await yauzl.openPromise(path)
  const found: string[] = []
  for await (const entry of opened.eachEntry()) found.push(`${entry.fileName} ${entry.crc32} ${entry.uncompressedSize}`)
  expect(found).toEqual(files.map(({ name, crc32, bytes }) => `${name} ${crc32} ${bytes}`))
  if (has(unzip)) expect((await run('unzip', ['-t', path])).stdout).toContain('No errors detected')
  if (has(sevenZip)) expect((await run('7z', ['t', path])).stdout).toContain('Everything is Ok')
})

describe('a file that changed meanwhile does not look complete', () => {
  const [one, two] = [file('one', 'eins'), file('two', 'zwei')]
  test.each([
    ['a file went', [one], [one, two]],
    ['a file came', [one, two], [one]],
    ['a file is shorter', [{ ...one, content: Buffer.from('ein') }], [one]],
    ['a file is longer', [{ ...one, content: Buffer.from('einsss') }], [one]],
    ['a file rotted', [{ ...one, content: Buffer.from('einz') }], [one]],
  ])('%s', async (_, now, before) => {
    const layout = await layOut(contentsOf(before).entries())
    // Regardless of the requested range, because a corrupted file may be longer.
    const contents = { ...contentsOf(now), open: async ({ content }: File) => Readable.from([content]) }
    await expect(Array.fromAsync(zipBytes(contents, layout))).rejects.toBeInstanceOf(ZipChanged)
  })
})

test('a zip of 70 000 files opens', { tags: 'slow' }, async () => {
  const contents: Contents<File> = {
    async *entries() {
      for (let n = 0; n < 70_000; n++) yield file(`2026-11-20_21-04-11_olivia_${n}.jpg`, `photo ${n}`)
    },
    open: async ({ content }, { start, end }) => Readable.from([content.subarray(start, end + 1)]),
  }
  const path = join(folder, 'many.zip')
  const layout = await layOut(contents.entries())
  await pipeline(Readable.from(zipBytes(contents, layout)), createWriteStream(path))
  const opened = await yauzl.openPromise(path)
  expect(opened.entryCount).toBe(70_000)
  opened.close()
  if (has(unzip)) expect((await run('unzip', ['-tqq', path])).stdout).toBe('')
  if (has(sevenZip)) expect((await run('7z', ['t', path])).stdout).toContain('Everything is Ok')
})

/*
 * Only non-zero bytes of the 5 GB are written: the files are sparse. `AFTERGLOW_BIG_ZIP=1` lets a real unzip read them
 * all.
 */
test('a zip of more than 4 GB opens: a file of 4.5 GB, and another behind it', async () => {
  const gigabyte = 1024 ** 3
  const big = {
    name: 'film.mp4',
    bytes: 4.5 * gigabyte,
    crc32: crc32OfZeros(4.5 * gigabyte),
    at,
    content: Buffer.alloc(0),
  }
  const last = file('last.jpg', 'behind it')
  const contents = contentsOf([big, last])
  const layout = await layOut(contents.entries())
  const path = join(folder, 'big.zip')
  const sparse = await open(path, 'w')
  // Everything except the inside of the video, by ranges.
  const inside = { start: 4096, end: big.bytes - 4096 }
  const zeros = {
    ...contents,
    open: async (entry: File, range: { start: number; end: number }) =>
      entry.name === big.name
        ? Readable.from([Buffer.alloc(range.end - range.start + 1)])
        : contents.open(entry, range),
  }
  for (const range of [
    { start: 0, end: inside.start },
    { start: inside.end, end: layout.length - 1 },
  ]) {
    let position = range.start
    for await (const chunk of zipBytes(zeros, layout, range)) {
      await sparse.write(chunk, 0, chunk.length, position)
      position += chunk.length
    }
    expect(position).toBe(range.end + 1)
  }
  await sparse.close()
  const opened = await yauzl.openPromise(path)
  const found = []
  for await (const entry of opened.eachEntry()) found.push([entry.fileName, entry.uncompressedSize])
  expect(found).toEqual([
    [big.name, big.bytes],
    [last.name, last.bytes],
  ])
  if (has(unzip)) {
    const { stdout } = await run('unzip', ['-p', path, last.name])
    expect(stdout).toBe('behind it')
  }
  if (process.env.AFTERGLOW_BIG_ZIP) {
    expect((await run('unzip', ['-t', path], { maxBuffer: 1 << 24 })).stdout).toContain('No errors detected')
    expect((await run('7z', ['t', path])).stdout).toContain('Everything is Ok')
  }
}, 300_000)

/** The checksum of this many zeros, by doubling a megabyte's: fast, where reading 4.5 GB is not. */
function crc32OfZeros(bytes: number): number {
  const block = Buffer.alloc(16 * 1024 * 1024)
  let sum = 0
  for (let left = bytes; left > 0; left -= block.length)
    sum = crc32(left < block.length ? block.subarray(0, left) : block, sum)
  return sum
}

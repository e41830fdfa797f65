import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { compiled } from '../../../../test/compiled.ts'
import { full } from '../../../../test/full.ts'
import { later } from '../../../../test/later.ts'
import { atHand, type StorageAtHand, storageAtHand } from '../../../../test/media.ts'
import { needing } from '../../../../test/needing.ts'
import { newFolder } from '../../../../test/new-folder.ts'
import { envOf, s3AtHand, s3Place } from '../../../../test/s3.ts'
import { s3 } from '../../../../test/tools.ts'
import { moveFiles } from './copy-files.ts'
import { openDisk } from './disk.ts'
import { NotStored, StorageFailed } from './storage.ts'
import { moving } from './storage-migration.ts'

const program = new URL('../../../command/storage-move.ts', import.meta.url).pathname

needing(s3).describe.each([
  { name: 'disk to S3', here: storageAtHand, there: () => s3AtHand() },
  { name: 'S3 to disk', here: () => s3AtHand(), there: storageAtHand },
])('moving from $name', ({ here, there }) => {
  let from: StorageAtHand
  let to: StorageAtHand
  beforeEach(async () => {
    from = await here()
    to = await there()
  })
  afterEach(async () => {
    await from.end()
    await to.end()
  })

  test('new files go to the target, and files not yet moved are read from the source', { tags: 'slow' }, async () => {
    const both = atHand({ ...to, storage: moving(to.storage, from.storage), home: to.directory, end: async () => {} })
    const [old, fresh] = [Buffer.from('old'), Buffer.from('new')]
    const oldHash = await from.put(old)
    const freshHash = await both.put(fresh)
    expect(await to.hashes()).toEqual([freshHash])
    for (const [sha256, bytes] of [
      [oldHash, old],
      [freshHash, fresh],
    ] as const) {
      expect(await both.bytesOf(sha256)).toEqual(bytes)
      expect(await both.storage.has(sha256)).toBe(true)
      expect((await both.storage.find(sha256))?.bytes).toBe(3)
    }
    expect((await both.hashes()).sort()).toEqual([oldHash, freshHash].sort())
    await from.put(fresh)
    for (const sha256 of [oldHash, freshHash]) await both.storage.remove(sha256)
    expect([await from.hashes(), await to.hashes()]).toEqual([[], []])
    await expect(both.storage.open(oldHash)).rejects.toBeInstanceOf(NotStored)
  })

  test('the copy has every file once, whole, and damaged ones are reported', { tags: 'slow' }, async () => {
    const contents = Array.from({ length: 30 }, (_, count) => randomBytes(count * 1000))
    const hashes = await Promise.all(contents.map(from.put))
    await to.put(contents[7] as Buffer)
    const wrong = from.storage.temporary()
    await writeFile(wrong.path, 'not what its address says')
    expect(await moveFiles(from.storage, to.storage)).toMatchObject({ files: 30, copied: 29, there: 1, damaged: [] })
    for (const [at, sha256] of hashes.entries()) expect(await to.bytesOf(sha256)).toEqual(contents[at])
    expect(await moveFiles(from.storage, to.storage)).toMatchObject({ files: 30, copied: 0, there: 30 })
    await wrong.remove()
    expect([...(await from.temporaries()), ...(await to.temporaries())]).toEqual([])
  })

  test('the copy ends with the error if the target fails', async () => {
    for (let count = 0; count < 20; count++) await from.put(randomBytes(100))
    const put = async (path: string) => {
      await rm(path)
      throw new StorageFailed('full', new Error())
    }
    await expect(moveFiles(from.storage, { ...to.storage, put })).rejects.toBeInstanceOf(StorageFailed)
    expect(await to.temporaries()).toEqual([])
  })
})

test('a file damaged in the source is named and not copied', async () => {
  const [from, to] = [await storageAtHand(), await storageAtHand()]
  const sha256 = await from.put(Buffer.from('right'))
  await writeFile(join(from.directory, sha256.slice(0, 2), sha256.slice(2, 4), sha256), 'wrong')
  expect(await moveFiles(from.storage, to.storage)).toMatchObject({ files: 1, copied: 0, damaged: [sha256] })
  expect(await to.hashes()).toEqual([])
  await Promise.all([from.end(), to.end()])
})

needing(s3).describe('the command', () => {
  const running: ChildProcess[] = []
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL')
  })
  const run = (env: Record<string, string>, ...args: string[]) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...compiled, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.push(child)
    return child
  }
  const endOf = async (child: ChildProcess) => {
    const said = later([text(child.stdout as never), text(child.stderr as never)])
    const code = await new Promise<number | null>(resolve => child.once('exit', resolve))
    return { code, said: (await Promise.all(said)).join('') }
  }

  test('the command resumes after two kills, and the way back restores every byte', { tags: 'slow' }, async () => {
    const dataDir = newFolder('move')
    const media = join(dataDir, 'media')
    // As the service has it open.
    const storage = await openDisk(media)
    const disk = atHand({ storage, home: dataDir, directory: media, end: async () => {} })
    const count = full ? 200 : 60
    const contents = Array.from({ length: count }, (_, nth) => randomBytes(20_000 + nth))
    const hashes = await Promise.all(contents.map(disk.put))
    const underWay = storage.temporary()
    await writeFile(underWay.path, 'an upload of the service')
    const place = await s3Place()
    const env = { DATA_DIR: dataDir, ...envOf(place) }
    const s3 = await s3AtHand(place)

    for (const enough of [count / 20, count / 4]) {
      const child = run(env, '--to', env.STORAGE)
      await vi.waitFor(async () => expect((await s3.hashes()).length).toBeGreaterThan(enough), {
        timeout: 60_000,
        interval: 20,
      })
      child.kill('SIGKILL')
      await endOf(child)
      expect((await s3.hashes()).length).toBeLessThan(count)
    }
    const { code, said } = await endOf(run(env, '--to', env.STORAGE))
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`Done: ${count} files \\(\\S+ MB\\) seen, \\d+ copied, \\d+ there already, 0 damaged\\.`),
      ),
    ])
    for (const [at, sha256] of hashes.entries()) expect(await s3.bytesOf(sha256)).toEqual(contents[at])
    expect(existsSync(underWay.path)).toBe(true)

    await Promise.all(
      (await readdir(media)).filter(name => name.length === 2).map(name => rm(join(media, name), { recursive: true })),
    )
    const back = await endOf(run({ ...env, STORAGE: 'disk', STORAGE_FROM: env.STORAGE }, '--to', 'disk'))
    expect([back.code, back.said]).toEqual([0, expect.stringContaining(`${count} copied, 0 there already`)])
    for (const [at, sha256] of hashes.entries()) expect(await disk.bytesOf(sha256)).toEqual(contents[at])
    expect(await readdir(media)).not.toContain('moving')
    await s3.end()
    await disk.end()
  })

  test('the command says in a sentence what it lacks', async () => {
    const dataDir = newFolder('move')
    const misses = async (...args: string[]) => (await endOf(run({ DATA_DIR: dataDir }, ...args))).said
    expect(await misses()).toBe('Say where to: npm run storage:move -- --to s3://bucket (or --to disk).\n')
    expect(await misses('--to', 's3://bucket?endpoint=http://127.0.0.1:1')).toBe(
      'The storage s3://bucket at http://127.0.0.1:1 needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a profile or a role.\n',
    )
  })
})

import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { heic } from '../../../../../test/heic.ts'
import { later } from '../../../../../test/later.ts'
import { storageAtHand } from '../../../../../test/media.ts'
import { newFolder } from '../../../../../test/new-folder.ts'
import { jpeg, webp } from '../../../../../test/pictures.ts'
import type { PictureTask } from '../picture-task.ts'
import { openDecoders } from './decoders.ts'

const folder = newFolder('decoders')
const at = await storageAtHand()
afterAll(() => Promise.all([at.end(), rm(folder, { recursive: true, force: true })]))
const [photo, phone, film] = ['photo', 'phone', 'film'].map(name => join(folder, name)) as [string, string, string]
await writeFile(photo, await jpeg({ width: 320, height: 240 }))
await writeFile(film, await webp({ width: 300, height: 300, frames: 11 }))
await writeFile(phone, heic({ tiles: [['red', 'green']] }))

const somebody = { who: 'somebody' }
const task: Omit<PictureTask, 'costMax'> = {
  act: 'picture',
  wanted: { pixelsMax: 1_000_000, shape: 'photo', animated: true },
}

/** IDs of all decoder processes of this process. */
const running = async () => {
  const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const told = await Promise.all(
    ids.map(async id => {
      const [line, status] = await Promise.all(
        ['cmdline', 'status'].map(file => readFile(`/proc/${id}/${file}`, 'utf8').catch(() => '')),
      )
      return line?.includes('picture-worker') && status?.includes(`PPid:\t${process.pid}\n`) ? id : undefined
    }),
  )
  return told.filter(id => id !== undefined)
}
/** Test files share a process. */
const others = new Set(await running())
const decoders = async () => (await running()).filter(id => !others.has(id))

const open = (swollenBytes?: number, usualCostMax?: number) =>
  openDecoders({
    concurrency: 2,
    limitSeconds: 30,
    idleSeconds: 60,
    quietSeconds: 0.1,
    storage: at.storage,
    log: { warn() {} },
    ...(swollenBytes !== undefined && { swollenBytes }),
    ...(usualCostMax !== undefined && { usualCostMax }),
  })

test('a decoder that a picture left swollen ends after it, and the next picture gets another', async () => {
  const swelling = open(1)
  const answers = await Promise.all(
    [photo, phone, photo, phone].map(source => swelling.perform(task, source, somebody)),
  )
  for (const answer of answers) expect(answer).toMatchObject({ answer: { made: { width: expect.any(Number) } } })
  expect(await decoders()).toEqual([])
  await swelling.close()
})

test('a small decoder takes the next picture too, and ends on close', async () => {
  const kept = open()
  await kept.perform(task, photo, somebody)
  const first = await decoders()
  expect(first).toHaveLength(1)
  expect(await kept.perform(task, phone, somebody)).toMatchObject({ answer: { made: { width: 128 } } })
  expect(await decoders()).toEqual(first)
  await kept.close()
  expect(await decoders()).toEqual([])
})

test('animations of six people leave a decoder for a seventh’s photo, and are all made', {
  tags: 'slow',
}, async () => {
  const shared = open(undefined, 1)
  const over: string[] = []
  const animations = later(
    ['a', 'b', 'c', 'd', 'e', 'f'].map(who =>
      shared.perform(task, film, { who }).then(answer => {
        over.push('animation')
        return answer
      }),
    ),
  )
  await shared.perform(task, photo, somebody)
  expect(over.length).toBeLessThan(3)
  for (const made of await Promise.all(animations)) expect(made).toMatchObject({ answer: { made: { width: 300 } } })
  await shared.close()
})

test('the decoders are quiet once no picture has been awaited for a while; background work does not count', async () => {
  const shared = open()
  const never = new AbortController().signal
  expect(await shared.quiet(never)).toBe(true)
  let over = 0
  const pictures = later(
    [photo, phone, photo].map(source => shared.perform(task, source, somebody).then(() => (over += 1))),
  )
  expect(await shared.quiet(never)).toBe(true)
  expect(over).toBe(3)
  const spare = later(shared.perform({ act: 'medium' }, photo, somebody))
  expect(await shared.quiet(never)).toBe(true)
  await Promise.all([...pictures, spare])
  const waiting = [shared.perform(task, phone, somebody), shared.quiet(AbortSignal.abort())]
  expect(await waiting[1]).toBe(false)
  await Promise.all(waiting)
  await shared.close()
})

test('an abandoned picture is not decoded', { tags: 'slow' }, async () => {
  const shared = open()
  const gone = new AbortController()
  const before = await at.temporaries()
  const busy = later([photo, phone, phone].map(source => shared.perform(task, source, { who: 'busy' })))
  const dropped = shared.perform(task, photo, { who: 'gone', gone: gone.signal })
  gone.abort()
  await expect(dropped).rejects.toThrow('The connection was closed.')
  const made = (await Promise.all(busy)).flatMap(({ files }) => files.map(file => basename(file.path)))
  // Only files made for callers that were waiting.
  expect(new Set([...before, ...made])).toEqual(new Set(await at.temporaries()))
  await shared.close()
})

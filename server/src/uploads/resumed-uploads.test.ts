import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileAt, fileFrom } from '@afterglow/sdk/node'
import { type UrlStorage, uploadPhoto } from '@afterglow/sdk/upload'
import { afterAll, describe, expect, test } from 'vitest'
import { enter } from '../../test/cast.ts'
import { openCuttingProxy } from '../../test/cutting-proxy.ts'
import { full } from '../../test/full.ts'
import { newFolder } from '../../test/new-folder.ts'
import { openNodes } from '../../test/nodes.ts'
import { bringIn, evening } from '../../test/party.ts'
import { padded } from '../../test/picture-blocks.ts'
import { jpeg } from '../../test/pictures.ts'
import { addressOf, sessionIn, tusFor } from '../../test/tus.ts'
import { openDatabase } from '../platform/database/database.ts'

const megabyte = 1024 * 1024
const bigBytes = (full ? 1000 : 200) * megabyte
const folder = newFolder('resuming')
const service = await openNodes({ PHOTO_MB_MAX: '1024' })
let node = service.first
const db = openDatabase(service.databaseUrl, { connections: 1 })
afterAll(() => db.destroy())

const olivia = await enter(node, 'olivia')
const gus = await enter(node, 'gus')
const { id: event_id } = await olivia.api.events.saveEvent(evening())
await bringIn(olivia, event_id, gus)

const picture = await jpeg({ width: 320, height: 240 })
/** A photo with this much camera data next to its picture: the uploaded bytes are compared. */
const largePhoto = async (name: string, bytes: number) => {
  const path = join(folder, name)
  const file = await open(path, 'w')
  await file.write(picture.subarray(0, 2))
  for (let left = bytes; left > 0; left -= megabyte)
    await file.write(padded(picture, Math.min(left, megabyte)).subarray(2, -(picture.length - 2)))
  await file.write(picture.subarray(2))
  await file.close()
  return path
}
const sumOf = async (path: string) => {
  const hash = createHash('sha256')
  const file = await open(path)
  for await (const chunk of file.createReadStream({ highWaterMark: megabyte })) hash.update(chunk)
  return hash.digest('hex')
}
const storedSum = async (photoId: string) => {
  const row = await db
    .selectFrom('photos')
    .innerJoin('media', 'media.id', 'photos.media_id')
    .select(['original_sha256', 'original_bytes'])
    .where('photos.id', '=', Number(photoId))
    .executeTakeFirstOrThrow()
  return row.original_sha256
}
const memoryOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

describe('over a network that breaks', () => {
  test('a large photo arrives unchanged, however often its connection is cut, and the server’s memory does not grow', {
    tags: 'slow',
    timeout: 600_000,
  }, async () => {
    const path = await largePhoto('large.jpg', bigBytes)
    const cuts = Array.from({ length: 10 }, (_, cut) => Math.floor((bigBytes * (cut + 0.37)) / 10))
    const proxy = await openCuttingProxy(() => Number(new URL(node.url).port), cuts)
    const before = memoryOf(node.pid)
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, memoryOf(node.pid))
    }, 50)
    const told: number[] = []
    const began = Date.now()
    const photo = await uploadPhoto(
      { baseUrl: proxy.url, token: gus.token },
      { event_id, image: await fileAt(path) },
      { onProgress: sent => told.push(sent), retryDelays: Array(30).fill(50) },
    )
    clearInterval(watch)
    await proxy.close()
    expect(proxy.cuts()).toBeGreaterThanOrEqual(10)
    expect(await storedSum(photo.id)).toBe(await sumOf(path))
    expect(told.at(-1)).toBe((await stat(path)).size)
    const again = proxy.passed() / bigBytes
    console.log(
      `${bigBytes / megabyte} MB in ${Date.now() - began} ms, ${proxy.cuts()} cuts, ${again.toFixed(2)} times the bytes sent, server ${before.toFixed(0)} → ${peak.toFixed(0)} MB`,
    )
    expect(peak - before).toBeLessThan(128)
  })

  test('a small photo is sent as one form, and retried', async () => {
    const proxy = await openCuttingProxy(() => Number(new URL(node.url).port), [100, picture.length + 1200])
    const photo = await uploadPhoto(
      { baseUrl: proxy.url, token: gus.token },
      { event_id, image: new Uint8Array(picture), event_photo_caption: 'Small' },
      { retryDelays: [10, 10, 10, 10] },
    )
    expect(proxy.cuts()).toBe(2)
    expect(photo.taken_by.id).toBe(gus.id)
    await proxy.close()
  })

  test('an upload from a stream arrives as well', async () => {
    const bytes = padded(picture, 9 * megabyte)
    await using source = await fileFrom(Readable.from([bytes]))
    const photo = await uploadPhoto({ baseUrl: node.url, token: gus.token }, { event_id, image: source.file })
    expect(await storedSum(photo.id)).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  test('a refusal is not retried', async () => {
    const sam = await enter(node, 'sam')
    const upload = (image: Uint8Array<ArrayBuffer>) =>
      uploadPhoto({ baseUrl: node.url, token: sam.token }, { event_id, image })
    const refusal = { status: 400, message: "You're not authorized to upload an image for this event." }
    await expect(upload(new Uint8Array(picture))).rejects.toMatchObject(refusal)
    await expect(upload(new Uint8Array(9 * megabyte))).rejects.toMatchObject(refusal)
  })
})

describe('a server that restarts', () => {
  /** As a page would find them after a reload. */
  const memory = (): UrlStorage => {
    const kept = new Map<string, { fingerprint: string; upload: Parameters<UrlStorage['addUpload']>[1] }>()
    return {
      findAllUploads: async () => [...kept].map(([urlStorageKey, { upload }]) => ({ ...upload, urlStorageKey })),
      findUploadsByFingerprint: async wanted =>
        [...kept]
          .filter(([, { fingerprint }]) => fingerprint === wanted)
          .map(([urlStorageKey, { upload }]) => ({ ...upload, urlStorageKey })),
      removeUpload: async key => void kept.delete(key),
      addUpload: async (fingerprint, upload) => {
        const key = String(kept.size)
        kept.set(key, { fingerprint, upload })
        return key
      },
    }
  }

  test.each(['kill', 'stop'] as const)('continues where it was after a %s', { tags: 'slow' }, async how => {
    const path = await largePhoto(`${how}.jpg`, 60 * megabyte)
    const proxy = await openCuttingProxy(() => Number(new URL(node.url).port), [])
    const urlStorage = memory()
    const leaving = new AbortController()
    const uploading = uploadPhoto(
      { baseUrl: proxy.url, token: gus.token },
      { event_id, image: await fileAt(path) },
      {
        urlStorage,
        signal: leaving.signal,
        retryDelays: Array(100).fill(100),
        onProgress: sent => sent > 40 * megabyte && leaving.abort(new Error('the page is gone')),
      },
    )
    await expect(uploading).rejects.toThrow('the page is gone')
    proxy.cut()
    await node[how]()
    node = await service.again(node)
    const before = proxy.passed()
    const photo = await uploadPhoto(
      { baseUrl: proxy.url, token: gus.token },
      { event_id, image: await fileAt(path) },
      { urlStorage },
    )
    expect(await storedSum(photo.id)).toBe(await sumOf(path))
    // The first part of 32 MB was acknowledged, so it is not sent again.
    expect(proxy.passed() - before).toBeLessThan(30 * megabyte)
    expect(await urlStorage.findAllUploads()).toEqual([])
    await proxy.close()
  })

  test('has every acknowledged byte after kill -9, whatever came after it', { tags: 'slow' }, async () => {
    const tus = () => tusFor(node.url, gus)
    const bytes = padded(picture, 3 * megabyte)
    const at = await addressOf(tus().open(bytes.length, { event_id, kind: 'image' }))
    let offset = 0
    for (let kill = 0; kill < 3; kill++) {
      const here = `${node.url}/api/gallery/upload/session/${sessionIn(at)}`
      const end = offset + 700_000 + kill
      const reply = await tus().patch(here, offset, bytes.subarray(offset, end))
      expect(reply.status).toBe(204)
      // Another part is in transit when the server dies.
      const cut = tus()
        .patch(here, end, bytes.subarray(end))
        .catch(() => undefined)
      await node.kill()
      const last = await cut
      node = await service.again(node)
      const found = await tus().head(`${node.url}/api/gallery/upload/session/${sessionIn(at)}`)
      offset = Number(found.headers.get('upload-offset'))
      expect(offset).toBeGreaterThanOrEqual(last?.status === 204 ? bytes.length : end)
    }
    const here = `${node.url}/api/gallery/upload/session/${sessionIn(at)}`
    if (offset < bytes.length) await tus().patch(here, offset, bytes.subarray(offset))
    const photo = await node.as(gus.token).gallery.uploadPhoto({ event_id, image_session_id: sessionIn(at) })
    expect(await storedSum(photo.id)).toBe(createHash('sha256').update(bytes).digest('hex'))
  })
})

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileAt } from '@afterglow/sdk/node'
import { uploadPhoto } from '@afterglow/sdk/upload'
import { expect, test } from 'vitest'
import { enter } from '../../test/cast.ts'
import { openCuttingProxy } from '../../test/cutting-proxy.ts'
import { watch } from '../../test/films.ts'
import { full } from '../../test/full.ts'
import { needing } from '../../test/needing.ts'
import { newFolder } from '../../test/new-folder.ts'
import { openNodes } from '../../test/nodes.ts'
import { evening } from '../../test/party.ts'
import { jpeg } from '../../test/pictures.ts'
import { ffmpeg } from '../../test/tools.ts'

const megabytes = full ? 1000 : 24
const folder = newFolder('film')

/** A camera's video at its highest quality: noise does not compress. */
const record = async () => {
  const path = join(folder, 'film.mp4')
  const size = full ? '1920x1080' : '640x360'
  const scene = `testsrc2=size=${size}:rate=30,noise=alls=60:allf=t`
  const args = [
    ...['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', scene, '-f', 'lavfi', '-i', 'sine=frequency=440'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '6', '-g', '30', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ...['-fs', String(megabytes * 1_000_000), path],
  ]
  await promisify(execFile)('ffmpeg', args)
  return path
}
const sumOf = async (path: string) => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk)
  return hash.digest('hex')
}

needing(ffmpeg).describe('a film over a connection that is cut ten times', () => {
  test('arrives unchanged and plays', { timeout: 1_800_000 }, async () => {
    const { first } = await openNodes({ PATH: process.env.PATH ?? '' })
    const olivia = await enter(first, 'olivia')
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    const path = await record()
    const { size } = await stat(path)
    const cuts = Array.from({ length: 10 }, (_, cut) => Math.floor((size * (cut + 0.37)) / 10))
    const proxy = await openCuttingProxy(() => Number(new URL(first.url).port), cuts)
    const began = performance.now()
    const photo = await uploadPhoto(
      { baseUrl: proxy.url, token: olivia.token },
      { event_id, image: new Uint8Array(await jpeg({ width: 640, height: 360 })), video: await fileAt(path) },
      { retryDelays: Array(30).fill(50) },
    )
    const uploaded = performance.now()
    expect(proxy.cuts()).toBeGreaterThanOrEqual(10)
    const { known } = await olivia.api.gallery.checkUploads({ event_id, sha256: [await sumOf(path)] })
    expect(known.map(({ event_photo_id }) => String(event_photo_id))).toEqual([photo.id])

    const api = olivia.extra.gallery
    const read = () => api.readPhoto({ event_photo_id: Number(photo.id) })
    await expect
      .poll(async () => (await read()).extra?.video_state?.state, { timeout: 1_500_000, interval: 500 })
      .toMatch(/^(ready|failed)$/)
    const { event_photo_url, extra } = await read()
    expect(extra?.video_state).toMatchObject({ state: 'ready', reason: null })
    const film = new Uint8Array(await (await fetch(event_photo_url)).arrayBuffer())
    const { streams } = await watch(film)
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac'])
    const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1)
    console.log(
      `${(size / 1e6).toFixed(0)} MB, ${((extra?.video_state?.duration_ms ?? 0) / 1000).toFixed(1)} s of film: uploaded in ${seconds(began, uploaded)} s with ${proxy.cuts()} cuts and ${(proxy.passed() / size).toFixed(2)} times its bytes, converted to ${(film.length / 1e6).toFixed(0)} MB in ${seconds(uploaded, performance.now())} s`,
    )
    await proxy.close()
  })
})

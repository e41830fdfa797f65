import { execFile } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { full } from '../../test/full.ts'
import { fillGallery } from '../../test/gallery-state.ts'
import { has } from '../../test/needing.ts'
import { newFolder } from '../../test/new-folder.ts'
import { party } from '../../test/party.ts'
import { planted } from '../../test/picture-blocks.ts'
import { jpeg } from '../../test/pictures.ts'
import { sevenZip, unzip } from '../../test/tools.ts'

/*
 * An album in full size over a connection that is cut again and again at arbitrary points. The full run makes it larger
 * than the classic zip format allows, which takes minutes and 5 GB of disk.
 */

const bytesMin = full ? 4.6e9 : 20e6
const cuts = 20

const app = await openTestApp()
const { olivia, gus, event } = await party(app)
const folder = newFolder('great')

/** Files opened ahead for a reader who may have disconnected since. */
const openFiles = () =>
  readdirSync('/proc/self/fd').flatMap(fd => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)].filter(path => path.startsWith(join(app.dataDir, 'media')))
    } catch {
      // The link was the folder itself.
      return []
    }
  })

test('an album with metadata removed on the fly survives twenty cut connections', {
  timeout: full ? 1_800_000 : 120_000,
}, async () => {
  const event_id = event.id
  const word = 'Rumpelstilzchen'
  const side = full ? { width: 4000, height: 3000 } : { width: 1200, height: 900 }
  const file = planted(await jpeg({ ...side, grain: 10, gps: true }), word)
  const image = new File([new Uint8Array(file)], 'DSC_0412.JPG')
  const { id } = await gus.api.gallery.uploadPhoto({ event_id, image })
  const count = Math.ceil(bytesMin / file.length)
  await fillGallery(app.db, { like: Number(id), takenBy: gus.id, count })
  await sql`
    update media m set file_name = f.file_name, taken_local = f.taken_local
    from media f join photos p on p.media_id = f.id where p.id = ${Number(id)} and m.event_id = ${event_id}`.execute(
    app.db,
  )
  const { download_url, download_bytes } = await olivia.api.gallery.linkAlbum({ event_id })
  expect(download_bytes).toBeGreaterThan(full ? 4.5e9 : bytesMin * 0.9)

  const path = join(folder, 'album.zip')
  const zip = await open(path, 'w')
  let at = 0
  let etag = ''
  for (let cut = 0; at < download_bytes; cut++) {
    const headers: Record<string, string> = at > 0 ? { range: `bytes=${at}-`, 'if-range': etag } : {}
    const reply = await fetch(download_url, { headers })
    expect(reply.status).toBe(at > 0 ? 206 : 200)
    etag = reply.headers.get('etag') ?? ''
    const stopAt = cut < cuts ? at + Math.ceil(((cut + 1) / 231) * download_bytes) + 7 * cut : Number.POSITIVE_INFINITY
    for await (const chunk of reply.body as AsyncIterable<Uint8Array>) {
      const part = chunk.subarray(0, stopAt - at)
      await zip.write(part, 0, part.length, at)
      at += part.length
      if (full === false) expect(Buffer.from(part).includes(word)).toBe(false)
      if (at >= stopAt) break
    }
  }
  await zip.close()
  expect(at).toBe(download_bytes)
  await expect.poll(openFiles).toEqual([])
  const run = promisify(execFile)
  if (has(unzip)) expect((await run('unzip', ['-tqq', path], { maxBuffer: 1e8 })).stderr).toBe('')
  if (has(sevenZip)) {
    const { stdout } = await run('7z', ['t', path], { maxBuffer: 1e8 })
    expect(stdout).toContain('Everything is Ok')
    expect(Number(/Files: (\d+)/.exec(stdout)?.[1])).toBe(count + 1)
  }
})

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter } from '../../../test/cast.ts'
import { mp4, watch } from '../../../test/films.ts'
import { needing } from '../../../test/needing.ts'
import { openNodes } from '../../../test/nodes.ts'
import { evening } from '../../../test/party.ts'
import { jpeg } from '../../../test/pictures.ts'
import { ffmpeg } from '../../../test/tools.ts'
import { whenDone } from '../../../test/when-done.ts'
import { brokenInvariants } from '../../invariants/invariants.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { openDisk } from '../../platform/media/storage/disk.ts'

/** Processes with this text among their arguments. */
const processesWith = async (words: string) => {
  const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map(id => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter(line => line.includes(words)).length
}

needing(ffmpeg).describe('a server killed in the middle of a conversion', () => {
  test('leaves nothing running; the next start finishes the film once, and no temporary file stays', {
    timeout: 300_000,
  }, async () => {
    const { first, databaseUrl, again } = await openNodes({ PATH: process.env.PATH ?? '' })
    const db = openDatabase(databaseUrl, { connections: 1 })
    whenDone(() => db.destroy())
    const temporaries = join(first.dataDir, 'media', 'tmp')
    const olivia = await enter(first, 'olivia')
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    const image = new Blob([await jpeg({ width: 800, height: 600 })])
    const video = new Blob([new Uint8Array(await mp4({ width: 640, height: 360, fps: 30, seconds: 15 }))])
    const { id } = await olivia.api.gallery.uploadPhoto({ event_id, image, video })
    const stateAt = async (node: typeof first) =>
      (await node.withExtra(olivia.token).gallery.readPhoto({ event_photo_id: Number(id) })).extra?.video_state

    await expect.poll(() => stateAt(first), { interval: 10 }).toMatchObject({ state: 'converting' })
    const written = async () => (await readdir(temporaries)).length
    await expect.poll(written, { interval: 10 }).toBe(2)
    await expect.poll(() => processesWith(`file:${temporaries}`)).toBeGreaterThan(0)
    await first.kill()
    expect((await db.selectFrom('videos').select(['state', 'tries']).execute())[0]).toEqual({
      state: 'converting',
      tries: 1,
    })
    await expect.poll(() => processesWith(temporaries)).toBe(0)

    const second = await again(first)
    await expect.poll(() => stateAt(second), { timeout: 240_000, interval: 100 }).toMatchObject({ state: 'ready' })
    const { event_photo_url } = await second.as(olivia.token).gallery.readPhoto({ event_photo_id: Number(id) })
    const { format } = await watch(new Uint8Array(await (await fetch(event_photo_url)).arrayBuffer()))
    expect(Math.abs(Number(format.duration) - 15)).toBeLessThan(0.5)

    await expect.poll(() => readdir(temporaries)).toEqual([])
    const storage = await openDisk(join(first.dataDir, 'media'), join(first.dataDir, 'tmp-of-test'))
    // The uploaded poster image, its three sizes, the uploaded video, and one MP4; none of them without a row.
    expect(await Array.fromAsync(storage.stored())).toHaveLength(6)
    expect(await brokenInvariants(db, storage, { graceMs: -3_600_000 })).toEqual([])
    const { rows } = await sql<{ left: number }>`select count(*) as left from jobs`.execute(db)
    expect(rows[0]?.left).toBe(0)
    expect((await db.selectFrom('videos').select('tries').execute())[0]?.tries).toBe(2)
  })
})

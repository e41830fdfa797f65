import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { party } from '../../../test/party.ts'
import { jpeg } from '../../../test/pictures.ts'
import { VideoRefused } from '../../platform/video/refusal.ts'
import { convertingTasks } from './video-conversion.ts'

/* The state of a video whose conversion killed the process, or was interrupted. */

const app = await openTestApp()
const { olivia, event } = await party(app)
const image = new Blob([new Uint8Array(await jpeg({ seed: 1 }))])
const { id } = await olivia.api.gallery.uploadPhoto({ event_id: event.id, image })
const { rows: made } = await sql<{ media_id: number }>`
  insert into videos (media_id, original_sha256, original_bytes, original_type)
  select media_id, repeat('0', 64), 1, 'video/mp4' from photos where id = ${id} returning media_id`.execute(app.db)
const mediaId = made[0]?.media_id as number

let converted = 0
const tasks = convertingTasks({
  db: app.db,
  videos: {
    convert: async () => {
      converted++
      throw new VideoRefused('damaged', '')
    },
  },
  has: app.storage.has,
  log: { warn: () => {}, error: () => {} },
})

test.each([
  ['waits for its turn', 'waiting', 0, 'converted'],
  ['saw one process die', 'converting', 1, 'converted'],
  ['saw two die', 'converting', 2, 10],
  ['saw five die', 'converting', 5, 80],
  ['has paused since', 'waiting', 5, 'converted'],
  ['saw eight die', 'converting', 8, 'gave-up'],
])('a video that %s', async (_, state, tries, outcome) => {
  converted = 0
  await sql`update videos set state = ${state}, tries = ${tries}, fault = null where media_id = ${mediaId}`.execute(
    app.db,
  )
  await tasks.convertVideo?.({ mediaId })
  const { rows } = await sql<{ state: string; fault: string | null; tries: number; pause: number | null }>`
    with due as (
      delete from jobs where task = 'convertVideo' returning run_at
    )
    select v.state, v.fault, v.tries, (select round(extract(epoch from max(run_at) - now()))::integer from due) as pause
    from videos v where v.media_id = ${mediaId}`.execute(app.db)
  expect(converted).toBe(outcome === 'converted' ? 1 : 0)
  expect(rows[0]).toEqual(
    outcome === 'converted'
      ? { state: 'failed', fault: 'damaged', tries: 0, pause: null }
      : outcome === 'gave-up'
        ? { state: 'failed', fault: 'gave-up', tries, pause: null }
        : { state: 'waiting', fault: null, tries, pause: outcome },
  )
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enter, type Member } from '../../../test/cast.ts'
import { listen } from '../../../test/channel.ts'
import { needing } from '../../../test/needing.ts'
import { type Node, openNodes } from '../../../test/nodes.ts'
import { notificationsOf } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { png } from '../../../test/pictures.ts'
import { faketime } from '../../../test/tools.ts'
import { whenDone } from '../../../test/when-done.ts'
import { openDatabase } from '../../platform/database/database.ts'

const { first, another, databaseUrl } = await openNodes()
const db = openDatabase(databaseUrl, { connections: 3 })
whenDone(() => db.destroy())
const soon = { timeout: 60_000 }
const hourMs = 3_600_000
const paged = { page: 1, page_length: 100 }

let seeds = 0
const add = async (node: Node, { token }: Member, event_id: number) => {
  seeds += 1
  return node.as(token).gallery.uploadPhoto({ event_id, image: new Blob([await png({ width: 8 + seeds, height: 8 })]) })
}
/** Gus and Ana have photos in Olivia's event that are sealed until the reveal. */
const hold = async (node: Node) => {
  const at = node as unknown as Parameters<typeof enter>[0]
  const [olivia, gus, ana] = [await enter(at, 'olivia'), await enter(at, 'gus'), await enter(at, 'ana')]
  const event_reveals_at = new Date(Date.now() + hourMs).toISOString()
  const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_reveals_at }))
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  for (const guest of [gus, ana]) await add(node, guest, event_id)
  const seen = (by: Node) =>
    Promise.all(
      [olivia, gus, ana].map(
        async ({ token }) => (await by.as(token).gallery.listPhotos({ event_id, ...paged })).data.length,
      ),
    )
  /** How often each guest was notified, and how often the log says it. */
  const told = async (by: Node) => {
    const { rows } = await sql`select from changes where event_id = ${event_id} and kind = 'photos.revealed'`.execute(
      db,
    )
    const notices = [olivia, gus, ana].map(async ({ token }) =>
      (await notificationsOf({ api: by.as(token) })).filter(
        one => one.event_id === event_id && one.notification_kind === 'photos_revealed',
      ),
    )
    return [rows.length, ...(await Promise.all(notices)).map(({ length }) => length)]
  }
  const pass = () => sql`update galleries set reveals_at = now() where event_id = ${event_id}`.execute(db)
  return { olivia, gus, ana, event_id, seen, told, pass }
}
/** Another run of the job, which is scheduled every minute. */
const turn = () => sql`insert into jobs (task, payload) values ('revealPhotos', '{}')`.execute(db)
const left = async (task: string) => (await sql`select from jobs where task = ${task}`.execute(db)).rows.length
const waitingForLocks = async () =>
  (
    await sql`select from pg_stat_activity where application_name = 'afterglow background' and wait_event_type = 'Lock'`.execute(
      db,
    )
  ).rows.length

let living: Node = first

test('photos are revealed once, although one of two processes is killed in the middle of it', async () => {
  const { ana, event_id, seen, told, pass } = await hold(first)
  await db.transaction().execute(async tx => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    // The gallery is marked by then, and its photos are not.
    await sql`select from photos where event_id = ${event_id} for update`.execute(tx)
    await pass()
    await turn()
    await expect.poll(waitingForLocks, soon).toBe(1)
    living = await another()
    await turn()
    await expect.poll(waitingForLocks, soon).toBe(2)
    await first.kill()
    // A guest who connects meanwhile does not see half of it, either.
    expect(await seen(living)).toEqual([0, 1, 1])
  })
  const listener = await listen(living, ana)
  await expect.poll(() => seen(living), soon).toEqual([2, 2, 2])
  // The surviving process repeats the dead one's job, and then one more run.
  await turn()
  await expect.poll(() => left('revealPhotos'), soon).toBe(0)
  await expect.poll(() => told(living), soon).toEqual([1, 1, 1, 1])
  await turn()
  await expect.poll(() => left('revealPhotos'), soon).toBe(0)
  expect(await told(living)).toEqual([1, 1, 1, 1])
  expect(listener.of('event.updated').length).toBeLessThanOrEqual(1)
})

test('photos added at two processes during the reveal are all there', async () => {
  const other = await another()
  const { gus, ana, event_id, seen, told, pass } = await hold(living)
  const adding = Array.from({ length: 12 }, async (_, at) => {
    if (at === 5) await pass()
    if (at > 3) await turn()
    return add(at % 2 ? other : living, at % 3 ? gus : ana, event_id)
  })
  await Promise.all(adding)
  await turn()
  await expect.poll(() => seen(other), soon).toEqual([14, 14, 14])
  await expect.poll(() => told(living), soon).toEqual([1, 1, 1, 1])
  await other.stop()
})

test('photos due while nothing was running are revealed at the next start', async () => {
  const { seen, told, pass } = await hold(living)
  await living.kill()
  await pass()
  await sql`update job_schedule set last_due_at = now() - interval '10 minutes' where task = 'revealPhotos'`.execute(db)
  living = await another()
  await expect.poll(() => seen(living), soon).toEqual([2, 2, 2])
  await expect.poll(() => told(living), soon).toEqual([1, 1, 1, 1])
})

needing(faketime).test('a process’s jumping clock reveals nothing early, late or twice', async () => {
  const faked = { LD_PRELOAD: faketime.path() ?? '', FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_DISABLE_SHM: '1' }
  const { olivia, event_id, seen, told, pass } = await hold(living)
  const ask = (node: Node, fromNow: number) =>
    node
      .withExtra(olivia.token)
      .events.saveEvent(evening({ event_id, event_reveals_at: new Date(Date.now() + fromNow).toISOString() }))

  const ahead = await another({ ...faked, FAKETIME: '+2h' })
  expect((await ask(ahead, hourMs)).extra).toMatchObject({ event_photos_shown: 'later', event_revealed_at: null })
  await living.kill()
  await turn()
  await expect.poll(() => left('revealPhotos'), soon).toBe(0)
  expect(await seen(ahead)).toEqual([0, 1, 1])

  living = await another({ ...faked, FAKETIME: '-2h' })
  await ahead.stop()
  const shown = (await ask(living, -1_000)).extra
  expect(shown).toMatchObject({ event_photos_shown: 'at_once' })
  expect(Math.abs(Date.parse(String(shown?.event_revealed_at)) - Date.now())).toBeLessThan(60_000)
  await pass()
  await turn()
  await expect.poll(() => left('revealPhotos'), soon).toBe(0)
  expect(await seen(living)).toEqual([2, 2, 2])
  await expect.poll(() => told(living), soon).toEqual([1, 1, 1, 1])
})

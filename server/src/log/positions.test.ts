import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/app.ts'
import { later } from '../../test/later.ts'
import { whenDone } from '../../test/when-done.ts'
import { takeUnnotified } from '../notifications/notification-writer-store.ts'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { announce, type Change } from './announce.ts'
import { beginHistory, placeChanges, pruneChanges, readHead, readPlaced } from './changes-sql.ts'

const placeLock = 4_127_337_003
const none = () => sql`null`
/** The event and the person of every change here. */
const all = { events: [1], users: [1] }

const change = (subjectId: number): Change => ({
  kind: 'event.updated',
  audience: 'event',
  eventId: 1,
  actorId: 1,
  subjectId,
})
const act = (db: Database, ...subjects: number[]) => db.transaction().execute(tx => announce(tx, subjects.map(change)))
const placesIn = async (db: Database) => {
  const { rows } = await sql<{ place: number | null; subject_id: number }>`
    select place, subject_id from changes order by place, id`.execute(db)
  return rows.map(({ place, subject_id }) => [place, subject_id])
}
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const connected = async (url: string) => {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  whenDone(() => client.end().catch(() => {}))
  return client
}
const waitingFor = (db: Database, lock: number) =>
  expect
    .poll(async () => {
      const { rows } = await sql<{ pid: number }>`select pid from pg_locks
        where locktype = 'advisory' and objid = ${lock}::bigint::oid and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(db)
      return rows[0]?.pid
    })
    .toBeTypeOf('number')

test('committed changes get positions in the order of the acts; uncommitted ones get none and hold up nobody', async () => {
  const { db } = await cloneDatabase()
  expect((await placeChanges(db)).place).toBe(0)
  await db.transaction().execute(async slow => {
    await announce(slow, change(9))
    await act(db, 1, 2)
    await act(db, 3)
    expect((await placeChanges(db)).place).toBe(3)
    expect((await readPlaced(db, { after: 0, upTo: 3, ...all }, none)).changes.map(row => row.subject_id)).toEqual([
      1, 2, 3,
    ])
  })
  const head = await placeChanges(db)
  expect(
    (await readPlaced(db, { after: 3, upTo: head.place, ...all }, none)).changes.map(row => row.subject_id),
  ).toEqual([9])
  expect(await placeChanges(db)).toEqual(head)
})

test('thousands of waiting changes get positions in order, even after a transaction that began long before', async () => {
  const { db } = await cloneDatabase()
  await db.transaction().execute(async slow => {
    await announce(slow, change(0))
    await act(db, ...upTo(25_000))
    expect((await placeChanges(db)).place).toBe(25_000)
  })
  await act(db, 25_001)
  expect((await placeChanges(db)).place).toBe(25_002)
  expect((await placesIn(db)).slice(-2)).toEqual([
    [25_001, 0],
    [25_002, 25_001],
  ])
})

test.each([
  ['was empty', 0],
  ['waited for its places', 5000],
])('a plan made while the log %s does not read all of it later', async (_, waiting) => {
  const { db, url } = await cloneDatabase()
  await act(db, ...upTo(waiting))
  // As PostgreSQL does by itself.
  await sql`analyze changes`.execute(db)
  const one = openDatabase(url, { connections: 1, plansOnce: true })
  whenDone(() => one.destroy())
  const look = async (after: number) => {
    const { head } = await readHead(one, after)
    await readPlaced(one, { after, upTo: head.place, ...all }, none)
    return head.place
  }
  const rowsRead = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(one)
    const { rows } = await sql<{ read: number }>`
      select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname = 'changes'`.execute(
      one,
    )
    return rows[0]?.read ?? 0
  }
  await act(db, 1)
  let place = await look(0)
  await act(db, ...upTo(5000))
  place = await look(place)
  const before = await rowsRead()
  for (let n = 0; n < 10; n++) {
    await act(db, n)
    expect(await look(place)).toBe(++place)
  }
  expect((await rowsRead()) - before).toBeLessThan(200)
})

test('concurrent readers and writers give each change one position, without gaps, and miss none', async () => {
  const { db } = await cloneDatabase()
  await sql`create table turns (one int, n int not null default 0)`.execute(db)
  await sql`insert into turns select generate_series(0, 3)`.execute(db)
  let writing = true
  const written: number[] = []
  const writer = async (at: number) => {
    for (let n = 0; n < 40; n++)
      await db.transaction().execute(async tx => {
        // Takes its ID under the lock of the changed row; some transactions commit late.
        const { rows } = await sql<{ n: number }>`update turns set n = n + 1 where one = ${at % 4} returning n`.execute(
          tx,
        )
        const subject = (at % 4) * 10_000 + Number(rows[0]?.n)
        await announce(tx, change(subject))
        if (n % 8 === 0) await sleep(5)
        written.push(subject)
      })
  }
  const reader = async () => {
    const read: number[] = []
    for (let reached = 0, last = false; ; ) {
      last = !writing
      const head = await placeChanges(db)
      const { changes } = await readPlaced(db, { after: reached, upTo: head.place, ...all }, none)
      read.push(...changes.map(row => row.subject_id))
      reached = head.place
      if (last) return read
    }
  }
  const readers = later(upTo(3).map(reader))
  await Promise.all(upTo(8).map(writer))
  writing = false
  const [one, ...others] = await Promise.all(readers)
  expect(one).toHaveLength(written.length)
  for (const other of others) expect(other).toEqual(one)
  for (const turn of [0, 1, 2, 3]) {
    const ofTurn = (one ?? []).filter(subject => Math.floor(subject / 10_000) === turn)
    expect(ofTurn).toEqual(ofTurn.toSorted((a, b) => a - b))
  }
  expect((await placesIn(db)).map(([place]) => place)).toEqual(upTo(written.length))
})

/** Makes every connection of a database stop at a step of assigning positions until the test releases this lock. */
const stepLock = 77
const stopAt = {
  'before it writes': sql`create trigger stop before update on changes for each row execute function stop()`,
  'when it has written': sql`create trigger stop after update on changes for each statement execute function stop()`,
  'as it commits': sql`create constraint trigger stop after update on changes deferrable initially deferred
    for each row execute function stop()`,
}

test.each(Object.entries(stopAt))(
  'a process that places may be killed %s: the next one places all, each once',
  async (_, trigger) => {
    const { db, url } = await cloneDatabase()
    await sql`create function stop() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(77); return new; end'`.execute(db)
    await trigger.execute(db)
    await act(db, 1, 2, 3)
    const holder = await connected(url)
    await holder.query(`select pg_advisory_lock(${stepLock})`)
    const placing = later(placeChanges(db))
    await waitingFor(db, stepLock)
    const other = later(placeChanges(db))
    await sql`select pg_terminate_backend(pid) from pg_locks where objid = ${stepLock}::bigint::oid and not granted`.execute(
      db,
    )
    await expect(placing).rejects.toThrow()
    await holder.query(`select pg_advisory_unlock(${stepLock})`)
    expect((await other).place).toBe(3)
    await act(db, 4)
    expect((await placeChanges(db)).place).toBe(4)
    expect(await placesIn(db)).toEqual(upTo(4).map(n => [n, n]))
  },
)

test('a process that dies before it reads the answer has assigned the positions all the same', async () => {
  const { db, url } = await cloneDatabase()
  await act(db, 1, 2)
  const client = await connected(url)
  client.query('select place_changes(100)').catch(() => {})
  await new Promise(resolve => setImmediate(resolve))
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  await expect
    .poll(() => placesIn(db))
    .toEqual([
      [1, 1],
      [2, 2],
    ])
})

test('a process that freezes holding the lock blocks others until its connection ends, and each try briefly', {
  tags: 'slow',
}, async () => {
  const { db, url } = await cloneDatabase()
  await act(db, 1)
  const frozen = await connected(url)
  await frozen.query(
    `set idle_in_transaction_session_timeout = '6s'; begin; select pg_advisory_xact_lock(${placeLock})`,
  )
  await expect(placeChanges(db)).rejects.toThrow('lock timeout')
  expect((await placeChanges(db)).place).toBe(1)
})

test('a position outlives the pruning of its change, and a pruned position is recognised', async () => {
  const { db } = await cloneDatabase()
  await act(db, 1, 2, 3)
  const { place } = await placeChanges(db)
  await act(db, 4)
  await sql`update changes set created_at = now() - interval '8 days'`.execute(db)
  await pruneChanges(db)
  expect(await placesIn(db)).toEqual([])
  expect((await placeChanges(db)).place).toBe(place + 1)
  await act(db, 5)
  expect((await placeChanges(db)).place).toBe(place + 2)
  const { rows } = await sql`select kept_after from change_log`.execute(db)
  expect(rows).toEqual([{ kept_after: place + 1 }])
})

test('a new history begins once, however many readers detect the rollback, and again in every copy of the database', async () => {
  const { db } = await cloneDatabase()
  await act(db, 1)
  const before = await placeChanges(db)
  await Promise.all(upTo(5).map(() => beginHistory(db, before)))
  const { rows } = await sql<{ history: string }>`select history from change_log`.execute(db)
  const now = await placeChanges(db)
  expect(rows).toEqual([{ history: now.history }])
  expect(now).toMatchObject({ place: before.place, cursorKey: before.cursorKey })
  expect(now.history).not.toBe(before.history)

  // As a dump restored elsewhere: different transaction IDs, lower than the original's.
  await sql`update change_log set written_at = 'elsewhere'`.execute(db)
  await sql`update changes set settled_before = '4000000000' where place = 1`.execute(db)
  await act(db, 2)
  const copied = await placeChanges(db)
  expect(copied).toMatchObject({ place: 2 })
  expect([before.history, now.history]).not.toContain(copied.history)
})

test('a change announced before the database’s clock was set back is sent at once; a failed one waits', async () => {
  const { db } = await cloneDatabase()
  await db.transaction().execute(tx =>
    announce(
      tx,
      [1, 2].map(id => ({ ...change(id), notify: true as const })),
    ),
  )
  await sql`update unnotified_changes set due_at = now() + interval '1 hour',
    tries = case change_id when (select min(change_id) from unnotified_changes) then 1 else 0 end`.execute(db)
  const taken = await db.transaction().execute(tx => takeUnnotified(tx, 10))
  expect(taken.map(({ subject_id }) => subject_id)).toEqual([2])
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/app.ts'
import { later } from '../../../test/later.ts'
import type { Db, Transaction } from './database.ts'
import { leaveGap, pageStart, pageStartFromTop } from './sequence-pages.ts'

const { db } = await cloneDatabase()
await sql`create table lists (id bigint primary key, last_sequence bigint not null default 0)`.execute(db)
await sql`create table list_rows (list_id bigint, sequence bigint, alive boolean default true)`.execute(db)
await sql`create unique index on list_rows (list_id, sequence) where alive`.execute(db)

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
let state = seed
/** An integer below `below`; the same sequence of them for the same seed. */
const chance = (below: number) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

const addList = async (id: number, length = 0) => {
  await sql`insert into lists values (${id}, ${length})`.execute(db)
  await sql`insert into list_rows select ${id}::bigint, n from generate_series(1, ${length}::bigint) n`.execute(db)
}
const append = async (tx: Transaction, id: number) => {
  const { rows } = await sql<{ last_sequence: number }>`
    update lists set last_sequence = last_sequence + 1 where id = ${id} returning last_sequence`.execute(tx)
  await sql`insert into list_rows values (${id}, ${rows[0]?.last_sequence})`.execute(tx)
}
const remove = async (tx: Transaction, id: number, sequence: number) => {
  const { rows } = await sql`
    update list_rows set alive = false where list_id = ${id} and sequence = ${sequence} and alive
    returning sequence`.execute(tx)
  if (rows.length) await leaveGap(tx, { list: 'test', parentId: id }, sequence)
}

const sequences = (rows: { sequence: number }[]) => rows.map(row => row.sequence)
const living = (id: number) => sql`list_rows where list_id = ${id} and alive`

/** A page by its start, and the same by a plain OFFSET, from one statement: both see the same snapshot. */
const bothPages = async (on: Db, id: number, offset: number, length: number, fromTop: boolean) => {
  const asked = { list: 'test', parentId: id, rows: living(id), offset }
  const last = sql`(select last_sequence from lists where id = ${id})`
  const ours = fromTop
    ? sql`${living(id)} and sequence <= ${pageStartFromTop({ ...asked, last })} order by sequence desc`
    : sql`${living(id)} and sequence >= ${pageStart(asked)} order by sequence`
  const plain = sql`${living(id)} order by sequence ${fromTop ? sql`desc` : sql`asc`} offset ${offset}`
  const { rows } = await sql<{ plain: boolean; sequence: number }>`
    (select false as plain, sequence from ${ours} limit ${length})
    union all (select true, sequence from ${plain} limit ${length})`.execute(on)
  return { ours: sequences(rows.filter(row => !row.plain)), plain: sequences(rows.filter(row => row.plain)) }
}

const expectSamePages = async (on: Db, id: number, offset: number, length: number) => {
  for (const fromTop of [false, true]) {
    const { ours, plain } = await bothPages(on, id, offset, length, fromTop)
    expect(ours, `seed ${seed}, list ${id}, offset ${offset}, ${fromTop ? 'down' : 'up'}`).toEqual(plain)
  }
}

test('a page equals that of OFFSET, whatever was deleted', async () => {
  let id = 0
  for (const length of [0, 1, 511, 512, 513, 1024, 3000]) {
    for (const deleted of ['none', 'few', 'half', 'a stretch', 'the ends', 'all']) {
      id += 1
      await addList(id, length)
      const gone = Array.from({ length }, (_, at) => at + 1).filter(sequence => {
        if (deleted === 'few') return chance(300) === 0
        if (deleted === 'half') return chance(2) === 0
        if (deleted === 'a stretch') return sequence > 300 && sequence < 1700
        if (deleted === 'the ends') return sequence < 20 || sequence > length - 20
        return deleted === 'all'
      })
      await db.transaction().execute(async tx => {
        await sql`update list_rows set alive = false where list_id = ${id} and sequence = any(${gone})`.execute(tx)
        await sql`
          insert into sequence_gaps select 'test', ${id}::bigint, (s - 1) / 512, count(*)
          from unnest(${gone}::bigint[]) s group by 1, 2, 3`.execute(tx)
      })
      const left = length - gone.length
      const offsets = [
        0,
        1,
        left - 1,
        left,
        left + 1,
        2 ** 53 - 1,
        ...Array.from({ length: 6 }, () => chance(length + 9)),
      ]
      for (const offset of offsets.filter(at => at >= 0)) await expectSamePages(db, id, offset, 1 + chance(30))
    }
  }
})

test('a page stays exact while rows come and go', async () => {
  const id = 1000
  await addList(id, 1500)
  let writing = true
  const writer = async () => {
    for (let act = 0; act < 300; act++)
      await db.transaction().execute(tx => (chance(4) ? remove(tx, id, 1 + chance(1500)) : append(tx, id)))
  }
  const reader = async () => {
    while (writing) await expectSamePages(db, id, chance(1500), 1 + chance(40))
  }
  const readers = later([reader(), reader()])
  await Promise.all([writer(), writer(), writer()]).finally(() => {
    writing = false
  })
  await Promise.all(readers)
  const { rows } = await sql<{ counted: number; gaps: number }>`
    select (select sum(gaps) from sequence_gaps where parent_id = ${id}) as counted,
      (select count(*) from list_rows where list_id = ${id} and not alive) as gaps`.execute(db)
  expect(rows[0]?.counted).toBe(rows[0]?.gaps)
})

test('a deep page reads the counters and less than one block of rows', async () => {
  const id = 2000
  await addList(id, 60_000)
  await sql`
    update list_rows set alive = false where list_id = ${id} and sequence % 60 = 0`.execute(db)
  await sql`
    insert into sequence_gaps select 'test', ${id}::bigint, (s * 60 - 1) / 512, count(*)
    from generate_series(1, 1000) s group by 1, 2, 3`.execute(db)
  await sql`analyze list_rows`.execute(db)
  const asked = { list: 'test', parentId: id, rows: living(id), offset: 58_000 }
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`
    explain (analyze, format json) select sequence from ${living(id)} and sequence >= ${pageStart(asked)}
    order by sequence limit 50`.execute(db)
  const seen = Object.assign({}, ...rows.map(row => rowsRead(row['QUERY PLAN'][0].Plan)))
  expect(seen.list_rows).toBeLessThanOrEqual(512 + 50)
  expect(seen.sequence_gaps).toBeLessThanOrEqual(118)
})

type PlanNode = { 'Relation Name'?: string; 'Actual Rows': number; 'Actual Loops': number; Plans?: PlanNode[] }
const rowsRead = (node: PlanNode, seen: Record<string, number> = {}) => {
  const table = node['Relation Name']
  if (table) seen[table] = (seen[table] ?? 0) + node['Actual Rows'] * node['Actual Loops']
  for (const below of node.Plans ?? []) rowsRead(below, seen)
  return seen
}

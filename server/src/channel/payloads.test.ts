import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/app.ts'
import type { ChangeRow } from '../log/announce.ts'
import { openDatabase } from '../platform/database/database.ts'
import type { Urls } from '../platform/http/urls.ts'
import { type ChangePresenter, showChanges } from './payloads.ts'

const { db } = await cloneDatabase()

const change = (id: number, kind: ChangeRow['kind']): ChangeRow => ({
  id,
  kind,
  audience: 'event',
  event_id: 1,
  user_id: null,
  actor_id: 1,
  subject_id: id,
  detail: null,
})
const logged: unknown[] = []
const log = pino({ level: 'error' }, { write: line => logged.push(JSON.parse(line).change) })
const present = { recipientsOf: () => [{ id: 1, standing: 'guest' as const }], urls: {} as Urls, log }

const showAll: ChangePresenter = async (_, changes) =>
  new Map(changes.map(({ id }) => [id, [{ payload: id, to: [1] }]]))
/** Fails for the change 3, as an error of ours would. */
const showButThree: ChangePresenter = async (...asked) => {
  if (asked[1].some(({ id }) => id === 3)) throw new TypeError('three')
  return showAll(...asked)
}

test('a change that cannot be shown is left out and logged, and keeps nothing else from anybody', async () => {
  const changes = [
    change(1, 'event.updated'),
    change(2, 'guest.left'),
    change(3, 'event.updated'),
    change(4, 'event.updated'),
  ]
  const shown = await showChanges(db, { 'event.updated': showButThree, 'guest.left': showAll }, changes, present)
  expect([...shown.keys()].sort()).toEqual([1, 2, 4])
  expect(logged).toEqual([3])
})

test('a payload that finds no database is not left out: it fails, to be tried again', async () => {
  const asking: ChangePresenter = async (db, changes, ...others) => {
    await sql`select 1`.execute(db)
    return showAll(db, changes, ...others)
  }
  const showing = { 'event.updated': asking }
  const nowhere = openDatabase('postgres://127.0.0.1:1/nowhere', { connections: 1 })
  await expect(showChanges(nowhere, showing, [change(3, 'event.updated')], present)).rejects.toThrow()
  await nowhere.destroy()
})

test('nor is what waited for a connection in vain, though the database answers others', async () => {
  const waitsInVain: ChangePresenter = async () => {
    throw new Error('timeout expired')
  }
  const showing = { 'event.updated': waitsInVain }
  await expect(showChanges(db, showing, [change(5, 'event.updated')], present)).rejects.toThrow('timeout expired')
  expect(logged).not.toContain(5)
})

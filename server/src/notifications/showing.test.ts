import { pino } from 'pino'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/app.ts'
import { openDatabase } from '../platform/database.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { ChangeRow } from './announcing.ts'
import { type ShowChanges, showChanges } from './showing.ts'

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

const showAll: ShowChanges = async (_, changes) => new Map(changes.map(({ id }) => [id, [{ payload: id, to: [1] }]]))
/** Fails for the change 3, as a fault of ours would. */
const showButThree: ShowChanges = async (...asked) => {
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

test('without a database nothing is left out: it fails, to be tried again', async () => {
  const nowhere = openDatabase('postgres://127.0.0.1:1/nowhere', { connections: 1 })
  await expect(
    showChanges(nowhere, { 'event.updated': showButThree }, [change(3, 'event.updated')], present),
  ).rejects.toThrow()
  await nowhere.destroy()
})

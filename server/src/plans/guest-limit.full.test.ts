import { test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { fillPlaces } from '../../test/fill-places.ts'
import { openNodes } from '../../test/nodes.ts'
import { whenDone } from '../../test/when-done.ts'
import { openDatabase } from '../platform/database/database.ts'

test('two hundred people take exactly fifty places at once, and each freed one moves the line up once', async () => {
  const app = await openTestApp()
  await fillPlaces([app, app], app.db, async () => {})
}, 600_000)

test('fifty places of two processes are taken and passed on exactly once, though one of them is killed', async () => {
  const nodes = await openNodes()
  const other = await nodes.another()
  const db = openDatabase(nodes.databaseUrl, { connections: 2 })
  whenDone(() => db.destroy())
  await fillPlaces([nodes.first, other], db, other.kill)
}, 600_000)

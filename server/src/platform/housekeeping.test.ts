import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { tidyUp } from './housekeeping.ts'

const app = await openTestApp()

test('what has expired goes, and nothing else', async () => {
  const gus = await enter(app, 'gus')
  const gone = await enter(app, 'remy')
  await sql`update devices set token_expires_at = now() - interval '1 second' where user_id = ${gone.id}`.execute(
    app.db,
  )
  await sql`insert into idempotency_keys (user_id, operation, key_hash, fingerprint, created_at) values
    (1, 'x', 'old', '', now() - interval '25 hours'), (1, 'x', 'young', '', now() - interval '23 hours')`.execute(
    app.db,
  )
  await tidyUp(app.db)
  const keys = await app.db.selectFrom('idempotency_keys').select('key_hash').execute()
  const devices = await app.db.selectFrom('devices').select('user_id').execute()
  expect(keys).toEqual([{ key_hash: Buffer.from('young') }])
  expect(devices).toEqual([{ user_id: gus.id }])
})

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { statementsOf } from '../../../test/statements.ts'
import { whenDone } from '../../../test/when-done.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { openLastUses } from './last-uses.ts'
import { openSessionCache } from './session-cache.ts'

const app = await openTestApp()

/** The service's token cache, on connections whose statements can be told apart from others. */
const name = 'under test'
const db = openDatabase(app.databaseUrl, { name, connections: 4 })
whenDone(() => db.destroy())
// Opening a connection is a statement as well.
await Promise.all([1, 2, 3, 4].map(() => sql`select pg_sleep(0.2)`.execute(db)))
const openCache = (most?: number) => {
  const cache = openSessionCache(db, { whenUsed: () => {}, ...(most && { most }) })
  whenDone(cache.close)
  return cache
}

const crowd = 600
const crowdTokens = Array.from({ length: crowd }, (_, n) => `a token of the crowd, no. ${n}`.replaceAll(/\W/g, '_'))
const gather = async () => {
  const { id } = await enter(app, 'gus')
  await sql`
    insert into devices (user_id, device_id, platform, timezone, token_hash, token_expires_at)
    select ${id}, 'device ' || n, 'web', 'UTC', sha256(convert_to(token, 'UTF8')), now() + interval '1 hour'
    from unnest(${crowdTokens}::text[]) with ordinality t (token, n)`.execute(app.db)
  return id
}
const crowdId = await gather()

test('many tokens that come at once are looked up in a statement for five hundred of them', async () => {
  const cache = openCache()
  const looked = statementsOf(async () => {
    const found = await Promise.all([...crowdTokens, 'nobody-s-token-at-all'].map(cache.find))
    expect(found.map(viewer => viewer?.id)).toEqual([...crowdTokens.map(() => crowdId), undefined])
  }, name)
  expect(await looked).toBe(2)
  cache.heardUpTo(performance.now())
  expect(await statementsOf(async () => Promise.all(crowdTokens.map(cache.find)), name)).toBe(0)
})

test('at most so many tokens are known, and those used last', async () => {
  const cache = openCache(100)
  for (const token of crowdTokens.slice(0, 150)) await cache.find(token)
  expect(cache.size()).toBe(100)
  cache.heardUpTo(performance.now())
  expect(await statementsOf(async () => Promise.all(crowdTokens.slice(50, 150).map(cache.find)), name)).toBe(0)
  cache.forget([crowdId])
  expect(cache.size()).toBe(0)
})

test('a token is known for as long as the log is read, and for a second without it', async () => {
  const cache = openCache()
  const [token] = crowdTokens as [string]
  const looks = (work: () => unknown) => statementsOf(async () => work(), name)
  await cache.find(token)
  // A machine too busy to read the log for a second asks again: then another round is examined.
  await expect
    .poll(
      async () => {
        await cache.find(token)
        return looks(async () => {
          for (let times = 0; times < 12; times++) {
            cache.heardUpTo(performance.now())
            await sleep(100)
            await cache.find(token)
          }
        })
      },
      { timeout: 60_000 },
    )
    .toBe(0)
  await sleep(1000)
  expect(await looks(() => cache.find(token))).toBe(1)
})

test('a token that ends by itself is refused when its time has come', async () => {
  const cache = openCache()
  const { token, id } = await enter(app, 'gus')
  await sql`update devices set token_expires_at = now() + interval '300 ms' where user_id = ${id}`.execute(app.db)
  expect((await cache.find(token))?.id).toBe(id)
  await sleep(300)
  cache.heardUpTo(performance.now())
  expect(await cache.find(token)).toBe(undefined)
})

test('a session that ends while its token is being looked up is not known afterwards', async () => {
  const cache = openCache()
  const [token] = crowdTokens as [string]
  const looking = cache.find(token)
  // Two turns of the event loop, until the statement has begun.
  for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate)
  cache.forget([crowdId])
  expect(await looking).toMatchObject({ id: crowdId })
  expect(cache.size()).toBe(0)
})

test('a session is looked up once for many requests, and reading commits nothing', async () => {
  const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
  await sql`update devices set last_used_at = now() - interval '1 hour'`.execute(app.db)
  const written = async () => {
    const { rows } = await sql<{ next: number }>`
      select pg_snapshot_xmax(pg_current_snapshot())::text::float8 as next`.execute(app.db)
    return rows[0]?.next
  }
  const page = { page: 1, page_length: 10 }
  const read = async () => {
    for (const { api } of [olivia, gus])
      await Promise.all([
        api.accounts.readAccount(),
        api.accounts.ping(),
        api.accounts.listDevices(page),
        api.chats.listChats(page),
        api.notifications.listNotifications(page),
        api.events.listEvents({ ...page, filter: 'upcoming' }),
      ])
  }
  // Work left over from registration continues for a moment.
  await expect
    .poll(
      async () => {
        const before = await written()
        await read()
        return before === (await written())
      },
      { timeout: 60_000, interval: 200 },
    )
    .toBe(true)
})

test('last uses are written for all devices in one statement, and never put back', async () => {
  const lastUses = openLastUses(db, pino({ level: 'silent' }))
  const rows = await sql<{ id: number }>`
    update devices set last_used_at = now() - interval '1 hour' where user_id = ${crowdId} returning id`.execute(app.db)
  const ids = rows.rows.map(({ id }) => id)
  const used = async () => {
    const { rows } = await sql<{ n: number; newest: number }>`
      select count(*)::float8 as n, min(extract(epoch from last_used_at - now()))::float8 as newest from devices
      where user_id = ${crowdId} and last_used_at > now() - interval '30 minutes'`.execute(app.db)
    return rows[0]
  }
  for (const id of ids) lastUses.note(id)
  expect(await used()).toMatchObject({ n: 0 })
  expect(await statementsOf(lastUses.write, name)).toBe(1)
  expect(await used()).toMatchObject({ n: ids.length })
  expect(await statementsOf(lastUses.write, name)).toBe(0)

  lastUses.note(ids[0] as number)
  await sql`update devices set last_used_at = now() + interval '1 hour' where user_id = ${crowdId}`.execute(app.db)
  await lastUses.write()
  expect((await used())?.newest).toBeGreaterThan(3000)
  await lastUses.close()
})

import { readFileSync } from 'node:fs'
import { type Reason, reasons } from '@afterglow/contract/reasons'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { evening } from '../../test/party.ts'
import formerSentences from '../../test/texts/reasons-before-codes.json' with { type: 'json' }
import { sayReasons } from '../words/reasons.ts'

const app = await openTestApp()

test('the migration to codes reads every sentence that was stored before it', async () => {
  const migration = readFileSync(new URL('../../migrations/0033_reasons_as_codes.sql', import.meta.url), 'utf8')
  const [readsWords = ''] = migration.split('alter table')
  const texts = [...formerSentences.map(({ text }) => text), formerSentences.map(({ text }) => text).join(' ')]
  texts.push('', 'Nobody ever said so. You were mentioned.')
  const meant = formerSentences.map(({ reason }) => reason)
  const read = await app.db.transaction().execute(async tx => {
    await sql.raw(readsWords).execute(tx)
    const { rows } = await sql<{ reasons: Reason[] }>`
      select pg_temp.reasons_of(text) as reasons from unnest(${texts}::text[]) with ordinality t (text, n) order by n`.execute(
      tx,
    )
    return rows.map(row => row.reasons)
  })
  expect(meant.length).toBeGreaterThan(80)
  expect(read).toEqual([...meant.map(one => [one]), meant, [], [reasons.mentioned]])
})

test('a trace says why in English, and with extra as codes too', async () => {
  const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
  const { id } = await olivia.api.events.saveEvent({ ...evening(), event_join_mode: 2 })
  await gus.api.events.askToJoin({ event_id: id })
  const newest = async () => (await olivia.api.notifications.listNotifications({ page: 1, page_length: 1 })).data[0]?.id
  await expect.poll(newest).toBeDefined()
  const notification_id = (await newest()) as number
  const trace = () => olivia.extra.notifications.traceNotification({ notification_id })
  await expect.poll(async () => (await trace()).deliveries.length).toBe(1)
  const why = [reasons.organizer]
  const way = [reasons.inactive, reasons.neverRegistered]
  expect(await trace()).toMatchObject({
    reason: sayReasons('en', why),
    extra: { reasons: why },
    deliveries: [{ reason: sayReasons('en', way), extra: { reasons: way } }],
  })
  const plain = await olivia.api.notifications.traceNotification({ notification_id })
  expect([plain, plain.deliveries[0]].map(each => Object.hasOwn(each as object, 'extra'))).toEqual([false, false])
})

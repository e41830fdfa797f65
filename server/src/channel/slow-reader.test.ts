import { expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { listen } from '../../test/channel.ts'
import { evening, party } from '../../test/party.ts'
import { openSlowReader } from '../../test/slow-reader.ts'
import { announce } from '../log/announce.ts'
import { transact } from '../platform/database/database.ts'

const app = await openTestApp()

/** The change at which a cursor stands; batching may differ. */
const changeOf = (cursor: string) => cursor.split('~')[2]

test('a client that stops reading is dropped and catches up later, with nothing lost or doubled, while the others go on', async () => {
  const { olivia, gus, event } = await party(app)
  await olivia.api.events.saveEvent({ ...evening(), event_id: event.id, event_description: '夏'.repeat(5000) })
  const [slow, quick] = await Promise.all([openSlowReader(app.url, gus.token), listen(app, olivia)])
  slow.stopReading()
  const about = {
    kind: 'event.updated',
    audience: 'event',
    eventId: event.id,
    actorId: olivia.id,
    subjectId: event.id,
  } as const
  const bursts = 50
  const inBurst = 20
  for (let burst = 1; burst <= bursts; burst++) {
    await transact(app.db, tx =>
      announce(
        tx,
        Array.from({ length: inBurst }, () => about),
      ),
    )
    await vi.waitFor(() => expect(quick.heard).toHaveLength(burst * inBurst), { timeout: 60_000, interval: 2 })
  }
  const taken = await slow.readToTheEnd()
  const cursors = taken.slice(1).map(text => JSON.parse(text.slice(2))[2].cursor as string)
  expect(cursors.length).toBeLessThan(bursts * inBurst)
  const back = await listen(app, gus, { cursor: cursors.at(-1) })
  cursors.push(...back.heard.map(({ cursor }) => cursor as string))
  expect(cursors.map(changeOf)).toEqual(quick.heard.map(({ cursor }) => changeOf(cursor as string)))
  expect(quick.states.lost).toBe(0)
})

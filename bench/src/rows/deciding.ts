import { sql } from 'kysely'
import { holdEvents } from '../../../server/src/events/notification-templates.ts'
import { logChanges } from '../../../server/src/notifications/announce-sql.ts'
import { notifyWithin } from '../../../server/src/notifications/notification-writer.ts'
import { blockedWith } from '../../../server/src/people/relations-sql.ts'
import { openDatabase, transact } from '../../../server/src/platform/database/database.ts'
import { merged } from '../../../server/src/slice.ts'
import { slices } from '../../../server/src/slices.ts'
import type { Duel } from '../figures.ts'
import { openRoom } from '../room.ts'
import type { RowGroup } from '../row-group.ts'
import type { Stage } from '../stage.ts'
import { quantile } from '../statistics.ts'

/** Whom a second of a busy chat notifies, decided and written for everybody in it. */
export const deciding: RowGroup = {
  ids: ['P40.one', 'P40.many'],
  async *duels(stage) {
    yield await decisions(stage, 'P40.one', 1)
    yield await decisions(stage, 'P40.many', 40)
  },
}

const guests = 500
const messages = 40

/** Without HTTP, in the transaction that does it, up to its commit; nobody has read what was told before, as of a burst. */
const decisions = async ({ large: { service, db: client } }: Stage, id: string, authors: number): Promise<Duel> => {
  const room = await openRoom(service, client, { guests, muted: true })
  const db = openDatabase(service.databaseUrl, { connections: 1 })
  const noticing = merged(slices, 'notifications')
  const { rows: members } = await sql<{ user_id: number }>`
    select user_id from guests where event_id = ${room.event} order by user_id limit ${authors}`.execute(db)
  const say = async () =>
    transact(db, async tx => {
      const { rows } = await sql<{ id: number; user_id: number }>`
        with chat as (
          update group_chats set last_sequence = last_sequence + ${messages} where id = ${room.chat} returning last_sequence
        )
        insert into messages (group_chat_id, sequence, user_id, content, created_at, updated_at)
        select ${room.chat}, last_sequence - n, (${members.map(({ user_id }) => user_id)}::bigint[])[1 + n % ${members.length}],
          'See you at eight by the lake, bring a jacket', now(), now()
        from chat, generate_series(0, ${messages - 1}) n returning id, user_id`.execute(tx)
      await logChanges(
        tx,
        rows.map(({ id: subjectId, user_id: actorId }) => ({
          kind: 'message.created',
          audience: 'event',
          eventId: room.event,
          actorId,
          subjectId,
          notify: true,
        })),
      )
      const began = performance.now()
      await notifyWithin(tx, { noticing, blockedWith, holdEvents, ringAgainMs: 10_000 }, messages)
      return performance.now() - began
    })
  return {
    goals: [
      {
        id,
        work: `whom ${messages} messages of ${authors === 1 ? 'one' : authors} notify in a room of ${guests}, p50`,
        ceiling: null,
        figure: 'p50',
      },
    ],
    ceiling: null,
    ours: {
      async run(seconds) {
        const took: number[] = []
        for (const began = performance.now(); performance.now() - began < seconds * 1000; ) took.push(await say())
        return { p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
      },
    },
    end: () => db.destroy(),
  }
}

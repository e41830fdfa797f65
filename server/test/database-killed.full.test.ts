import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { enter, type Member } from './cast.ts'
import { type Listener, listen } from './channel.ts'
import { type Cluster, openCluster } from './clusters.ts'
import { type Node, openNodes } from './nodes.ts'
import { bringIn, evening } from './party.ts'

/** Writes that are not flushed soon are lost with the database. */
const settings = ['wal_writer_delay=10s']

const portOf = (cluster: Cluster) => Number(new URL(cluster.url()).port)

const opened = async () => {
  const cluster = await openCluster()
  const port = portOf(cluster)
  await cluster.kill()
  await cluster.start(port, settings)
  const nodes = await openNodes({ DATABASE_URL: cluster.url() })
  const { first } = nodes
  const olivia = await enter(first, 'olivia')
  const gus = await enter(first, 'gus')
  const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, id, gus)
  return { cluster, port, nodes, olivia, gus, chatId: group_chat_id }
}

/** Retries until the message is acknowledged, as clients do: under one key, so that it is sent once. */
const say = async (node: () => Node, { token }: Member, group_chat_id: number, message_content: string) => {
  for (const key = randomUUID(); ; await sleep(50))
    try {
      return await node().as(token).chats.saveMessage({ group_chat_id, message_content }, { idempotencyKey: key })
    } catch {
      // The database or the server is away.
    }
}

/** Uses up transaction ids and leaves nothing behind, as every write refused under a key does. */
const takeIds = async (url: string, count: number) => {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query('begin; select pg_current_xact_id(); rollback;'.repeat(count))
  const { rows } = await client.query('select pg_snapshot_xmax(pg_current_snapshot())::text as next')
  client.end().catch(() => {})
  return Number(rows[0].next)
}

const messagesOf = (listener: Listener) => listener.of('message.created').map(({ id }) => id)

test('transaction ids reused after a database crash hide no message from listeners or returning clients', {
  timeout: 240_000,
}, async () => {
  const { cluster, port, nodes, olivia, gus, chatId } = await opened()
  const node = () => nodes.first
  const steady = await listen(nodes.first, gus)
  const said: string[] = []
  for (let reused = 0, round = 0; reused < 3; round++) {
    expect(round, 'rounds until ids were handed out again').toBeLessThan(30)
    const next = await takeIds(cluster.url(), 300)
    const { cursor } = await gus.api.notifications.syncRealtime()
    await cluster.kill()
    await cluster.start(port, settings)
    const [{ now }] = (await cluster.ask('select pg_snapshot_xmax(pg_current_snapshot())::text as now')) as [
      { now: string },
    ]
    const ids: string[] = []
    for (let n = 0; n < 10; n++) ids.push((await say(node, olivia, chatId, `${round}.${n}`)).id)
    said.push(...ids)
    const back = await listen(nodes.first, gus, { cursor })
    await expect.poll(() => messagesOf(back), { message: 'who comes back' }).toEqual(ids)
    back.close()
    if (Number(now) < next) reused += 1
  }
  await expect.poll(() => messagesOf(steady), { message: 'who was there' }).toEqual(said)
})

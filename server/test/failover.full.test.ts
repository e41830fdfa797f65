import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { enter } from './cast.ts'
import { type Listener, listen } from './channel.ts'
import { type Cluster, openCluster } from './clusters.ts'
import { openNodes } from './nodes.ts'
import { bringIn, evening } from './party.ts'

const texts = (listener: Listener) => listener.of('message.created').map(({ message_content }) => message_content)
const portOf = (cluster: Cluster) => Number(new URL(cluster.url()).port)

/** Two processes over one cluster, with a user connected to each; `say` returns once it is acknowledged. */
const opened = async () => {
  const primary = await openCluster()
  const nodes = await openNodes({ DATABASE_URL: primary.url() })
  const other = await nodes.another()
  const olivia = await enter(nodes.first, 'olivia')
  const gus = await enter(nodes.first, 'gus')
  const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, id, gus)
  const say = async (...contents: string[]) => {
    for (const message_content of contents)
      for (;;) {
        const saved = await olivia.api.chats.saveMessage({ group_chat_id, message_content }).catch(() => undefined)
        if (saved) break
        await sleep(50)
      }
  }
  const shown = async () => {
    const page = await gus.api.chats.listMessages({ group_chat_id, page: 1, page_length: 100 })
    return page.data.map(({ message_content }) => message_content).reverse()
  }
  const listeners = await Promise.all([nodes.first, other].map(node => listen(node, gus)))
  return { primary, port: portOf(primary), nodes, other, gus, say, shown, listeners }
}

/** The address leads to this cluster from now on, as with a load balancer or DNS. */
const comesBackAs = async (next: Cluster, port: number) => {
  await next.kill()
  await next.start(port)
}

/** Listeners are told to reload, and from then on hear everything, as does a client that reconnects. */
const goesOn = async ({ listeners, say, gus, other }: Awaited<ReturnType<typeof opened>>, cursors: string[]) => {
  for (const listener of listeners) await expect.poll(() => listener.states).toMatchObject({ stale: 1, signedOut: 0 })
  for (const listener of listeners) await listener.live()
  await say('after 1', 'after 2')
  for (const listener of listeners) await expect.poll(() => texts(listener).slice(-2)).toEqual(['after 1', 'after 2'])
  for (const cursor of cursors)
    expect(await gus.api.notifications.syncRealtime({ cursor })).toMatchObject({ too_old: true, changes: [] })
  const back = await listen(other, gus, { cursor: cursors[0] as string })
  expect(back.states).toMatchObject({ stale: 1, live: 1 })
  await say('after 3')
  for (const listener of [...listeners, back]) {
    await expect.poll(() => texts(listener).at(-1)).toBe('after 3')
    expect(listener.states.stale).toBe(1)
  }
}

test('a client that remembers more detects a database restored to an hour ago, even if nothing in it says so', {
  timeout: 240_000,
}, async () => {
  const all = await opened()
  const { primary, port, say, shown, gus, listeners, nodes, other } = all
  await say('before 1')
  const machine = await primary.copy()
  await say('lost 1', 'lost 2')
  for (const listener of listeners) await expect.poll(() => texts(listener).at(-1)).toBe('lost 2')
  const { cursor } = await gus.api.notifications.syncRealtime()
  await primary.kill()
  await comesBackAs(machine, port)
  await goesOn(all, [cursor])
  expect(await shown()).toEqual(['before 1', 'after 1', 'after 2', 'after 3'])

  // After every process has ended, only a cursor remembers.
  const later = await machine.copy()
  await say('lost 3', 'lost 4')
  const { cursor: held } = await gus.api.notifications.syncRealtime()
  for (const listener of listeners) listener.close()
  await other.kill()
  await nodes.first.kill()
  await machine.kill()
  await comesBackAs(later, port)
  const again = await nodes.again(nodes.first)
  const api = again.as(gus.token)
  const unaware = await listen(again, gus)
  expect(await api.notifications.syncRealtime({ cursor: held })).toMatchObject({ too_old: true })
  await expect.poll(() => unaware.states.stale).toBe(1)
})

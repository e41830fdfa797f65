import { expect, test, vi } from 'vitest'
import { enter, type Member } from './cast.ts'
import { type Listener, listen } from './channel.ts'
import { type Node, openNodes } from './nodes.ts'
import { evening } from './party.ts'

const nodes = await openNodes()
const { first } = nodes

const asked = (listener: Listener) => listener.of('join.requested').map(({ user }) => user.id)

const crowdOf = (count: number) =>
  Promise.all(Array.from({ length: count }, () => enter(first as unknown as Parameters<typeof enter>[0], 'sam')))

const ask = (node: Node, { token }: Member, event_id: number) => node.as(token).events.askToJoin({ event_id })

test('who is connected to one process hears what is done at another, once and in order', {
  timeout: 60_000,
}, async () => {
  const second = await nodes.another()
  const [olivia, ...crowd] = (await crowdOf(13)) as [Member, ...Member[]]
  const { id } = await olivia.api.events.saveEvent(evening())
  const listeners = await Promise.all([first, second].map(node => listen(node, olivia)))
  for (const [at, member] of crowd.entries()) await ask(at % 2 ? first : second, member, id)
  for (const listener of listeners) {
    await listener.next('join.requested', ({ user }) => user.id === crowd.at(-1)?.id)
    expect(asked(listener)).toEqual(crowd.map(member => member.id))
  }
  await second.stop()
})

test('a process killed between commit and send, again and again, loses nothing that was answered', {
  timeout: 120_000,
}, async () => {
  const [olivia, ...crowd] = (await crowdOf(31)) as [Member, ...Member[]]
  const { id } = await olivia.api.events.saveEvent(evening())
  const steady = await listen(first, olivia)
  let cursor: string | undefined
  const heardAtTheOther: number[] = []
  const answered: number[] = []
  for (let round = 0; round < 3; round++) {
    const second = await nodes.another()
    const moving = await listen(second, olivia, { cursor })
    // Ten ask at once; with the first answer the process dies, in the midst of the others.
    const asking = crowd.slice(round * 10, round * 10 + 10).map(member =>
      ask(second, member, id).then(() => {
        answered.push(member.id)
      }),
    )
    await Promise.any(asking)
    await second.kill()
    await Promise.allSettled(asking)
    heardAtTheOther.push(...asked(moving))
    cursor = moving.channel.cursor
    moving.close()
  }
  const waiting = (await olivia.api.events.listJoinRequests({ event_id: id, page: 1, page_length: 100 })).data
  const there = waiting.map(user => user.id)
  expect(there).toEqual(expect.arrayContaining(answered))
  await vi.waitFor(() => expect(asked(steady)).toHaveLength(there.length), { timeout: 20_000 })
  expect(asked(steady)).toEqual(there)

  const moved = await listen(first, olivia, { cursor })
  expect([...heardAtTheOther, ...asked(moved)]).toEqual(there)
})

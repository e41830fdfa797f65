import { expect, test } from 'vitest'
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

test('a client of one process hears events of another, once and in order', async () => {
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

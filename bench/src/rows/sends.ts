import { startCeilingWorker } from '../ceiling.ts'
import type { Duel, Goal } from '../figures.ts'
import type { RowGroup } from '../fixture.ts'
import { httpSide } from '../load.ts'
import { type Member, membersOf, messageTo } from '../people.ts'
import { oneOf } from '../statistics.ts'

const chatsTalking = 400

/** Sending messages, in many chats, in one, alone. */
export const sends: RowGroup = {
  ids: ['send', 'send.one', 'send.alone'],
  async *duels({ large: { service, db, size }, random, seed }) {
    const everywhere = await membersOf(db, { from: 2, to: size.events }, 1)
    const many = Array.from({ length: chatsTalking }, () => oneOf(everywhere, random))
    const one = await membersOf(db, { from: 2, to: 2 }, 20)

    const against = async (
      goal: Omit<Goal, 'ceiling'>,
      members: readonly Member[],
      { clients, connections }: { clients: number; connections: number },
    ): Promise<Duel> => {
      const places = JSON.stringify(members.map(({ event, userId }) => [event, userId]))
      const given = { databaseUrl: service.databaseUrl, clients: String(clients), seed: String(seed), members: places }
      const bare = await startCeilingWorker('transaction', given, service)
      const next = () => {
        const { event, token } = oneOf(members, random)
        return messageTo(event, token)
      }
      return {
        goals: [{ ...goal, ceiling: `the same transaction by ${clients} client${clients > 1 ? 's' : ''}, as pgbench` }],
        ceiling: bare.side,
        ours: httpSide({ port: service.port, connections, next }, service),
        end: bare.stop,
      }
    }
    const crowded = { clients: 16, connections: 64 }
    const work = 'POST message under a key'
    yield await against(
      { id: 'send', work: `${work}, random chats`, figure: 'rate', floor: 0.95, aim: 1.2 },
      many,
      crowded,
    )
    yield await against({ id: 'send.one', work: `${work}, one chat`, figure: 'rate', floor: 3, aim: 4 }, one, crowded)
    const alone = { id: 'send.alone', work: `${work}, one sender, p50`, figure: 'p50', floor: 3, aim: 2 } as const
    yield await against(alone, one.slice(0, 1), { clients: 1, connections: 1 })
  },
}

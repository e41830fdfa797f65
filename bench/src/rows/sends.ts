import { openSenders } from '../../ceilings/transaction.ts'
import { type Duel, Void } from '../figures.ts'
import type { RowGroup } from '../fixture.ts'
import { goalOf, type RowId } from '../goals.ts'
import { httpSide } from '../load.ts'
import { meteredSide } from '../meter.ts'
import { inParallel } from '../parallel.ts'
import { type Member, membersOf, messageTo } from '../people.ts'
import { oneOf } from '../statistics.ts'

const chatsTalking = 400

/** Sends messages in many chats, in one, and alone. */
export const sends: RowGroup = {
  ids: ['send', 'send.one', 'send.alone'],
  async *duels({ large: { service, db, size }, random }) {
    const everywhere = await membersOf(db, { from: 2, to: size.events }, 1)
    const many = Array.from({ length: chatsTalking }, () => oneOf(everywhere, random))
    const one = await membersOf(db, { from: 2, to: 2 }, 20)

    const against = async (
      id: RowId,
      members: readonly Member[],
      { clients, connections }: { clients: number; connections: number },
    ): Promise<Duel> => {
      const { send, close } = await openSenders(service.databaseUrl, clients)
      const next = () => {
        const { event, token } = oneOf(members, random)
        return messageTo(event, token)
      }
      const bare = meteredSide({ server: null, postgres: service.postgres }, seconds =>
        inParallel(clients, seconds, lane => send(lane, oneOf(members, random))).catch(fault => {
          throw new Void(String(fault))
        }),
      )
      return {
        goals: [goalOf(id)],
        // The ceiling's CPU time is spent in the client, so it is no measure of ours.
        ceiling: { run: async seconds => ({ ...(await bare.run(seconds)), cpu: Number.NaN }) },
        ours: httpSide({ port: service.port, connections, next }, service),
        end: close,
      }
    }
    const crowded = { clients: 16, connections: 64 }
    yield await against('send', many, crowded)
    yield await against('send.one', one, crowded)
    yield await against('send.alone', one.slice(0, 1), { clients: 1, connections: 1 })
  },
}

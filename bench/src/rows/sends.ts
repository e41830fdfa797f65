import { randomUUID } from 'node:crypto'
import { httpSide, startCeilingServer, startCeilingWorker } from '../ceiling.ts'
import type { Goal } from '../figures.ts'
import { form, formType, httpRequest } from '../http-request.ts'
import { type Member, membersOf } from '../members.ts'
import type { RowGroup } from '../row-group.ts'
import { oneOf } from '../statistics.ts'

const text = 'See you at eight by the lake, bring a jacket'
const chatsTalking = 400

/** Sends as our client does: JSON, each under a key of its own. */
export const sendOf = ({ event, token }: Member): (() => Buffer) => {
  const body = JSON.stringify({ group_chat_id: event, message_content: text })
  const key = randomUUID()
  const request = httpRequest('POST', '/api/message', { token, type: 'application/json', key, body })
  const keyAt = request.indexOf(key)
  return () => {
    const another = Buffer.from(request)
    another.write(randomUUID(), keyAt, 'latin1')
    return another
  }
}

const formOf = ({ event, token }: Member): Buffer =>
  httpRequest('POST', '/api/message', {
    token,
    type: formType,
    body: form({ group_chat_id: event, message_content: text }),
  })

/** Sending messages, in many chats, in one, alone; and what a send costs. */
export const sends: RowGroup = {
  ids: ['P1k', 'P2', 'P3k', 'P5'],
  async *duels({ large: { service, db, size }, random, seed }) {
    const everywhere = await membersOf(db, { from: 2, to: size.events }, 1)
    const many = Array.from({ length: chatsTalking }, () => oneOf(everywhere, random))
    const one = await membersOf(db, { from: 2, to: 2 }, 20)

    const against = async (goal: Goal, members: readonly Member[], clients: number, connections: number) => {
      const bare = await startCeilingWorker(
        'transaction',
        {
          databaseUrl: service.databaseUrl,
          clients: String(clients),
          seed: String(seed),
          members: JSON.stringify(members.map(({ event, userId }) => [event, userId])),
        },
        service,
      )
      const requests = members.map(sendOf)
      return {
        goals: [goal] as [Goal],
        ceiling: bare.side,
        ours: httpSide({ port: service.port, connections, next: () => oneOf(requests, random)() }, service),
        end: bare.stop,
      }
    }
    const transactions = (clients: number) =>
      `the same transaction by ${clients} ${clients > 1 ? 'clients' : 'client'}, as pgbench`
    yield await against(
      {
        id: 'P1k',
        work: 'POST message under a key, random chats',
        ceiling: transactions(16),
        figure: 'rate',
        floor: 0.95,
        aim: 1.2,
      },
      many,
      16,
      64,
    )
    yield await against(
      {
        id: 'P2',
        work: 'POST message under a key, one chat',
        ceiling: transactions(16),
        figure: 'rate',
        floor: 3,
        aim: 4.5,
      },
      one,
      16,
      64,
    )
    yield await against(
      {
        id: 'P3k',
        work: 'POST message under a key, one sender alone, p50',
        ceiling: transactions(1),
        figure: 'p50',
        floor: 2,
        aim: 1.6,
      },
      one.slice(0, 1),
      1,
      1,
    )

    const server = await startCeilingServer('send', { databaseUrl: service.databaseUrl })
    const requests = many.map(formOf)
    const next = () => oneOf(requests, random)
    yield {
      goals: [
        {
          id: 'P5',
          work: 'CPU a send',
          ceiling: 'hand-written one-transaction server',
          figure: 'cpu',
          floor: 0.65,
          aim: 0.45,
        },
      ],
      ceiling: httpSide({ port: server.port, connections: 64, next }, { ...service, ...server }),
      ours: httpSide({ port: service.port, connections: 64, next }, service),
      end: server.stop,
    }
  },
}

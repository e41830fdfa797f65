import { httpSide, startCeilingServer } from '../ceiling.ts'
import type { Duel, Side } from '../figures.ts'
import { drive, openLines } from '../http-load.ts'
import { form, formType, httpRequest } from '../http-request.ts'
import { type Member, membersOf } from '../members.ts'
import { type Metered, meter } from '../meter.ts'
import type { RowGroup } from '../row-group.ts'
import { demandItems, demandSameReply } from '../same-shape.ts'
import type { Stage } from '../stage.ts'
import { oneOf } from '../statistics.ts'

const connections = 64
/** What an evening's load falls on: chats that several people have open. */
const busy = { from: 101, to: 356 }
const ceiling = 'hand-written Fastify + one SQL building the same JSON'

const pageOf = ({ event, token }: Member, more = '') =>
  httpRequest('GET', `/api/message/list?group_chat_id=${event}&page_length=50${more}&page=1`, { token })

/** Reading the newest page of messages. */
export const messages: RowGroup = {
  ids: ['P6a', 'P6b', 'P6c', 'P6d'],
  async *duels(stage) {
    const { service, db, size } = stage.large
    const members = await membersOf(db, busy, 4)
    const everywhere = await membersOf(db, { from: 2, to: size.events }, 1)
    const bare = await startCeilingServer('messages', { databaseUrl: service.databaseUrl })
    const [{ event, token }] = members as [Member]
    const path = `/api/message/list?group_chat_id=${event}&page_length=50&page=1`
    await demandItems(service.port, path, token, 50)
    await demandSameReply({ ceiling: bare.port, ours: service.port }, path, token)
    const reading = (port: number, metered: Metered, requests: Buffer[]) =>
      httpSide({ port, connections, next: () => oneOf(requests, stage.random) }, metered)
    const duel = (
      goal: Pick<Duel['goals'][0], 'id' | 'work' | 'floor' | 'aim'>,
      theirs: Buffer[],
      ours: Buffer[],
    ): Duel => ({
      goals: [{ ...goal, ceiling, figure: 'rate', cpuDecides: true }],
      ceiling: reading(bare.port, { ...service, ...bare }, theirs),
      ours: reading(service.port, service, ours),
    })
    try {
      const pages = members.map(member => pageOf(member))
      yield duel({ id: 'P6a', work: 'page of 50 messages, random busy chats', floor: 7, aim: 11 }, pages, pages)
      yield afterSends(stage, members, { ...service, ...bare })
      const all = everywhere.map(member => pageOf(member))
      yield duel({ id: 'P6c', work: 'the same in all chats at random' }, all, all)
      const extra = members.map(member => pageOf(member, '&include=extra'))
      yield duel({ id: 'P6d', work: 'the same with extra, which the ceiling leaves out' }, pages, extra)
    } finally {
      await bare.stop()
    }
  },
}

/** Before each turn of reading every chat gets a message, and is then read once: no page can have been kept. */
const afterSends = (
  { large: { service } }: Stage,
  members: readonly Member[],
  bare: Metered & { port: number },
): Duel => {
  const once = [...new Map(members.map(member => [member.event, member])).values()]
  const reads = once.map(member => pageOf(member))
  const sends = once.map(({ event, token }) =>
    httpRequest('POST', '/api/message', {
      token,
      type: formType,
      body: form({ group_chat_id: event, message_content: 'One more, before you look' }),
    }),
  )
  const side = (port: number, metered: Metered): Side => ({
    async run(seconds) {
      const senders = await openLines(service.port, connections)
      const readers = await openLines(port, connections)
      const sum = { operations: 0, seconds: 0, server: 0, postgres: 0, strangers: 0 }
      while (sum.seconds < seconds) {
        await drive(senders, { next: eachOnce(sends) }, 60)
        const spent = meter(metered)
        const turn = await drive(readers, { next: eachOnce(reads) }, 60)
        const { serverCpu = 0, postgresCpu = 0, strangers = 0 } = spent(turn.operations)
        sum.operations += turn.operations
        sum.seconds += turn.seconds
        sum.strangers += strangers * turn.seconds
        sum.server += serverCpu * turn.operations
        sum.postgres += postgresCpu * turn.operations
      }
      for (const line of [...senders, ...readers]) line.close()
      const [serverCpu, postgresCpu] = [sum.server / sum.operations, sum.postgres / sum.operations]
      const strangers = sum.strangers / sum.seconds
      return { rate: sum.operations / sum.seconds, serverCpu, postgresCpu, cpu: serverCpu + postgresCpu, strangers }
    },
  })
  return {
    goals: [
      {
        id: 'P6b',
        work: 'the same, each after a send to that chat',
        ceiling,
        figure: 'rate',
        floor: 2.5,
        aim: 3.2,
        cpuDecides: true,
      },
    ],
    ceiling: side(bare.port, bare),
    ours: side(service.port, service),
  }
}

const eachOnce = (requests: readonly Buffer[]) => {
  let at = 0
  return () => requests[at++] ?? null
}

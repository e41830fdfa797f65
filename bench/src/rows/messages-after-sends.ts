import type { Duel, Side } from '../figures.ts'
import { dice } from '../fill/people-of.ts'
import { drive, openLines } from '../http-load.ts'
import { form, formType, httpRequest } from '../http-request.ts'
import type { Member } from '../members.ts'
import { type Metered, meter } from '../meter.ts'
import type { Stage } from '../stage.ts'

const connections = 64
const turnsBetweenLooks = 10

type Read = {
  chats: { from: number; to: number }
  members: readonly Member[]
  pageOf(member: Member): Buffer
  ceiling: string
}

/** Before each turn of reading every chat gets a message, and is then read once: no page can have been kept. */
export const afterSends = async (stage: Stage, read: Read, bare: Metered & { port: number }): Promise<Duel> => {
  const { service, db } = stage.large
  const once = [...new Map(read.members.map(member => [member.event, member])).values()]
  const reads = once.map(member => read.pageOf(member))
  const sends = await sendsTo(stage, once)
  const side = (port: number, metered: Metered): Side => ({
    async run(seconds) {
      const senders = await openLines(service.port, connections)
      const readers = await openLines(port, connections)
      const sum = { operations: 0, seconds: 0, server: 0, postgres: 0, strangers: 0 }
      for (let turns = 0; sum.seconds < seconds; turns++) {
        if (turns % turnsBetweenLooks === 0) await everybodyLooks(db, read.chats)
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
        ceiling: read.ceiling,
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

/** One message a chat; a fifth of them are replies, as in the filled chats. */
const sendsTo = async ({ large: { db } }: Stage, members: readonly Member[]) => {
  const { rows } = await db.query('select id::int, last_message_id::int as last from group_chats where id = any ($1)', [
    members.map(({ event }) => event),
  ])
  const lastOf = new Map<number, number>(rows.map(({ id, last }) => [id, last]))
  return members.map(({ event, token }, n) => {
    const reply: Record<string, number> = n % 5 ? {} : { message_reply_id: lastOf.get(event) as number }
    const body = form({ group_chat_id: event, message_content: 'One more, before you look at it all again', ...reply })
    return httpRequest('POST', '/api/message', { token, type: formType, body })
  })
}

/**
 * People's seen marks follow the new messages, as far behind as they were filled: else pages would grow lighter with each
 * turn. It does what PUT message/seen does, for thousands at once.
 */
const everybodyLooks = async (db: Stage['large']['db'], { from, to }: Read['chats']) => {
  const behind = `case ${dice('m.user_id + c.id', 2, 1)} when 0 then 0 else ${dice('m.user_id + c.id', 80, 2)} end`
  await db.query(
    `update seen_marks m set seen_sequence = c.last_sequence - ${behind} from group_chats c
     where c.id = m.group_chat_id and c.id between $1 and $2 and m.seen_sequence < c.last_sequence - ${behind}`,
    [from, to],
  )
}

const eachOnce = (requests: readonly Buffer[]) => {
  let at = 0
  return () => requests[at++] ?? null
}

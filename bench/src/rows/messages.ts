import { httpSide, startCeilingServer } from '../ceiling.ts'
import type { Duel, Goal } from '../figures.ts'
import { httpRequest } from '../http-request.ts'
import { type Member, membersOf } from '../members.ts'
import type { Metered } from '../meter.ts'
import type { RowGroup } from '../row-group.ts'
import { demandItems, demandSameReply } from '../same-shape.ts'
import { oneOf } from '../statistics.ts'
import { afterSends } from './messages-after-sends.ts'

const connections = 64
/** What an evening's load falls on: chats that several people have open. */
const busy = { from: 101, to: 356 }
const ceiling = 'hand-written Fastify + one SQL building the same JSON'

const pageOf = ({ event, token }: Member, more = '', page = 1) =>
  httpRequest('GET', `/api/message/list?group_chat_id=${event}&page_length=50${more}&page=${page}`, { token })

/** Reading the newest page of messages. */
export const messages: RowGroup = {
  ids: ['P6a', 'P6b', 'P6c', 'P6d', 'P6e', 'P6f'],
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
    type Asked = Pick<Goal, 'id' | 'work' | 'floor' | 'aim'>
    const goalsOf = (goal: Asked): Duel['goals'] => [{ ...goal, ceiling, figure: 'rate', cpuDecides: true }]
    const duel = (goal: Asked, theirs: Buffer[], ours: Buffer[]): Duel => ({
      goals: goalsOf(goal),
      ceiling: reading(bare.port, { ...service, ...bare }, theirs),
      ours: reading(service.port, service, ours),
    })
    /** The chats in turn, page after page: what was read lately is never asked for again. */
    const once = (goal: Asked, more = ''): Duel => {
      const perChat = (size.messages * (1 - 1 / size.longEvery)) / size.events
      const pagesEach = Math.max(1, Math.floor(perChat / 50) - 1)
      const inTurn = (port: number, metered: Metered, ask = '') => {
        let at = 0
        const next = () => {
          const member = everywhere[at % everywhere.length] as Member
          const page = 1 + (Math.floor(at++ / everywhere.length) % pagesEach)
          return pageOf(member, ask, page)
        }
        return httpSide({ port, connections, next }, metered)
      }
      const theirs = inTurn(bare.port, { ...service, ...bare })
      return { goals: goalsOf(goal), ceiling: theirs, ours: inTurn(service.port, service, more) }
    }
    try {
      const pages = members.map(member => pageOf(member))
      yield duel({ id: 'P6a', work: 'page of 50 messages, random busy chats', floor: 5, aim: 8 }, pages, pages)
      yield await afterSends(stage, { chats: busy, members, pageOf, ceiling }, { ...service, ...bare })
      const all = everywhere.map(member => pageOf(member))
      yield duel({ id: 'P6c', work: 'the same in all chats at random', floor: 3, aim: 4 }, all, all)
      const [floor, aim] = [2.2, 3]
      yield once({ id: 'P6e', work: 'every page of every chat once', floor, aim })
      const withExtra = '&include=extra'
      const asClients = 'the same with extra, which our client asks for and the ceiling leaves out'
      yield once({ id: 'P6f', work: asClients, floor, aim }, withExtra)
      const extra = members.map(member => pageOf(member, withExtra))
      yield duel({ id: 'P6d', work: 'page of 50 messages, random busy chats, with extra' }, pages, extra)
    } finally {
      await bare.stop()
    }
  },
}

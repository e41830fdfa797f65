import { startCeilingServer } from '../ceiling.ts'
import type { Duel, Goal, Side } from '../figures.ts'
import { tokenOf } from '../fill/sessions.ts'
import type { Fixture, RowGroup } from '../fixture.ts'
import { httpSide, type Request } from '../load.ts'
import type { Metered } from '../meter.ts'
import { albumPage, chatPage, type Member, membersOf } from '../people.ts'
import { demandItems, demandSameReply } from '../same-shape.ts'
import { oneOf } from '../statistics.ts'

const connections = 64
/** Everybody of a large instance: each comes back after some ten seconds at the earliest, as people do. */
const crowdMax = 40_000

/** Pages of messages and photos, and the account, by people who have not been seen for a while. */
export const lists: RowGroup = {
  ids: ['page', 'photos', 'account'],
  async *duels(fixture) {
    const { db, size } = fixture.large
    const everywhere = await membersOf(db, { from: 2, to: size.events }, 1)
    const chats = { id: 'page', work: 'page of 50 messages with extra, all chats at random', floor: 2, aim: 3 }
    const chatOf = ({ event, token }: Member) => chatPage(event, token)
    yield await listed(fixture, chats, { program: 'messages', members: everywhere, pageOf: chatOf })
    const albums = { id: 'photos', work: 'page of 50 photos with extra, random albums', floor: 1, aim: 1.5 }
    const albumOf = ({ event, token }: Member) => albumPage(event, token)
    const inAlbums = await membersOf(db, { from: 101, to: 356 }, 4)
    yield await listed(fixture, albums, { program: 'photos', members: inAlbums, pageOf: albumOf })
    yield await account(fixture)
  },
}

const listed = async (
  { large: { service }, random }: Fixture,
  goal: Omit<Goal, 'ceiling' | 'figure'>,
  { program, members, pageOf }: { program: string; members: readonly Member[]; pageOf(member: Member): Request },
): Promise<Duel> => {
  const bare = await startCeilingServer(program, { databaseUrl: service.databaseUrl })
  const [first] = members as [Member]
  const { path } = pageOf(first)
  await demandItems(service.port, path, first.token, 50)
  await demandSameReply({ ceiling: bare.port, ours: service.port }, path, first.token)
  const side = (port: number, metered: Metered) =>
    httpSide({ port, connections, next: () => pageOf(oneOf(members, random)) }, metered)
  return {
    goals: [
      { ...goal, ceiling: 'hand-written Fastify + one SQL building the same JSON', figure: 'rate', cpuDecides: true },
    ],
    ceiling: side(bare.port, { ...service, ...bare }),
    ours: side(service.port, service),
    end: bare.stop,
  }
}

const account = async ({ large: { service, size } }: Fixture): Promise<Duel> => {
  const crowd = Array.from({ length: Math.min(size.users, crowdMax) }, (_, n) => n + 1).filter(id => id % 500 !== 0)
  const bare = await startCeilingServer('account', { databaseUrl: service.databaseUrl })
  /** One after the other, and from the first again. Before the first round everybody has been there once. */
  const inTurn = (port: number, metered: Metered, requestOf: (id: number) => Request): Side => {
    let at = 0
    const given = { port, connections, next: () => requestOf(crowd[at++ % crowd.length] as number) }
    const side = httpSide(given, metered)
    return { run: side.run, warm: () => httpSide({ ...given, amount: crowd.length }, metered).run(0) }
  }
  return {
    goals: [
      {
        id: 'account',
        work: `GET account, ${crowd.length} people in turn`,
        ceiling: 'bare Fastify + one primary-key select',
        figure: 'rate',
        floor: 0.8,
        aim: 1.4,
        cpuDecides: true,
      },
    ],
    ceiling: inTurn(bare.port, { ...service, ...bare }, id => ({ path: `/account/${id}` })),
    ours: inTurn(service.port, service, id => ({ path: '/api/account', token: tokenOf(id) })),
    end: bare.stop,
  }
}

import { startCeiling } from '../ceiling.ts'
import type { Duel, Side } from '../figures.ts'
import { tokenOf } from '../fill/sessions.ts'
import type { Fixture, RowGroup } from '../fixture.ts'
import { goalOf, type RowId } from '../goals.ts'
import { httpSide, type Request } from '../load.ts'
import type { MeteredProcesses } from '../meter.ts'
import { albumPage, chatPage, type Member, membersOf } from '../people.ts'
import { demandItems, demandSameReply } from '../same-shape.ts'
import { oneOf } from '../statistics.ts'

const connections = 64
/** The users of a large instance: each returns after ten seconds at the earliest. */
const crowdMax = 40_000

/** Pages of messages and photos, and the account, by people who have not been seen for a while. */
export const lists: RowGroup = {
  ids: ['page', 'photos', 'account'],
  async *duels(fixture) {
    const { db, size } = fixture.large
    const everywhere = await membersOf(db, { from: 2, to: size.events }, 1)
    yield await listed(fixture, 'page', { program: 'messages', members: everywhere, pageOf: chatPage })
    const inAlbums = await membersOf(db, { from: 101, to: 356 }, 4)
    yield await listed(fixture, 'photos', { program: 'photos', members: inAlbums, pageOf: albumPage })
    yield await account(fixture)
  },
}

const listed = async (
  { large: { service }, random }: Fixture,
  id: RowId,
  { program, members, pageOf }: { program: string; members: readonly Member[]; pageOf: typeof chatPage },
): Promise<Duel> => {
  const bare = await startCeiling(program, { databaseUrl: service.databaseUrl })
  const [first] = members as [Member]
  const { path } = pageOf(first.event, first.token)
  await demandItems(service.port, path, first.token, 50)
  await demandSameReply({ ceiling: bare.port, ours: service.port }, path, first.token)
  const next = () => {
    const { event, token } = oneOf(members, random)
    return pageOf(event, token)
  }
  const side = (port: number, metered: MeteredProcesses) => httpSide({ port, connections, next }, metered)
  return {
    goals: [goalOf(id)],
    ceiling: side(bare.port, { ...service, ...bare }),
    ours: side(service.port, service),
    end: bare.stop,
  }
}

const account = async ({ large: { service, size } }: Fixture): Promise<Duel> => {
  const crowd = Array.from({ length: Math.min(size.users, crowdMax) }, (_, n) => n + 1).filter(id => id % 500 !== 0)
  const bare = await startCeiling('account', { databaseUrl: service.databaseUrl })
  /** Cycles through the people. Before the first round everybody has been there once. */
  const inTurn = (port: number, metered: MeteredProcesses, requestOf: (id: number) => Request): Side => {
    let at = 0
    const given = { port, connections, next: () => requestOf(crowd[at++ % crowd.length] as number) }
    const side = httpSide(given, metered)
    return { run: side.run, warm: () => httpSide({ ...given, amount: crowd.length }, metered).run(0) }
  }
  return {
    goals: [goalOf('account')],
    ceiling: inTurn(bare.port, { ...service, ...bare }, id => ({ path: `/account/${id}` })),
    ours: inTurn(service.port, service, id => ({ path: '/api/account', token: tokenOf(id) })),
    end: bare.stop,
  }
}

import { httpSide, startCeilingServer } from '../ceiling.ts'
import type { Duel, Goal } from '../figures.ts'
import { httpRequest } from '../http-request.ts'
import { type Member, membersOf } from '../members.ts'
import type { RowGroup } from '../row-group.ts'
import { demandItems, demandSameReply } from '../same-shape.ts'
import { oneOf } from '../statistics.ts'

const connections = 64

/** Reading the newest page of an album. */
export const photos: RowGroup = {
  ids: ['photos', 'photos.extra'],
  async *duels({ large: { service, db }, random }) {
    const members = await membersOf(db, { from: 101, to: 356 }, 4)
    const pathOf = ({ event }: Member) => `/api/gallery/photos/${event}?page_length=50&page=1`
    const bare = await startCeilingServer('photos', { databaseUrl: service.databaseUrl })
    const [first] = members as [Member]
    await demandItems(service.port, pathOf(first), first.token, 50)
    await demandSameReply({ ceiling: bare.port, ours: service.port }, pathOf(first), first.token)
    const nextOf = (more: string) => {
      const requests = members.map(member => httpRequest('GET', pathOf(member) + more, { token: member.token }))
      return () => oneOf(requests, random)
    }
    const plain = nextOf('')
    const duel = (goal: Pick<Goal, 'id' | 'work' | 'floor' | 'aim'>, next: () => Buffer): Duel => ({
      goals: [
        {
          ...goal,
          ceiling: 'hand-written Fastify + one SQL building the same JSON',
          figure: 'rate',
          cpuDecides: true,
        },
      ],
      ceiling: httpSide({ port: bare.port, connections, next: plain }, { ...service, ...bare }),
      ours: httpSide({ port: service.port, connections, next }, service),
    })
    try {
      yield duel({ id: 'photos', work: 'page of 50 photos, random albums', floor: 1.2, aim: 2 }, plain)
      const withExtra = 'the same with extra, which our client asks for and the ceiling leaves out'
      yield duel({ id: 'photos.extra', work: withExtra }, nextOf('&include=extra'))
    } finally {
      await bare.stop()
    }
  },
}

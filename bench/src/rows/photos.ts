import { httpSide, startCeilingServer } from '../ceiling.ts'
import { httpRequest } from '../http-request.ts'
import { type Member, membersOf } from '../members.ts'
import type { RowGroup } from '../row-group.ts'
import { demandItems, demandSameReply } from '../same-shape.ts'
import { oneOf } from '../statistics.ts'

const connections = 64

/** Reading the newest page of an album. */
export const photos: RowGroup = {
  ids: ['photos'],
  async *duels({ large: { service, db }, random }) {
    const members = await membersOf(db, { from: 101, to: 356 }, 4)
    const pathOf = ({ event }: Member) => `/api/gallery/photos/${event}?page_length=50&page=1`
    const bare = await startCeilingServer('photos', { databaseUrl: service.databaseUrl })
    const [first] = members as [Member]
    await demandItems(service.port, pathOf(first), first.token, 50)
    await demandSameReply({ ceiling: bare.port, ours: service.port }, pathOf(first), first.token)
    const requests = members.map(member => httpRequest('GET', pathOf(member), { token: member.token }))
    const next = () => oneOf(requests, random)
    yield {
      goals: [
        {
          id: 'photos',
          work: 'page of 50 photos, random albums',
          ceiling: 'hand-written Fastify + one SQL building the same JSON',
          figure: 'rate',
          floor: 1.2,
          aim: 2,
          cpuDecides: true,
        },
      ],
      ceiling: httpSide({ port: bare.port, connections, next }, { ...service, ...bare }),
      ours: httpSide({ port: service.port, connections, next }, service),
      end: bare.stop,
    }
  },
}

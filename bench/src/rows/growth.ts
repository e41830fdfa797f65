import type { Duel, Side } from '../figures.ts'
import { tokenOf } from '../fill/sessions.ts'
import { greatEvent, longChatLength, sociable } from '../fill/size.ts'
import type { Fixture, Instance, RowGroup } from '../fixture.ts'
import { goalOf, type RowId } from '../goals.ts'
import { httpSide, type Request } from '../load.ts'
import { chatPage, membersOf } from '../people.ts'
import { demandItems } from '../same-shape.ts'
import { oneOf } from '../statistics.ts'
import { openUploads } from '../uploads.ts'

const connections = 4
const length = 50
// Both databases have these chats with the same people: only the surrounding data differs.
const common = { from: 2, to: 100 }

type Next = (instance: Instance, fixture: Fixture) => Promise<() => Request>

/**
 * The same work with ten thousand messages in the tables and with millions: nothing outside of a page may cost
 * anything.
 */
export const growth: RowGroup = {
  ids: ['growth.page', 'growth.chats', 'growth.words', 'growth.people', 'growth.upload', 'growth.deep'],
  async *duels(fixture) {
    const duel = async (id: RowId, sideOf: (instance: Instance) => Promise<Side>): Promise<Duel> => ({
      goals: [goalOf(id)],
      ceiling: await sideOf(fixture.small),
      ours: await sideOf(fixture.large),
    })
    const asking = (next: Next) => async (instance: Instance) => {
      const { service } = instance
      return httpSide({ port: service.port, connections, next: await next(instance, fixture) }, service)
    }
    yield await duel('growth.page', asking(newestPages))
    yield await duel('growth.chats', asking(chatLists))
    yield await duel('growth.words', asking(words))
    yield await duel('growth.people', asking(names))
    const { uploading } = await openUploads()
    yield await duel('growth.upload', async instance =>
      uploading(instance, await membersOf(instance.db, common, 2), fixture.random),
    )
    yield await deepPages(fixture)
  },
}

const newestPages: Next = async ({ db, service }, { random }) => {
  const members = await membersOf(db, common, 2)
  await demandItems(service.port, chatPage(2, '').path, members[0]?.token ?? '', length - 10)
  return () => {
    const { event, token } = oneOf(members, random)
    return chatPage(event, token)
  }
}

const chatLists: Next = async ({ service }, { random }) => {
  const path = `/api/message/group/list?include=extra&page_length=20&page=1`
  await demandItems(service.port, path, tokenOf(1), 20)
  return () => ({ path, token: tokenOf(1 + Math.floor(random() * sociable)) })
}

/** Pages short enough to be full in the small database too, whose chats have fewer messages. */
const words: Next = async ({ db }, { random }) => {
  const members = await membersOf(db, common, 2)
  return () => {
    const { event, token } = oneOf(members, random)
    const word = oneOf(['speakers', 'cheese', 'sunset', 'dancing', 'corkscrew', 'band'], random)
    return { path: `/api/message/search?group_chat_id=${event}&text=${word}&page_length=3&page=1`, token }
  }
}

/** Name prefixes that occur in this database, searched by the first four hundred people, who have friends. */
const names: Next = async ({ db, size }, { random }) => {
  const ids = Array.from({ length: 200 }, () => 1 + Math.floor(random() * size.users))
  const { rows } = await db.query('select first_name, last_name from users where id = any ($1)', [ids])
  const typed = rows.map(({ first_name: first, last_name: last }, n) => {
    const start = (name: string) => [...name].slice(0, 2 + (n % 4)).join('')
    return n % 3 ? start(first) : `${first} ${start(last)}`
  })
  return () => {
    const name = encodeURIComponent(oneOf(typed, random))
    const token = tokenOf(101 + Math.floor(random() * 200))
    return { path: `/api/user/mention/search?name=${name}&page_length=20&page=1`, token }
  }
}

/** Pages of a section of the longest chat, from 0 (the newest message) to 1 (the first). */
const deepPages = async ({ large: { service, db, size }, random }: Fixture): Promise<Duel> => {
  const members = await membersOf(db, { from: greatEvent, to: greatEvent }, 20)
  const pages = Math.floor(longChatLength(size) / length)
  await demandItems(service.port, chatPage(greatEvent, '', pages).path, members[0]?.token ?? '', length)
  const side = (from: number, to: number) => {
    const next = () => {
      const page = 1 + Math.floor(pages * (from + random() * (to - from)))
      return chatPage(greatEvent, oneOf(members, random).token, page)
    }
    return httpSide({ port: service.port, connections, next }, service)
  }
  const share = Math.min(0.4, 1000 / pages)
  return {
    goals: [goalOf('growth.deep')],
    ceiling: side(0, share),
    ours: side(1 - share, 1),
  }
}

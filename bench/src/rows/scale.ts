import { httpSide } from '../ceiling.ts'
import type { Duel } from '../figures.ts'
import { tokenOf } from '../fill/sessions.ts'
import { longChatLength } from '../fill/size.ts'
import { load } from '../http-load.ts'
import { httpRequest } from '../http-request.ts'
import { membersOf } from '../members.ts'
import type { RowGroup } from '../row-group.ts'
import { demandItems } from '../same-shape.ts'
import type { Instance, Stage } from '../stage.ts'
import { oneOf } from '../statistics.ts'
import { sendOf } from './sends.ts'
import { uploadsOf, withoutSpareWork } from './uploads.ts'

const connections = 4
const length = 50
/** A service keeps what is read again and again: a parameter that it ignores makes every page a new one. */
let asked = 0
const unkept = () => `&n=${asked++}`

type Requests = (instance: Instance) => Promise<() => Buffer>

/** The same work with ten thousand messages in the tables and with millions: nothing outside of a page may cost. */
export const scale: RowGroup = {
  ids: ['P8.page', 'P8.deep', 'P8.photos', 'P8.photos-deep', 'P8.words', 'P8.send', 'P8.upload', 'P9', 'P9.deleted'],
  async *duels(stage) {
    const rows: [id: string, work: string, requests: (stage: Stage) => Requests][] = [
      ['P8.page', 'newest page of messages', newestPages],
      ['P8.deep', 'any page of the longest chat', pagesOfLongChat(0, 1)],
      ['P8.photos', 'newest page of photos', newestPhotos],
      ['P8.photos-deep', 'any page of the largest album', pagesOfAlbum],
      ['P8.words', 'messages of a chat by a word', wordsInChats],
      ['P8.send', 'POST message', sending],
      ['P8.upload', 'upload of a 12-megapixel photo', uploadsOf],
    ]
    for (const [id, work, requests] of rows)
      yield await largeToSmall(stage, { id, work: `${work}, p50` }, requests(stage))
    yield await depth(stage, 'P9', 'last thousand pages of the longest chat')
    await deleteThousand(stage)
    yield await depth(stage, 'P9.deleted', 'the same after a thousand deletions')
  },
}

const largeToSmall = async (
  { large, small }: Stage,
  row: { id: string; work: string },
  requests: Requests,
): Promise<Duel> => {
  const side = async (instance: Instance) => {
    const next = await requests(instance)
    return withoutSpareWork(httpSide({ port: instance.service.port, connections, next }, instance.service), instance)
  }
  return {
    goals: [
      {
        ...row,
        ceiling: 'the same with 10 thousand messages in the tables',
        figure: 'p50',
        floor: 1.2,
        aim: 1.1,
        cpuDecides: true,
      },
    ],
    ceiling: await side(small),
    ours: await side(large),
  }
}

// Both databases hold these chats, with the same people in them: only what lies around them differs.
const common = { from: 2, to: 100 }

const newestPages =
  ({ random }: Stage): Requests =>
  async ({ db, service }) => {
    const members = await membersOf(db, common, 2)
    const pathOf = (event: number) => `/api/message/list?group_chat_id=${event}&page_length=${length}&page=1`
    await demandItems(service.port, pathOf(2), members[0]?.token ?? '', length - 10)
    const requests = members.map(({ event, token }) => httpRequest('GET', pathOf(event), { token }))
    return () => oneOf(requests, random)
  }

/** Pages of a part of the longest chat, in shares of it from the newest (0) to the first message (1). */
const pagesOfLongChat =
  (from: number, to: number) =>
  ({ random }: Stage): Requests =>
  async ({ db, service, size }) => {
    const members = await membersOf(db, { from: 1, to: 1 }, 20)
    const pages = Math.floor(longChatLength(size) / length)
    const pathOf = (page: number) => `/api/message/list?group_chat_id=1&page_length=${length}${unkept()}&page=${page}`
    await demandItems(service.port, pathOf(pages), members[0]?.token ?? '', length)
    return () => {
      const page = 1 + Math.floor(pages * (from + random() * (to - from)))
      return httpRequest('GET', pathOf(page), { token: oneOf(members, random).token })
    }
  }

const newestPhotos =
  ({ random }: Stage): Requests =>
  async ({ db }) => {
    const members = await membersOf(db, common, 2)
    const requests = members.map(({ event, token }) =>
      httpRequest('GET', `/api/gallery/photos/${event}?page_length=${length}&page=1`, { token }),
    )
    return () => oneOf(requests, random)
  }

const pagesOfAlbum =
  ({ random }: Stage): Requests =>
  async ({ db, service, size }) => {
    const members = await membersOf(db, { from: 1, to: 1 }, 20)
    const pages = Math.floor(size.album / length)
    const pathOf = (page: number) => `/api/gallery/photos/1?page_length=${length}&page=${page}`
    await demandItems(service.port, pathOf(pages), members[0]?.token ?? '', length)
    return () => {
      const { token } = oneOf(members, random)
      return httpRequest('GET', pathOf(1 + Math.floor(random() * pages)), { token })
    }
  }

/** Pages short enough to be full in the small database too, whose chats have fewer messages. */
const wordsInChats =
  ({ random }: Stage): Requests =>
  async ({ db }) => {
    const members = await membersOf(db, common, 2)
    const words = ['speakers', 'cheese', 'sunset', 'dancing', 'corkscrew', 'band']
    return () => {
      const { event, token } = oneOf(members, random)
      const path = `/api/message/search?group_chat_id=${event}&text=${oneOf(words, random)}&page_length=3&page=1`
      return httpRequest('GET', path, { token })
    }
  }

const sending =
  ({ random }: Stage): Requests =>
  async ({ db }) => {
    const requests = (await membersOf(db, common, 2)).map(sendOf)
    return () => oneOf(requests, random)()
  }

const depth = async (stage: Stage, id: string, work: string): Promise<Duel> => {
  const { service, size } = stage.large
  const share = Math.min(0.4, (1000 * length) / longChatLength(size))
  const side = async (from: number, to: number) =>
    httpSide({ port: service.port, connections, next: await pagesOfLongChat(from, to)(stage)(stage.large) }, service)
  return {
    goals: [
      {
        id,
        work: `${work}, p50`,
        ceiling: 'its first thousand',
        figure: 'p50',
        floor: 1.3,
        aim: 1.1,
        cpuDecides: true,
      },
    ],
    // Past the newest 200 messages, which are kept whatever the page.
    ceiling: await side(200 / longChatLength(size), share),
    ours: await side(1 - share, 1),
  }
}

/** Of the longest chat, wherever they stand, by an organizer. */
const deleteThousand = async ({ large: { service, db } }: Stage) => {
  const { rows } = await db.query(
    `select id from messages where group_chat_id = 1 and deleted_at is null
     and sequence in (select 1 + floor(random() * (select last_sequence - 1 from group_chats where id = 1)) from generate_series(1, 1500))
     limit 1000`,
  )
  const { rows: organizers } = await db.query("select user_id::int from guests where event_id = 1 and role <> 'guest'")
  const requests = rows.map(({ id }) =>
    httpRequest('DELETE', `/api/message/${id}`, { token: tokenOf(organizers[0].user_id) }),
  )
  await load({ port: service.port, connections: 8, next: () => requests.pop() ?? null }, 120)
}

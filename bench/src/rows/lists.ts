import { httpSide } from '../ceiling.ts'
import type { Duel } from '../figures.ts'
import { tokenOf } from '../fill/sessions.ts'
import { greatEvent, sociable } from '../fill/size.ts'
import { httpRequest } from '../http-request.ts'
import { membersOf } from '../members.ts'
import type { RowGroup } from '../row-group.ts'
import { demandItems } from '../same-shape.ts'
import type { Instance, Stage } from '../stage.ts'
import { oneOf } from '../statistics.ts'

const connections = 4
const length = 50

/** A list of the great event: its address, without page, how many rows it has, and who reads it. */
type List = { address: string; rows: number; tokens: string[] }

const lists: [id: string, work: string, of: (instance: Instance) => Promise<List>][] = [
  ['chats', 'chats', chats],
  ['comments', 'comments', comments],
  ['replies', 'replies', replies],
  ['reactions', 'reactions', reactions],
  ['requests', 'join requests', joinRequests],
]

/** The other lists, over large tables and small ones, on their first page and their last. */
export const otherLists: RowGroup = {
  ids: lists.flatMap(([id]) => [`P10.${id}`, `P10.${id}-cpu`, `P10.${id}-deep`]),
  async *duels(stage) {
    for (const [id, work, of] of lists) {
      yield await largeToSmall(stage, { id: `P10.${id}`, work: `page of 50 ${work}` }, of)
      yield await deepToFirst(stage, { id: `P10.${id}-deep`, work: `last page of ${work}, p50` }, of)
    }
  },
}

const largeToSmall = async (
  stage: Stage,
  { id, work }: { id: string; work: string },
  of: (at: Instance) => Promise<List>,
) => {
  const duel: Duel = {
    goals: [
      {
        id,
        work: `${work}, p50`,
        ceiling: 'the same with 10 thousand messages in the tables',
        figure: 'p50',
        floor: 1.25,
        aim: 1.1,
        cpuDecides: true,
      },
      { id: `${id}-cpu`, work: `${work}, PostgreSQL CPU`, ceiling: null, figure: 'postgresCpu', floor: 300, aim: 150 },
    ],
    ceiling: await reading(stage, stage.small, await of(stage.small), 1),
    ours: await reading(stage, stage.large, await of(stage.large), 1),
  }
  return duel
}

const deepToFirst = async (stage: Stage, goal: { id: string; work: string }, of: (at: Instance) => Promise<List>) => {
  const list = await of(stage.large)
  const duel: Duel = {
    goals: [{ ...goal, ceiling: 'the first', figure: 'p50', floor: 1.3, aim: 1.1, cpuDecides: true }],
    ceiling: await reading(stage, stage.large, list, 1),
    ours: await reading(stage, stage.large, list, Math.floor(list.rows / length)),
  }
  return duel
}

const reading = async ({ random }: Stage, { service }: Instance, { address, tokens }: List, page: number) => {
  const path = `${address}?page_length=${length}&page=${page}`
  await demandItems(service.port, path, tokens[0] as string, length - 5)
  const requests = tokens.map(token => httpRequest('GET', path, { token }))
  return httpSide({ port: service.port, connections, next: () => oneOf(requests, random) }, service)
}

async function chats(): Promise<List> {
  const tokens = Array.from({ length: sociable }, (_, n) => tokenOf(n + 1))
  return { address: '/api/message/group/list', rows: 100, tokens }
}

async function comments(at: Instance): Promise<List> {
  const photo = await numberIn(at, `select id from photos where event_id = ${greatEvent} and sequence = 1`)
  return { address: `/api/gallery/comments/${photo}`, rows: at.size.thread, tokens: await guests(at) }
}

async function replies(at: Instance): Promise<List> {
  return {
    address: `/api/gallery/comment/replies/${await firstComment(at)}`,
    rows: at.size.thread / 2,
    tokens: await guests(at),
  }
}

async function reactions(at: Instance): Promise<List> {
  return {
    address: `/api/gallery/comment/reactions/${await firstComment(at)}`,
    rows: at.size.thread / 2,
    tokens: await guests(at),
  }
}

async function joinRequests(at: Instance): Promise<List> {
  const organizer = await numberIn(at, `select user_id from guests where event_id = ${greatEvent} and role = 'owner'`)
  return { address: `/api/event/join/requests/${greatEvent}`, rows: at.size.asked, tokens: [tokenOf(organizer)] }
}

const firstComment = (at: Instance) => numberIn(at, 'select id from comments where replies_count > 0')
const guests = async ({ db }: Instance) =>
  (await membersOf(db, { from: greatEvent, to: greatEvent }, 20)).map(({ token }) => token)
const numberIn = async ({ db }: Instance, query: string) => Number(Object.values((await db.query(query)).rows[0])[0])

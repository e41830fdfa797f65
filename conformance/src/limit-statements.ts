import type { Call } from './caller.ts'
import { broken, part } from './statement.ts'

/** Documented limits per minute and user that are cheap to try. */
const limits: [id: string, method: string, path: string, perMinute: number][] = [
  ['ping', 'PUT', 'api/realtime/ping', 10],
  ['disconnect', 'PUT', 'api/realtime/disconnect', 10],
  ['account', 'GET', 'api/account', 120],
  ['chats', 'GET', 'api/message/group/list?page=1&page_length=1', 120],
  ['chat', 'GET', 'api/message/group/999999999', 240],
  ['messages', 'GET', 'api/message/list?page=1&page_length=1&group_chat_id=999999999', 240],
  ['reacted', 'GET', 'api/message/reacted?page=1&page_length=1&message_id=999999999', 120],
  ['album', 'PUT', 'api/message/attachment/add-to-album/999999999', 120],
  ['photo', 'GET', 'api/gallery/photo/details/999999999', 180],
  ['comments', 'GET', 'api/gallery/comments/999999999?page=1&page_length=1', 240],
  ['replies', 'GET', 'api/gallery/comment/replies/999999999?page=1&page_length=1', 240],
  ['reactions', 'GET', 'api/gallery/comment/reactions/999999999?page=1&page_length=1', 240],
  ['search', 'GET', 'api/user/mention/search?name=Connie&page=1&page_length=1', 180],
  ['requests', 'GET', 'api/event/join/requests/999999999?page=1&page_length=1', 120],
]

const atOnce = 20

/** Sends `count` requests and returns how many were admitted. Nobody has to wait for more than a minute. */
const admitted = async (call: Call, method: string, path: string, count: number): Promise<number> => {
  let passed = 0
  for (let sent = 0; sent < count; sent += atOnce) {
    const replies = await Promise.all(
      Array.from({ length: Math.min(atOnce, count - sent) }, () => call(method, path, { tellsLimit: true })),
    )
    passed += replies.filter(({ status }) => status !== 429).length
  }
  return passed
}

export const limitStatements = part(
  'limits',
  Object.fromEntries(
    limits.map(([id, method, path, perMinute]) => [
      id,
      [
        `${method} ${path.split('?')[0]?.replace('999999999', '{id}')} is answered ${perMinute} times a minute and person, and not more often`,
        async world => {
          // If a new minute begins in between, more are admitted: another user tries again.
          let passed = 0
          for (let tries = 0; tries < 3; tries++) {
            const started = Date.now()
            const { call } = await world.person(`limited ${id} ${tries}`)
            passed = await admitted(call, method, path, perMinute + 3)
            if (passed === perMinute) return
            if (passed < perMinute || Date.now() - started < 50_000) break
          }
          broken(undefined, `${method} ${path}: ${passed} of ${perMinute + 3} requests were answered`)
        },
      ],
    ]),
  ),
)

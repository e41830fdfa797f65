import { commented } from './gallery.ts'
import { ReactedUser } from './shapes.ts'
import { broken, listed, part, same } from './statement.ts'

const page = { page: 1, page_length: 10 }

export const additionStatements = part(
  'additions',
  {
    reactions: [
      'the reactions of a comment are found by the comment’s id',
      async world => {
        const { id } = await commented(world, 'React to me')
        const { guest } = await world.party()
        await guest.call('PUT', `api/gallery/comment/react/${id}`, { json: { comment_reaction: '🎉' } })
        const reply = await guest.call('GET', `api/gallery/comment/reactions/${id}`, { query: page })
        same(reply, listed(reply, ReactedUser).data.length, 1, 'how many reacted')
      },
    ],
    codes: [
      'every refusal carries a code, and every reply the version of the interface',
      async world => {
        const reply = await world.anyone('GET', 'api/account')
        same(reply, reply.headers.get('x-refusal'), 'unauthenticated', 'X-Refusal')
        if (!/^1\.\d+$/.test(reply.headers.get('x-interface') ?? '')) broken(reply, 'tells no X-Interface')
      },
    ],
    limits: [
      'a limited reply says how many requests are left',
      async world => {
        const reply = await (await world.person('organizer')).call('GET', 'api/account')
        for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining'])
          if (!/^\d+$/.test(reply.headers.get(name) ?? '')) broken(reply, `tells no ${name}`)
      },
    ],
    retries: [
      'a repeat with the same Idempotency-Key acts once',
      async world => {
        const { guest, group_chat_id } = await world.party()
        const headers = { 'Idempotency-Key': `conformance-${Math.random()}` }
        const json = { group_chat_id, message_content: 'Once' }
        const [first, again] = [
          await guest.call('POST', 'api/message', { json, headers }),
          await guest.call('POST', 'api/message', { json, headers }),
        ]
        same(again, Object(again.json).id, Object(first.json).id, 'the id of the repeat')
      },
    ],
  },
  'additions',
)

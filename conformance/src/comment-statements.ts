import { comment, commented, photoOf } from './gallery.ts'
import { Comment } from './shapes.ts'
import { broken, faults, listed, missing, part, refuses, same, shaped } from './statement.ts'

const page = { page: 1, page_length: 10 }
const unknown = 999_999_999
const notReaders = 'User is not authorized to access the comments.'

export const commentStatements = part('comments', {
  add: [
    'a new comment is 201',
    async world => {
      const { reply } = await commented(world, 'What a night.')
      same(reply, Object(reply.json).event_photo_comment, 'What a night.', 'event_photo_comment')
    },
  ],
  reply: [
    'a reply is 201 and is counted',
    async world => {
      const { event_photo_id, id } = await commented(world, 'Who was there?')
      const json = { event_photo_id, event_photo_comment_reply_id: id, event_photo_comment: 'I was.' }
      shaped(await comment(world, json, 'organizer'), Comment, 201)
      const { guest } = await world.party()
      const list = await guest.call('GET', `api/gallery/comments/${event_photo_id}`, { query: page })
      const of = listed(list, Comment).data.find(each => each.id === id)
      same(list, of?.event_photo_comment_replies_count, 1, 'event_photo_comment_replies_count')
    },
  ],
  update: [
    'an update is 200',
    async world => {
      const { event_photo_id, id } = await commented(world, 'Tpyo')
      const json = { event_photo_id, event_photo_comment_id: id, event_photo_comment: 'Typo' }
      const reply = shaped(await comment(world, json), Comment, 200)
      same(reply, [Object(reply.json).id, Object(reply.json).event_photo_comment], [id, 'Typo'], 'the comment')
    },
  ],
  deep: [
    'replies have no replies',
    async world => {
      const { event_photo_id, id } = await commented(world, 'Top')
      const first = await comment(world, {
        event_photo_id,
        event_photo_comment_reply_id: id,
        event_photo_comment: 'One',
      })
      const reply_id = Number(Object(first.json).id)
      const json = { event_photo_id, event_photo_comment_reply_id: reply_id, event_photo_comment: 'Two' }
      refuses(await comment(world, json), 'You can only reply to the original comment.')
    },
  ],
  text: [
    'a comment needs a text',
    async world => {
      faults(await comment(world, { event_photo_id: await photoOf(world) }), 'event_photo_comment')
    },
  ],
  photo: [
    'an unknown photo is 404 in plain text',
    async world => {
      missing(await comment(world, { event_photo_id: unknown, event_photo_comment: 'x' }), 'Photo not found!')
    },
  ],
  missing: [
    'and so is an unknown comment',
    async world => {
      const json = {
        event_photo_id: await photoOf(world),
        event_photo_comment_reply_id: unknown,
        event_photo_comment: 'x',
      }
      missing(await comment(world, json), 'Comment not found!')
    },
  ],
  outside: [
    'who is outside of the event is refused',
    async world => {
      const event_photo_id = await photoOf(world)
      const { call } = await world.person('outsider')
      const json = { event_photo_id, event_photo_comment: 'x' }
      refuses(await call('POST', 'api/gallery/comment', { json }), 'User is not allowed to comment on this event photo')
      refuses(await call('GET', `api/gallery/comments/${event_photo_id}`, { query: page }), notReaders)
    },
  ],
  list: [
    'the comments of a photo are a list, without replies',
    async world => {
      const { event_photo_id, id } = await commented(world, 'Listed')
      const { guest } = await world.party()
      const reply = await guest.call('GET', `api/gallery/comments/${event_photo_id}`, {
        query: { page: 1, page_length: 50 },
      })
      if (!listed(reply, Comment).data.some(each => each.id === id)) broken(reply, 'does not hold the comment')
    },
  ],
  'list-missing': [
    'of an unknown photo they are 404 in plain text',
    async world => {
      const { call } = await world.person('organizer')
      missing(await call('GET', `api/gallery/comments/${unknown}`, { query: page }), 'Photo not found!')
    },
  ],
  replies: [
    'the replies to a comment are a list',
    async world => {
      const { event_photo_id, id } = await commented(world, 'Answer me')
      await comment(world, { event_photo_id, event_photo_comment_reply_id: id, event_photo_comment: 'Yes' })
      const { guest } = await world.party()
      const reply = await guest.call('GET', `api/gallery/comment/replies/${id}`, { query: page })
      same(
        reply,
        listed(reply, Comment).data.map(each => each.event_photo_comment),
        ['Yes'],
        'the replies',
      )
    },
  ],
  'replies-outside': [
    'which refuses who is outside of the event',
    async world => {
      const { id } = await commented(world, 'Secret')
      const { call } = await world.person('outsider')
      refuses(await call('GET', `api/gallery/comment/replies/${id}`, { query: page }), notReaders)
    },
  ],
  'reactions-missing': [
    'unknown reactions are 404 in plain text',
    async world => {
      const { call } = await world.person('organizer')
      missing(
        await call('GET', `api/gallery/comment/reactions/${unknown}`, { query: page }),
        'Comment reaction not found!',
      )
    },
  ],
})

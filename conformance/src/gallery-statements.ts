import { picture } from './picture.ts'
import { Comment, MinimalUser, Photo, ReactedUser } from './shapes.ts'
import { answers, broken, faults, listed, missing, part, refuses, same, shaped } from './statement.ts'
import type { World } from './world.ts'

const page = { page: 1, page_length: 10 }
const unknown = 999_999_999
const notReaders = 'User is not authorized to access the comments.'

const photos = new WeakMap<World, Promise<number>>()
/** A photo in the party's gallery. */
const photoOf = (world: World): Promise<number> => {
  const known = photos.get(world) ?? upload(world).then(({ json }) => Number(Object(json).id))
  photos.set(world, known)
  return known
}
const upload = async (world: World) => {
  const { guest, event_id } = await world.party()
  return shaped(await guest.call('POST', 'api/gallery/upload', { form: { event_id, image: picture() } }), Photo)
}
const comment = async (world: World, json: Record<string, unknown>, by: 'guest' | 'organizer' = 'guest') =>
  (await world.party())[by].call('POST', 'api/gallery/comment', { json })
const commented = async (world: World, text: string) => {
  const event_photo_id = await photoOf(world)
  const reply = shaped(await comment(world, { event_photo_id, event_photo_comment: text }), Comment, 201)
  return { event_photo_id, reply, id: Number(Object(reply.json).id) }
}

export const galleryStatements = [
  ...part('upload', {
    answers: [
      'uploading answers 200 with the photo',
      async world => {
        const { event_id, guest } = await world.party()
        const reply = await upload(world)
        const { event_id: of, taken_by, liked } = Object(reply.json)
        same(reply, [of, taken_by.id, liked], [String(event_id), guest.id, false], 'the photo')
      },
    ],
    files: [
      'its picture opens by its address as it stands',
      async world => {
        const reply = await upload(world)
        const { event_photo_url, event_photo_preview_url } = Object(reply.json)
        for (const url of [event_photo_url, event_photo_preview_url]) {
          const file = answers(await world.anyone('GET', url), 200)
          if (!file.type.startsWith('image/')) broken(file, `is ${file.type}, not a picture`)
        }
      },
    ],
    image: [
      'uploading needs an image',
      async world => {
        const { guest, event_id } = await world.party()
        faults(await guest.call('POST', 'api/gallery/upload', { form: { event_id } }), 'image')
      },
    ],
    text: [
      'which must be one',
      async world => {
        const { guest, event_id } = await world.party()
        const form = { event_id, image: new Blob(['no picture at all'], { type: 'image/png' }) }
        faults(await guest.call('POST', 'api/gallery/upload', { form }), 'image')
      },
    ],
    outside: [
      'who may not is refused in the field error',
      async world => {
        const { event_id } = await world.party()
        const { call } = await world.person('outsider')
        const reply = await call('POST', 'api/gallery/upload', { form: { event_id, image: picture() } })
        refuses(reply, "You're not authorized to upload an image for this event.", 'error')
      },
    ],
    missing: [
      'an unknown event is 404 in plain text, without an exclamation mark',
      async world => {
        const { call } = await world.person('organizer')
        const form = { event_id: unknown, image: picture() }
        missing(await call('POST', 'api/gallery/upload', { form }), 'Event not found')
      },
    ],
  }),
  ...part('photos', {
    read: [
      'one photo is read by its id',
      async world => {
        const { organizer } = await world.party()
        const id = await photoOf(world)
        const reply = shaped(await organizer.call('GET', `api/gallery/photo/details/${id}`), Photo)
        same(reply, Object(reply.json).id, String(id), 'id')
      },
    ],
    counts: [
      'its counts are strings that count comments',
      async world => {
        const { event_photo_id } = await commented(world, 'Counted')
        const { organizer } = await world.party()
        const reply = shaped(await organizer.call('GET', `api/gallery/photo/details/${event_photo_id}`), Photo)
        if (!(Number(Object(reply.json).event_photo_comments_count) >= 1)) broken(reply, 'counts no comment')
      },
    ],
    outside: [
      'who is outside of the event is refused',
      async world => {
        const id = await photoOf(world)
        const { call } = await world.person('outsider')
        refuses(await call('GET', `api/gallery/photo/details/${id}`), 'User is not allowed to access this event photo')
      },
    ],
    missing: [
      'an unknown photo is 404 in plain text',
      async world => {
        const { call } = await world.person('organizer')
        missing(await call('GET', `api/gallery/photo/details/${unknown}`), 'Event Photo not found!')
      },
    ],
  }),
  ...part('comments', {
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
        refuses(
          await call('POST', 'api/gallery/comment', { json }),
          'User is not allowed to comment on this event photo',
        )
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
  }),
  ...part('requests', {
    list: [
      'who asked to join an event is a list of minimal users',
      async world => {
        const { event_id, organizer } = await world.pending()
        const reply = await organizer.call('GET', `api/event/join/requests/${event_id}`, { query: page })
        same(
          reply,
          listed(reply, MinimalUser).data.map(({ id }) => id),
          [(await world.person('stranger')).id],
          'who asks',
        )
      },
    ],
    missing: [
      'an unknown event is 404 in plain text, with an exclamation mark',
      async world => {
        const { call } = await world.person('organizer')
        missing(await call('GET', `api/event/join/requests/${unknown}`, { query: page }), 'Event not found!')
      },
    ],
    outside: [
      'others than organizers are refused by 400',
      async world => {
        const { event_id } = await world.party()
        const { call } = await world.person('outsider')
        answers(await call('GET', `api/event/join/requests/${event_id}`, { query: page }), 400)
      },
    ],
  }),
  ...part(
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
  ),
]

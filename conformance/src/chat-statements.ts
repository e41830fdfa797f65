import { picture } from './picture.ts'
import { GroupChat, Message, MinimalUser, Photo } from './shapes.ts'
import { answers, broken, faults, listed, missing, part, refuses, same, shaped } from './statement.ts'
import type { Party, World } from './world.ts'

const page = { page: 1, page_length: 10 }
const unknown = 999_999_999
const outside = 'The user is neither a guest nor an organizer of the event'
const noChat = 'Group chat not found!'

/** Sends a message to the party's chat. */
const say = async (
  { guest, group_chat_id }: Party,
  message_content: string,
  more: Record<string, string | number | Blob[]> = {},
) => {
  const reply = shaped(
    await guest.call('POST', 'api/message', { form: { group_chat_id, message_content, ...more } }),
    Message,
  )
  return { reply, message: reply.json as Record<string, unknown> & { attachments: Record<string, unknown>[] } }
}
const attached = async (party: Party) => {
  const { reply, message } = await say(party, 'Look!', { attachments: [picture()] })
  const [attachment] = message.attachments
  return attachment ? Number(attachment.id) : broken(reply, 'has no attachment')
}
const stranger = async (world: World) => {
  await world.party()
  return world.person('outsider')
}

export const chatStatements = [
  ...part('chats', {
    list: [
      'the group chats of one’s events are a list',
      async world => {
        const { guest, group_chat_id } = await world.party()
        const reply = await guest.call('GET', 'api/message/group/list', { query: page })
        const { data } = listed(reply, GroupChat)
        if (!data.some(({ id }) => id === group_chat_id)) broken(reply, 'does not hold the chat')
      },
    ],
    read: [
      'one chat is read by its id',
      async world => {
        const { guest, group_chat_id, event_id } = await world.party()
        const reply = shaped(await guest.call('GET', `api/message/group/${group_chat_id}`), GroupChat)
        same(reply, [Object(reply.json).id, Object(reply.json).event_id], [group_chat_id, event_id], 'the chat')
      },
    ],
    latest: [
      'a chat shows its latest message',
      async world => {
        const party = await world.party()
        await say(party, 'The latest of all')
        const reply = shaped(await party.guest.call('GET', `api/message/group/${party.group_chat_id}`), GroupChat)
        same(reply, Object(reply.json).latest_message?.message_content, 'The latest of all', 'latest_message')
      },
    ],
    outside: [
      'who is outside of the event is refused in the documented words',
      async world => {
        const { group_chat_id } = await world.party()
        refuses(await (await stranger(world)).call('GET', `api/message/group/${group_chat_id}`), outside)
      },
    ],
    missing: [
      'an unknown chat is 404 in plain text',
      async world => {
        missing(await (await world.person('organizer')).call('GET', `api/message/group/${unknown}`), noChat)
      },
    ],
    integer: [
      'an id that is no integer is a validation error',
      async world => {
        faults(await (await world.person('organizer')).call('GET', 'api/message/group/abc'), 'group_chat_id')
      },
    ],
  }),
  ...part('messages', {
    send: [
      'sending answers 200 with the message',
      async world => {
        const { reply, message } = await say(await world.party(), 'Hello')
        same(
          reply,
          [message.message_content, message.replied_to, message.attachments],
          ['Hello', null, []],
          'the message',
        )
      },
    ],
    urlencoded: [
      'form data may be urlencoded',
      async world => {
        const { guest, group_chat_id } = await world.party()
        const form = new URLSearchParams({ group_chat_id: String(group_chat_id), message_content: 'As a form' })
        const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
        const reply = await guest.call('POST', 'api/message', { text: form.toString(), headers })
        same(shaped(reply, Message), Object(reply.json).message_content, 'As a form', 'message_content')
      },
    ],
    scripts: [
      'every script and emoji comes back as it was sent',
      async world => {
        const words = '¡Hola! 你好 مرحبا 👩‍👩‍👧‍👦'
        const { reply, message } = await say(await world.party(), words)
        same(reply, message.message_content, words, 'message_content')
      },
    ],
    reply: [
      'a reply shows what it replies to',
      async world => {
        const party = await world.party()
        const first = await say(party, 'A question')
        const { reply, message } = await say(party, 'An answer', { message_reply_id: Number(first.message.id) })
        same(reply, Object(message.replied_to).id, first.message.id, 'replied_to.id')
      },
    ],
    update: [
      'with message_id a message is updated',
      async world => {
        const party = await world.party()
        const first = await say(party, 'Befroe')
        const { reply, message } = await say(party, 'Before', { message_id: Number(first.message.id) })
        same(reply, [message.id, message.message_content], [first.message.id, 'Before'], 'the message')
      },
    ],
    content: [
      'a message needs content',
      async world => {
        const { guest, group_chat_id } = await world.party()
        faults(await guest.call('POST', 'api/message', { form: { group_chat_id } }), 'message_content')
      },
    ],
    chat: [
      'and an unknown chat is 404 in plain text',
      async world => {
        const { guest } = await world.party()
        missing(
          await guest.call('POST', 'api/message', { form: { group_chat_id: unknown, message_content: 'x' } }),
          noChat,
        )
      },
    ],
    picture: [
      'pictures come as attachments',
      async world => {
        const { reply, message } = await say(await world.party(), 'Two', { attachments: [picture(), picture()] })
        same(
          reply,
          message.attachments.map(each => each.message_attachment_added_to_album),
          [false, false],
          'added to the album',
        )
      },
    ],
    list: [
      'the messages of a chat are a list',
      async world => {
        const party = await world.party()
        await say(party, 'One more')
        const query = { group_chat_id: party.group_chat_id, ...page }
        listed(await party.guest.call('GET', 'api/message/list', { query }), Message)
      },
    ],
    needs: [
      'which needs group_chat_id, page and page_length',
      async world => {
        const { call } = await world.person('organizer')
        faults(await call('GET', 'api/message/list'), 'group_chat_id', 'page', 'page_length')
      },
    ],
    outside: [
      'and refuses who is outside of the event',
      async world => {
        const { group_chat_id } = await world.party()
        const { call } = await stranger(world)
        refuses(await call('GET', 'api/message/list', { query: { group_chat_id, ...page } }), outside)
        refuses(await call('POST', 'api/message', { form: { group_chat_id, message_content: 'x' } }), outside)
      },
    ],
    pages: [
      'its pages repeat nothing and leave nothing out, and its links lead to them',
      async world => {
        const party = await world.party()
        for (let at = 0; at < 5; at++) await say(party, `Message ${at}`)
        const query = { group_chat_id: party.group_chat_id, page_length: 2 }
        const read = async (at: number) =>
          party.guest.call('GET', 'api/message/list', { query: { ...query, page: at } })
        const [one, two] = [await read(1), await read(2)]
        const [first, second] = [listed(one, Message), listed(two, Message)]
        const ids = [...first.data, ...second.data].map(({ id }) => id)
        if (new Set(ids).size !== 4) broken(two, `repeats or lacks messages: ${ids}`)
        same(one, first.prev_page_url, null, 'prev_page_url of page 1')
        if (!first.next_page_url) return broken(one, 'has no next_page_url, though there is a second page')
        const followed = listed(await party.guest.call('GET', first.next_page_url), Message)
        same(
          two,
          followed.data.map(({ id }) => id),
          second.data.map(({ id }) => id),
          'what next_page_url leads to',
        )
      },
    ],
    reacted: [
      'who reacted to a message is a list, by a message_id in the query',
      async world => {
        const party = await world.party()
        const { message } = await say(party, 'Like this')
        const query = { message_id: Number(message.id), ...page }
        listed(await party.guest.call('GET', 'api/message/reacted', { query }), MinimalUser)
      },
    ],
    'reacted-missing': [
      'of an unknown message it is 404 in plain text',
      async world => {
        const { call } = await world.person('organizer')
        missing(
          await call('GET', 'api/message/reacted', { query: { message_id: unknown, ...page } }),
          'Message not found!',
        )
      },
    ],
  }),
  ...part('album', {
    add: [
      'an attachment becomes a photo of the gallery',
      async world => {
        const party = await world.party()
        const id = await attached(party)
        const reply = shaped(await party.guest.call('PUT', `api/message/attachment/add-to-album/${id}`), Photo)
        same(reply, Object(reply.json).event_id, String(party.event_id), 'event_id')
      },
    ],
    twice: [
      'which is there once',
      async world => {
        const party = await world.party()
        const path = `api/message/attachment/add-to-album/${await attached(party)}`
        answers(await party.guest.call('PUT', path), 200)
        refuses(await party.guest.call('PUT', path), 'The attachment is in the gallery')
      },
    ],
    outside: [
      'who may not is refused',
      async world => {
        const path = `api/message/attachment/add-to-album/${await attached(await world.party())}`
        refuses(await (await stranger(world)).call('PUT', path), 'You do not have permission to upload this image.')
      },
    ],
    missing: [
      'an unknown attachment is 404 in plain text',
      async world => {
        const { call } = await world.person('organizer')
        missing(await call('PUT', `api/message/attachment/add-to-album/${unknown}`), 'Attachment not found!')
      },
    ],
  }),
]

import { request } from 'node:http'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { expectHeard, openAudience } from '../../test/audience.ts'
import { enter, type Member } from '../../test/cast.ts'
import type { ReceivedEvent } from '../../test/channel.ts'
import { bringIn, party } from '../../test/party.ts'
import { png } from '../../test/pictures.ts'

const app = await openTestApp()
const picture = new Blob([await png({ width: 24, height: 16 })])

/** A party with one more guest, everybody listening, and strangers of every kind. */
const listening = async () => {
  const { chatId: group_chat_id, event, otherEvent: _, ...cast } = await party(app)
  const ana = await enter(app, 'ana')
  await bringIn(cast.olivia, event.id, ana)
  const members = { ...cast, ana }
  const { heardOf } = await openAudience(app, members)
  const say = (message_content = 'Hello', fields: Record<string, unknown> = {}) =>
    cast.gus.api.chats.saveMessage({ group_chat_id, message_content, ...fields })
  return { ...members, group_chat_id, heardOf, say, event_id: event.id }
}

const all = (...kinds: ReceivedEvent['kind'][]) => ({ olivia: kinds, gus: kinds, ana: kinds })
const newestMessage = async ({ extra }: Member, group_chat_id: number) =>
  (await extra.chats.listMessages({ group_chat_id, page: 1, page_length: 1 })).data[0]

describe('the channel tells people in the event, and nobody else, of', () => {
  test('a message, as each would read it', async () => {
    const { heardOf, say, group_chat_id, olivia, gus, ana } = await listening()
    const heard = await heardOf(() => say())
    expectHeard(heard, all('message.created'))
    for (const [name, member] of Object.entries({ olivia, gus, ana })) {
      const [message] = heard[name as 'gus']
      expect(message?.payload).toEqual(await newestMessage(member, group_chat_id))
    }
  })

  test('a message with pictures, a reply and one sent with a key: each once', async () => {
    const { heardOf, say, gus, group_chat_id } = await listening()
    expectHeard(await heardOf(() => say('Look', { attachments: [picture] })), all('message.created'))
    const { id } = await say()
    expectHeard(await heardOf(() => say('Yes', { message_reply_id: Number(id) })), all('message.created'))
    const twice = await heardOf(async () => {
      const keyed = { idempotencyKey: 'the key of a message' }
      for (let at = 0; at < 2; at++) await gus.api.chats.saveMessage({ group_chat_id, message_content: 'Once' }, keyed)
    })
    expectHeard(twice, all('message.created'))
  })

  test('no refused act', async () => {
    const { heardOf, sam, asha, remy, group_chat_id, say, ana } = await listening()
    const { id } = await say()
    const message_id = Number(id)
    const tried = () =>
      Promise.allSettled([
        ...[sam, asha, remy].flatMap(({ api }) => [
          api.chats.saveMessage({ group_chat_id, message_content: 'Let me in' }),
          api.chats.reactToMessage({ message_id, message_reaction: '🎉' }),
          api.chats.markSeen({ message_id }),
          api.chats.sayTyping({ group_chat_id }),
          api.chats.deleteMessage({ message_id }),
        ]),
        ana.api.chats.saveMessage({ group_chat_id, message_id, message_content: 'Not mine' }),
        ana.api.chats.deleteMessage({ message_id }),
      ])
    const heard = await heardOf(async () => {
      for (const { status } of await tried()) expect(status).toBe('rejected')
    })
    expectHeard(heard, {})
  })

  test('an edit, a reaction, and a deletion with the remaining unread count', async () => {
    const { heardOf, say, ana, olivia, group_chat_id } = await listening()
    const message_id = Number((await say()).id)
    const reaction = { message_id, message_reaction: '🎉' }
    expectHeard(await heardOf(() => say('Hello all', { message_id })), all('message.updated'))
    const reacted = await heardOf(() => ana.api.chats.reactToMessage(reaction))
    expectHeard(reacted, all('message.reacted'))
    expect([reacted.ana, reacted.gus].map(([event]) => event?.payload)).toMatchObject([
      { extra: { my_reactions: ['🎉'] } },
      { extra: { my_reactions: [] }, reactions: [{ message_reaction: '🎉', message_reaction_count: '1' }] },
    ])
    expectHeard(await heardOf(() => ana.api.chats.reactToMessage(reaction)), {})
    expectHeard(await heardOf(() => ana.api.chats.unreactToMessage({ message_id })), all('message.reacted'))
    expectHeard(await heardOf(() => ana.api.chats.unreactToMessage({ message_id })), {})

    const deleted = await heardOf(() => olivia.api.chats.deleteMessage({ message_id }))
    expectHeard(deleted, all('message.deleted', 'group.updated'))
    expect(deleted.ana[0]?.payload).toEqual(await newestMessage(ana, group_chat_id))
    expect(deleted.ana[1]?.payload).toEqual(await ana.extra.chats.readChat({ group_chat_id }))
  })

  test('pictures that are deleted from a message, or enter or leave the album', async () => {
    const { heardOf, say, gus } = await listening()
    const { attachments } = await say('Look', { attachments: [picture, picture] })
    const [one, two] = attachments.map(({ id }) => ({ message_attachment_id: id }))
    if (!one || !two) throw new Error('no pictures')
    expectHeard(await heardOf(() => gus.api.chats.deleteAttachment(one)), all('message.updated'))
    let photo = { event_photo_id: 0 }
    const added = await heardOf(async () => {
      photo = { event_photo_id: Number((await gus.api.chats.addToAlbum(two)).id) }
    })
    expectHeard(added, all('photo.created', 'message.updated'))
    expect(added.ana[1]?.payload).toMatchObject({ attachments: [{ message_attachment_added_to_album: true }] })
    const removed = await heardOf(() => gus.api.gallery.deletePhoto(photo))
    expectHeard(removed, all('photo.deleted', 'message.updated'))
    expect(removed.ana[1]?.payload).toMatchObject({ attachments: [{ message_attachment_added_to_album: false }] })
  })

  test('a seen mark that moved', async () => {
    const { heardOf, say, ana, group_chat_id } = await listening()
    const [first, last] = [await say('1'), await say('2')].map(({ id }) => ({ message_id: Number(id) }))
    if (!first || !last) throw new Error('nothing was said')
    const short = await heardOf(() => ana.api.chats.markSeen(first))
    expectHeard(short, { ...all('message.seen'), ana: ['message.seen', 'group.updated'] })
    expect(short.gus[0]?.payload).toMatchObject({ group_chat_id, seen_sequence: 1, user: { id: ana.id } })
    expect(short.ana[1]?.payload).toMatchObject({ extra: { unread_count: 1, seen_sequence: 1 } })
    expectHeard(await heardOf(() => ana.api.chats.markSeen(last)), all('message.seen'))
    expectHeard(await heardOf(() => ana.api.chats.markSeen(last)), {})
    expectHeard(await heardOf(() => ana.api.chats.markSeen(first)), {})
  })

  test('no seen marks of others in a large event', async () => {
    const { heardOf, say, ana, event_id } = await listening()
    const message_id = Number((await say()).id)
    await sql`update events set guests_count = 101 where id = ${event_id}`.execute(app.db)
    expectHeard(await heardOf(() => ana.api.chats.markSeen({ message_id })), { ana: ['message.seen'] })
  })

  test('the channel tells others who is typing, but not themselves', async () => {
    const { heardOf, ana, group_chat_id } = await listening()
    const heard = await heardOf(async () => {
      await ana.api.chats.sayTyping({ group_chat_id })
      // It bypasses the log, so no later event proves that it has arrived.
      await new Promise(resolve => setTimeout(resolve, 50))
    })
    expectHeard(heard, { olivia: ['typing'], gus: ['typing'] })
    expect(heard.gus[0]).toMatchObject({ payload: { group_chat_id, user: { id: ana.id } }, cursor: null })
  })
})

test('a mute is announced to its owner alone, when it changes', async () => {
  const { heardOf, ana, group_chat_id } = await listening()
  const heard = await heardOf(() => ana.api.chats.muteChat({ group_chat_id }))
  expectHeard(heard, { ana: ['group.updated'] })
  expect(heard.ana[0]?.payload).toMatchObject({ extra: { muted: true } })
  expectHeard(await heardOf(() => ana.api.chats.muteChat({ group_chat_id })), {})
  expectHeard(await heardOf(() => ana.api.chats.unmuteChat({ group_chat_id })), { ana: ['group.updated'] })
})

test('a guest whose role changes learns their new permissions in the chat', async () => {
  const { heardOf, olivia, gus, event_id, group_chat_id } = await listening()
  const toMember = { event_id, user_id: gus.id }
  const inEvent = all('guest.updated', 'event.updated')
  const told = { ...inEvent, gus: [...inEvent.gus, 'group.updated'] as ReceivedEvent['kind'][] }
  const may = async (act: () => Promise<unknown>) => {
    const heard = await heardOf(act)
    expectHeard(heard, told)
    const chat = heard.gus.at(-1)?.payload
    expect(chat).toEqual(await gus.extra.chats.readChat({ group_chat_id }))
    return (chat as Awaited<ReturnType<typeof gus.extra.chats.readChat>>).extra?.may
  }
  const asOrganizer = await may(() => olivia.api.events.makeOrganizer(toMember))
  const asGuest = await may(() => olivia.api.events.unmakeOrganizer(toMember))
  expect([asOrganizer?.delete_others, asGuest?.delete_others]).toEqual([true, false])
})

test('a removed guest hears no more of the chat, and a new guest hears everything from then on', async () => {
  const { heardOf, say, olivia, ana, sam, event_id } = await listening()
  await olivia.api.events.removeGuest({ event_id, user_id: ana.id })
  expectHeard(await heardOf(() => say('Ana is gone')), { olivia: ['message.created'], gus: ['message.created'] })
  await bringIn(olivia, event_id, sam)
  const one: ReceivedEvent['kind'][] = ['message.created']
  expectHeard(await heardOf(() => say('Hi Sam')), { olivia: one, gus: one, sam: one })
})

test('a URL in an event has the origin by which its reader came, not the author’s', async () => {
  const { heardOf, ana, group_chat_id } = await listening()
  const heard = await heardOf(async () => {
    const path = `/api/message/typing/${group_chat_id}`
    const port = new URL(app.url).port
    await new Promise<void>((resolve, reject) => {
      const headers = { host: 'evil.example', authorization: `Bearer ${ana.token}` }
      request({ host: '127.0.0.1', port, path, method: 'PUT', headers }, reply => {
        reply.resume().on('end', resolve)
        if (reply.statusCode !== 200) reject(new Error(`status ${reply.statusCode}`))
      })
        .on('error', reject)
        .end()
    })
    await new Promise(resolve => setTimeout(resolve, 50))
  })
  expect(JSON.stringify(heard.gus)).toContain(`"user_avatar_url":"${app.url}/`)
})

import { AfterglowError } from '@afterglow/sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openTestApp } from './app.ts'
import { hearAll } from './audience.ts'
import { enter, type Member } from './cast.ts'
import { listen, type ReceivedEvent } from './channel.ts'
import { bringIn, evening } from './party.ts'
import { anew, png } from './pictures.ts'
import { asOpened, hear, load, settled } from './screen.ts'

/* A screen loaded at any moment, updated by the events since, equals a fresh load, for every kind of event. */

const app = await openTestApp()
const picture = new Blob([await png({ width: 24, height: 16 })])
const paged = { page: 1, page_length: 100 }

type EventIds = { event_id: number; group_chat_id: number }
/** The target of an act: the n-th of the existing ones. */
type Aim = { at: number; emoji: string }
type Act = (who: Member, place: EventIds, aim: Aim) => Promise<unknown>

const nth = <Row>(rows: readonly Row[], { at }: Aim): Row => {
  const row = rows[at % Math.max(1, rows.length)]
  if (row === undefined) throw new NothingThere()
  return row
}
class NothingThere extends Error {}

const messageAt = async (who: Member, { group_chat_id }: EventIds, aim: Aim) =>
  nth((await who.api.chats.listMessages({ group_chat_id, ...paged })).data, aim)
const messageIdAt = async (who: Member, place: EventIds, aim: Aim) => ({
  message_id: Number((await messageAt(who, place, aim)).id),
})
const attachmentAt = async (who: Member, { group_chat_id }: EventIds, aim: Aim) => ({
  message_attachment_id: nth((await who.api.chats.listAttachments({ group_chat_id, ...paged })).data, aim).id,
})
const photoAt = async (who: Member, { event_id }: EventIds, aim: Aim) => ({
  event_photo_id: Number(nth((await who.api.gallery.listPhotos({ event_id, ...paged })).data, aim).id),
})
const commentAt = async (who: Member, place: EventIds, aim: Aim) => {
  const photo = await photoAt(who, place, aim)
  const { data } = await who.api.gallery.listComments({ ...photo, ...paged })
  return { ...photo, event_photo_comment_id: nth(data, aim).id }
}

const acts: Record<string, Act> = {
  say: (who, { group_chat_id }) => who.api.chats.saveMessage({ group_chat_id, message_content: 'Hello' }),
  show: (who, { group_chat_id }) =>
    who.api.chats.saveMessage({ group_chat_id, message_content: 'Look', attachments: [picture, picture] }),
  reply: async (who, place, aim) =>
    who.api.chats.saveMessage({
      group_chat_id: place.group_chat_id,
      message_content: 'Yes',
      message_reply_id: (await messageIdAt(who, place, aim)).message_id,
    }),
  edit: async (who, place, aim) =>
    who.api.chats.saveMessage({
      group_chat_id: place.group_chat_id,
      message_content: `Edited ${aim.at}`,
      ...(await messageIdAt(who, place, aim)),
    }),
  unsay: async (who, place, aim) => who.api.chats.deleteMessage(await messageIdAt(who, place, aim)),
  unshow: async (who, place, aim) => who.api.chats.deleteAttachment(await attachmentAt(who, place, aim)),
  react: async (who, place, aim) =>
    who.api.chats.reactToMessage({ ...(await messageIdAt(who, place, aim)), message_reaction: aim.emoji }),
  unreact: async (who, place, aim) => who.api.chats.unreactToMessage(await messageIdAt(who, place, aim)),
  see: async (who, place, aim) => who.api.chats.markSeen(await messageIdAt(who, place, aim)),
  mute: (who, place) => who.api.chats.muteChat(place),
  unmute: (who, place) => who.api.chats.unmuteChat(place),
  toAlbum: async (who, place, aim) => who.api.chats.addToAlbum(await attachmentAt(who, place, aim)),
  upload: async (who, { event_id }) => who.api.gallery.uploadPhoto({ event_id, image: await anew(picture) }),
  describe: async (who, place, aim) =>
    who.api.gallery.captionPhoto({ ...(await photoAt(who, place, aim)), event_photo_caption: `Caption ${aim.at}` }),
  like: async (who, place, aim) => who.api.gallery.likePhoto(await photoAt(who, place, aim)),
  unlike: async (who, place, aim) => who.api.gallery.unlikePhoto(await photoAt(who, place, aim)),
  takeDown: async (who, place, aim) => who.api.gallery.deletePhoto(await photoAt(who, place, aim)),
  putBack: async (who, { event_id }, aim) => {
    const { data } = await who.api.gallery.listDeletedPhotos({ event_id, ...paged })
    return who.api.gallery.restorePhoto({ event_photo_id: Number(nth(data, aim).id) })
  },
  comment: async (who, place, aim) =>
    who.api.gallery.saveComment({ ...(await photoAt(who, place, aim)), event_photo_comment: 'Nice' }),
  answer: async (who, place, aim) => {
    const { event_photo_id, event_photo_comment_id } = await commentAt(who, place, aim)
    const reply = { event_photo_comment_reply_id: event_photo_comment_id, event_photo_comment: 'Thanks' }
    return who.api.gallery.saveComment({ event_photo_id, ...reply })
  },
  editComment: async (who, place, aim) => {
    const { event_photo_comment_id } = await commentAt(who, place, aim)
    return who.api.gallery.saveComment({ event_photo_comment_id, event_photo_comment: `Edited ${aim.at}` })
  },
  reactToComment: async (who, place, aim) => {
    const { event_photo_comment_id } = await commentAt(who, place, aim)
    return who.api.gallery.reactToComment({ event_photo_comment_id, comment_reaction: aim.emoji })
  },
  unreactToComment: async (who, place, aim) => who.api.gallery.unreactToComment(await commentAt(who, place, aim)),
  hideMessage: async (who, place, aim) => who.api.chats.hideMessage(await messageIdAt(who, place, aim)),
  unhideMessage: async (who, place, aim) => who.api.chats.unhideMessage(await messageIdAt(who, place, aim)),
  pinMessage: async (who, place, aim) => who.api.chats.pinMessage(await messageIdAt(who, place, aim)),
  unpinMessage: async (who, place, aim) => who.api.chats.unpinMessage(await messageIdAt(who, place, aim)),
  hideComment: async (who, place, aim) => who.api.gallery.hideComment(await commentAt(who, place, aim)),
  unhideComment: async (who, place, aim) => who.api.gallery.unhideComment(await commentAt(who, place, aim)),
  hidePhoto: async (who, place, aim) => who.api.gallery.hidePhoto(await photoAt(who, place, aim)),
  unhidePhoto: async (who, place, aim) => who.api.gallery.unhidePhoto(await photoAt(who, place, aim)),
  uncomment: async (who, place, aim) => who.api.gallery.deleteComment(await commentAt(who, place, aim)),
}

/** An act without a target, or refused, did nothing. */
const attempt = (act: Promise<unknown>) =>
  act.catch(error => {
    if (error instanceof NothingThere || (error instanceof AfterglowError && error.status < 500)) return
    throw error
  })

const step = fc.record({
  name: fc.constantFrom(...Object.keys(acts)),
  who: fc.nat(2),
  aim: fc.record({ at: fc.nat(5), emoji: fc.constantFrom('🎉', '❤️', '🕯️') }),
})
type Step = { name: string; who: number; aim: Aim }
/** Every act once, in an order in which it has a target; the newest message is deleted on the way. */
const everything: Step[] = Object.keys(acts).flatMap(name => {
  const one = (who: number, at: number): Step => ({ name, who, aim: { at, emoji: '🎉' } })
  // One person reads up to the middle of the chat, one to its end.
  if (name === 'see') return [one(2, 2), one(1, 0)]
  return [one(0, name.endsWith('react') ? 1 : 0)]
})

const gathering = async () => {
  const [olivia, gus, ana] = (await Promise.all((['olivia', 'gus', 'ana'] as const).map(name => enter(app, name)))) as [
    Member,
    Member,
    Member,
  ]
  const cast = [olivia, gus, ana]
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  for (const member of [gus, ana]) await bringIn(olivia, event_id, member)
  const play = async (steps: readonly Step[], together = 1) => {
    for (let at = 0; at < steps.length; at += together)
      await Promise.all(
        steps
          .slice(at, at + together)
          .map(({ name, who, aim }) =>
            attempt((acts[name] as Act)(cast[who] as Member, { event_id, group_chat_id }, aim)),
          ),
      )
  }
  const viewers = await Promise.all(
    cast.map(async member => {
      const { cursor } = await member.api.notifications.syncRealtime({})
      const own = await member.api.events.saveEvent(evening({ event_name: 'Own' }))
      return { member, cursor, ownChatId: own.group_chat_id, load: () => load(member, event_id, group_chat_id) }
    }),
  )
  return { viewers, play }
}

test('a screen equals a fresh load after each act', async () => {
  const { viewers, play } = await gathering()
  const seats = await Promise.all(
    viewers.map(async viewer => ({
      ...viewer,
      listener: await listen(app, viewer.member),
      screen: await viewer.load(),
      heard: 0,
    })),
  )
  const kinds = new Set<ReceivedEvent['kind']>()
  for (const step of everything) {
    await play([step])
    for (const seat of seats) {
      await hearAll(seat.listener, seat.member, seat.ownChatId)
      for (const heard of seat.listener.heard.slice(seat.heard)) {
        kinds.add(heard.kind)
        hear(seat.screen, heard, seat.member.id)
      }
      seat.heard = seat.listener.heard.length
      expect([step.name, settled(seat.screen)]).toEqual([step.name, settled(asOpened(await seat.load(), seat.screen))])
    }
  }
  expect(kinds).toEqual(new Set([...kinds, ...shown]))
})

const shown: ReceivedEvent['kind'][] = [
  'message.created',
  'message.updated',
  'message.deleted',
  'message.reacted',
  'message.seen',
  'group.updated',
  'photo.created',
  'photo.updated',
  'photo.deleted',
  'photo.liked',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'comment.reacted',
]

test('a screen equals a fresh load after three people act at once, from any moment', { tags: 'slow' }, async () => {
  const story = fc.record({ before: fc.array(step, { maxLength: 15 }), during: fc.array(step, { maxLength: 15 }) })
  const run = async ({ before, during }: { before: Step[]; during: Step[] }) => {
    const { viewers, play } = await gathering()
    await play(everything)
    await play(before, 3)
    // Each begins with a cursor from before all acts and a screen from some moment among them.
    const [screens] = await Promise.all([Promise.all(viewers.map(({ load }) => load())), play(during, 3)])
    const listeners = await Promise.all(
      viewers.map(({ member, cursor }) => listen(app, member, { cursor, fromNow: false })),
    )
    await play(during.toReversed(), 3)

    for (const [at, { member, ownChatId, load }] of viewers.entries()) {
      const [listener, screen] = [listeners[at], screens[at]]
      if (!listener || !screen) throw new Error('nobody listens')
      await hearAll(listener, member, ownChatId)
      for (const heard of listener.heard) hear(screen, heard, member.id)
      expect(settled(screen)).toEqual(settled(asOpened(await load(), screen)))
      listener.close()
    }
  }
  await fc.assert(fc.asyncProperty(story, run), { numRuns: 6, endOnFailure: true })
})

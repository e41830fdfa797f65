import * as contract from '@afterglow/contract/chats'
import { pinMessage, unpinMessage } from '@afterglow/contract/chats/messages'
import type { Person } from '../accounts/persons.ts'
import { personsById } from '../accounts/persons-sql.ts'
import { presentSeenUser } from '../accounts/present-person.ts'
import type { Membership } from '../channel/payloads.ts'
import type { Whisper } from '../channel/realtime.ts'
import { announce } from '../log/announce.ts'
import { type Database, type Db, transact } from '../platform/database/database.ts'
import { openQueue } from '../platform/database/queue.ts'
import { rangeOf } from '../platform/http/pages.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Serve } from '../platform/http/serve.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { SessionFiles } from '../platform/media/storage/session-files.ts'
import type { Media } from '../platform/media/store-picture.ts'
import type { StoreVideo } from '../platform/video/store-upload.ts'
import { chatFor, chatToReadFor, chatToSendTo } from './access.ts'
import type { Cards } from './cards.ts'
import * as chats from './chat-list-store.ts'
import { endChat, reopenChat } from './end-chat.ts'
import { attachmentRoutes } from './messages/attachment-routes.ts'
import { openAttachments } from './messages/attachments.ts'
import { openChanges } from './messages/change-message.ts'
import { messageRoutes } from './messages/message-routes.ts'
import { reactionRoutes } from './messages/reaction-routes.ts'
import { openReactions } from './messages/reactions.ts'
import { openSending } from './messages/send-message.ts'
import { showingChats } from './messages/show-message.ts'
import { videoRoutes } from './messages/video-routes.ts'
import type { Showing } from './present.ts'
import { seenMarkRoutes } from './seen-mark-routes.ts'

type Tools = {
  db: Database
  media: Media
  keepVideo: StoreVideo
  sessionFiles: SessionFiles
  membership: Pick<Membership, 'membersOf'>
  whisper: Whisper
  cards: Cards
}

export const chatRoutes = (serve: Serve, { db: database, media, membership, whisper, cards, ...tools }: Tools) => {
  const queue = openQueue()
  const changes = openChanges(database, queue)

  serve(contract.listChats, async ({ db, viewer, input, urls, extra, page }) => {
    const rows = await (extra ? chats.listChatsWithReading : chats.listChats)(db, viewer.id, rangeOf(input))
    return page(rows, await showingChats(db, rows.slice(0, input.page_length), { urls }))
  })

  serve(contract.readChat, async ({ db, input, ...asking }) => {
    const { id } = await chatToReadFor(db, asking.viewer, input.group_chat_id)
    return showChat(db, id, asking)
  })

  for (const [operation, pinned] of [
    [pinMessage, true],
    [unpinMessage, false],
  ] as const)
    serve(operation, async ({ db, input, ...asking }) =>
      showChat(db, await changes.setPinned(asking.viewer, input.message_id, pinned), asking),
    )

  serve(contract.endChat, async ({ db, input, ...asking }) => {
    await endChat(db, asking.viewer, input.group_chat_id, input.from)
    return showChat(db, input.group_chat_id, asking)
  })

  serve(contract.reopenChat, async ({ db, input, ...asking }) => {
    await reopenChat(db, asking.viewer, input.group_chat_id)
    return showChat(db, input.group_chat_id, asking)
  })

  for (const [operation, muted] of [
    [contract.muteChat, true],
    [contract.unmuteChat, false],
  ] as const)
    serve(operation, async ({ db, viewer, input }) => {
      await setMuted(db, viewer, input.group_chat_id, muted)
      return { muted }
    })

  typingRoutes(serve, membership, whisper)
  const send = openSending(database, queue)
  messageRoutes(serve, { db: database, media, changes, send, cards })
  reactionRoutes(serve, { reactions: openReactions(database, queue), cards })
  attachmentRoutes(serve, openAttachments(database, queue))
  seenMarkRoutes(serve, database)
  videoRoutes(serve, { media, send, cards, ...tools })
}

const showChat = async (db: Db, id: number, { viewer, urls, extra }: Showing) => {
  const row = (await chats.readChat(db, viewer.id, id)) ?? refuse('notInEvent')
  const { extra: more, ...shown } = (await showingChats(db, [row], { urls }))(row)
  return extra ? { ...shown, extra: more } : shown
}

/** Mutes the viewer's notifications from a chat, or unmutes them; repeating it has no effect. */
const setMuted = (db: Db, viewer: Viewer, chatId: number, muted: boolean) =>
  transact(db, async tx => {
    const { event_id: eventId } = await chatFor(tx, viewer, chatId)
    if (!(await chats.setMuted(tx, viewer.id, chatId, muted))) return
    const self = { eventId, userId: viewer.id, actorId: viewer.id }
    await announce(tx, { kind: 'group.updated', audience: 'user', ...self, subjectId: chatId })
  })

const typingRoutes = (serve: Serve, membership: Pick<Membership, 'membersOf'>, whisper: Whisper) => {
  serve(contract.sayTyping, async ({ db, viewer, input }) => {
    const { id, event_id: eventId } = await chatToSendTo(db, viewer, input.group_chat_id)
    const members = (await membership.membersOf(db, [eventId])).get(eventId)
    const person = (await personsById(db, [viewer.id])).get(viewer.id) as Person
    const others = (members?.ids ?? []).filter(member => member !== viewer.id)
    whisper('typing', urls => ({ group_chat_id: id, user: presentSeenUser(person, urls) }), others)
    return { done: true } as const
  })
}

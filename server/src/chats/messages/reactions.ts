import { messageEmojiMax } from '@afterglow/contract/chats/message'
import { sentence } from '@afterglow/contract/words'
import { announce } from '../../log/announce.ts'
import { takeBack } from '../../notifications/mark-read.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queue } from '../../platform/database/queue.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { tags } from '../notification-templates.ts'
import { openChanging, updated } from './change-message.ts'
import * as store from './change-message-store.ts'
import type { Reaction } from './messages-store.ts'

export const openReactions = (db: Database, queue: Queue) => {
  const changeMessage = openChanging(db, queue)

  return {
    /** Adds an emoji of the viewer's to a message; repeating it has no effect. */
    react: (viewer: Viewer, id: number, emoji: string): Promise<void> =>
      changeMessage(viewer, id, async (tx, { chat }) => {
        const shown = await store.shownReactions(tx, id)
        const reactionId = await store.insertReaction(tx, id, viewer.id, emoji)
        if (reactionId === undefined) return
        const isNew = shown.reactions.every(one => one.emoji !== emoji)
        if (isNew && shown.reactions.length >= messageEmojiMax)
          invalid('message_reaction', sentence.countAtMost(messageEmojiMax))
        await store.showReactions(tx, id, withReaction(shown, { id: reactionId, emoji }))
        await announce(tx, { ...updated(viewer, chat, id), kind: 'message.reacted', detail: { emoji }, notify: true })
      }),

    /** Removes one of the viewer's emoji, or all of them. */
    unreact: (viewer: Viewer, id: number, emoji: string | undefined): Promise<void> =>
      changeMessage(viewer, id, async (tx, { chat, message }) => {
        const shown = await store.shownReactions(tx, id)
        const gone = new Set(await store.deleteReactions(tx, id, viewer.id, emoji))
        if (gone.size === 0) return
        const told = { userId: message.user_id, tag: tags.reactions(id), actorId: viewer.id }
        for (const _ of gone) await takeBack(tx, told)
        await store.showReactions(tx, id, withoutReactions(shown, gone))
        await announce(tx, { ...updated(viewer, chat, id), kind: 'message.reacted' })
      }),
  }
}

export type Reactions = ReturnType<typeof openReactions>

/*
 * A message stores its reactions next to its text, so that reading a page counts nothing. They are rewritten under the
 * chat's lock together with the reactions themselves, and therefore equal a recount.
 */

type ShownReactions = Awaited<ReturnType<typeof store.shownReactions>>

const withReaction = ({ reactions, now }: ShownReactions, { id, emoji }: Pick<Reaction, 'id' | 'emoji'>): Reaction[] =>
  reactions.some(shown => shown.emoji === emoji)
    ? reactions.map(shown => (shown.emoji === emoji ? { ...shown, count: shown.count + 1, updated_at: now } : shown))
    : [...reactions, { id, emoji, count: 1, created_at: now, updated_at: now }]

const withoutReactions = ({ reactions, now }: ShownReactions, gone: ReadonlySet<string>): Reaction[] =>
  reactions
    .map(shown => (gone.has(shown.emoji) ? { ...shown, count: shown.count - 1, updated_at: now } : shown))
    .filter(({ count }) => count > 0)

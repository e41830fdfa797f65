import { messageEmojiMax } from '@afterglow/contract/chats'
import { sentence } from '@afterglow/contract/words'
import { announce } from '../notifications/announcing.ts'
import { takeBack } from '../notifications/reading.ts'
import type { Db, Transaction } from '../platform/database.ts'
import { invalid } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { holdChat, livingMessageFor } from './access.ts'
import { tags } from './noticing.ts'
import type { Reaction } from './read-messages.ts'
import type { InTurn } from './turns.ts'
import * as store from './writing-store.ts'

/*
 * A message keeps what it shows of its reactions beside its text, so that reading a page counts nothing. It is rewritten
 * under the chat's lock together with the reactions themselves, and so equal to a recount.
 */

/** Adds an emoji of the viewer's to a message; a second time changes nothing. */
export const react = (inTurn: InTurn, db: Db, viewer: Viewer, messageId: number, emoji: string) =>
  changeReactions(inTurn, db, viewer, { messageId, added: emoji }, async (tx, { reactions, now }) => {
    const id = await store.insertReaction(tx, messageId, viewer.id, emoji)
    if (id === undefined) return undefined
    if (!reactions.some(shown => shown.emoji === emoji)) {
      if (reactions.length >= messageEmojiMax) invalid('message_reaction', sentence.countAtMost(messageEmojiMax))
      return [...reactions, { id, emoji, count: 1, created_at: now, updated_at: now }]
    }
    return reactions.map(shown =>
      shown.emoji === emoji ? { ...shown, count: shown.count + 1, updated_at: now } : shown,
    )
  })

/** Takes one emoji of the viewer's back, or all of them. */
export const unreact = (inTurn: InTurn, db: Db, viewer: Viewer, messageId: number, emoji: string | undefined) =>
  changeReactions(inTurn, db, viewer, { messageId }, async (tx, { reactions, now, eventId }) => {
    const gone = new Set(await store.deleteReactions(tx, messageId, viewer.id, emoji))
    if (gone.size === 0) return undefined
    const told = { eventId, tag: tags.reactions(messageId), actorId: viewer.id }
    for (const _ of gone) await takeBack(tx, { ...told, instead: { title: 'There are reactions to your message' } })
    return reactions
      .map(shown => (gone.has(shown.emoji) ? { ...shown, count: shown.count - 1, updated_at: now } : shown))
      .filter(({ count }) => count > 0)
  })

type Change = (
  tx: Transaction,
  shown: { reactions: Reaction[]; now: string; eventId: number },
) => Promise<Reaction[] | undefined>

type Act = { messageId: number; added?: string }

const changeReactions = async (inTurn: InTurn, db: Db, viewer: Viewer, { messageId, added }: Act, change: Change) => {
  const { chat } = await livingMessageFor(db, viewer, messageId)
  await inTurn(db, chat.id, async tx => {
    await holdChat(tx, viewer, chat)
    await livingMessageFor(tx, viewer, messageId)
    const changed = await change(tx, { ...(await store.shownReactions(tx, messageId)), eventId: chat.event_id })
    if (!changed) return
    await store.showReactions(tx, messageId, changed)
    const reacted = { eventId: chat.event_id, actorId: viewer.id, subjectId: messageId }
    const notice = added === undefined ? {} : { detail: { emoji: added }, notify: true as const }
    await announce(tx, { kind: 'message.reacted', audience: 'event', ...reacted, ...notice })
  })
}

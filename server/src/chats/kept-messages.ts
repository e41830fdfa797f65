import { LRUCache } from 'lru-cache'
import type { Person } from '../accounts/persons.ts'

/*
 * The newest messages of busy chats as JSON, each without who has seen it, and the people in them. A new message or a
 * moved seen mark leaves them true, so that the page after a send reads one row and the marks instead of fifty rows and
 * everybody in them. Whatever else changes a message or a person's name raises the chat's version, and all are read anew.
 */

const bytesMax = 32 * 1024 * 1024
const messagesMax = 200
/** Of an entry and its strings' headers, about. */
const overhead = 150

export type KeptMessage = { sequence: number; user_id: number; json: string }

export type KeptChat = {
  state: string
  /** By sequence. */
  messages: Map<number, KeptMessage>
  persons: Map<number, Person>
  /** Somebody who has seen a message, as they stand in its `seens`. */
  seens: Map<number, string>
}

export class KeptMessages {
  #chats = new LRUCache<string, KeptChat>({
    maxSize: bytesMax,
    sizeCalculation: ({ messages, persons, seens }) => {
      let bytes = 500 + persons.size * 400
      for (const { json } of messages.values()) bytes += json.length + overhead
      for (const json of seens.values()) bytes += json.length + overhead
      return bytes
    },
  })

  /** What is kept of a chat in this state; nothing yet when it was kept in another. */
  open(chat: string, state: string): KeptChat {
    const kept = this.#chats.get(chat)
    if (kept?.state === state) return kept
    return { state, messages: new Map(), persons: new Map(), seens: new Map() }
  }

  /** Keeps what was added, up to the newest 200 messages of a chat: what everybody opens it on. */
  keep(chat: string, kept: KeptChat, lastSequence: number): void {
    for (const sequence of kept.messages.keys())
      if (sequence <= lastSequence - messagesMax) kept.messages.delete(sequence)
    this.#chats.set(chat, kept)
  }
}

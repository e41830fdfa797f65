import type { LatestMessage } from '@afterglow/contract/chats'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'

export type Latest = z.output<typeof LatestMessage>

/**
 * The latest message of chats as everybody in them sees it, with all who have seen it: of a page of 50 chats that is most
 * of the work. It serves as long as the chat stands as it did when it was read, as with kept-messages.ts.
 */
export class KeptLatest {
  #kept = new LRUCache<string, { state: string; message: Latest }>({ max: 2000 })

  find(chat: string, state: string): Latest | undefined {
    const kept = this.#kept.get(chat)
    return kept?.state === state ? kept.message : undefined
  }

  keep(chat: string, state: string, message: Latest): void {
    this.#kept.set(chat, { state, message })
  }
}

import { LRUCache } from 'lru-cache'

const bytesMax = 8 * 1024 * 1024

/**
 * The latest message of chats as everybody in them sees it, with all who have seen it, as JSON: of a page of 50 chats that
 * is most of the work. It serves as long as the chat stands as it did when it was read, as with kept-messages.ts.
 */
export class KeptLatest {
  #kept = new LRUCache<string, { state: string; json: Buffer }>({
    maxSize: bytesMax,
    sizeCalculation: ({ json }) => json.length + 500,
  })

  find(chat: string, state: string): Buffer | undefined {
    const kept = this.#kept.get(chat)
    return kept?.state === state ? kept.json : undefined
  }

  keep(chat: string, state: string, json: Buffer): void {
    this.#kept.set(chat, { state, json })
  }
}

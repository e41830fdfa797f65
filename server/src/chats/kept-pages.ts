import { LRUCache } from 'lru-cache'

/*
 * Ready pages of messages, shared by everybody in a chat. The database is asked on every request who the viewer is and
 * how the chat stands; a page is sent again only if the chat still stands as it did when the page was read. A page is
 * never older than the state it is kept under: the state is read first.
 */

const bytesMax = 32 * 1024 * 1024

export class KeptPages {
  #pages = new LRUCache<string, { state: string; json: Buffer }>({
    maxSize: bytesMax,
    sizeCalculation: ({ json }, address) => json.length + address.length + 200,
  })

  /** The page of this address if it was read in this state. */
  find(address: string, state: string): Buffer | undefined {
    const kept = this.#pages.get(address)
    return kept?.state === state ? kept.json : undefined
  }

  keep(address: string, state: string, json: Buffer): void {
    this.#pages.set(address, { state, json })
  }
}

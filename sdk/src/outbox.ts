import type { AfterglowError, FailureCode } from './failure.ts'
import { Sender } from './outbox/sender.ts'
import { UnsentMessages } from './outbox/unsent-messages.ts'

/** Something to be sent. Its content is stored beside these fields, in whatever form `send` and the storage use. */
export type Unsent = {
  /** When it was written, which also identifies and orders it: no two have the same. */
  at: number
  /** The Idempotency-Key, chosen when it was written: however often it is sent, it exists once. */
  key: string
  /** It is retried until it is answered. Never stored. */
  sending?: true
  /** The service refused it, with this message and code: it waits for its author. */
  refused?: string
  code?: FailureCode
}

/** A message to be sent. */
export type Waiting = Unsent & { chatId: number }

/**
 * Where messages outlive the app: an IndexedDB store, AsyncStorage, a table. `put` replaces by `at`; `all` may return
 * any order.
 */
export type OutboxStorage<Message extends Unsent> = {
  all(): Promise<Message[]>
  put(message: Message): Promise<unknown>
  remove(at: number): Promise<unknown>
}

export type Lane = number | string

export type OutboxOptions<Message extends Unsent> = {
  /** Sends one message under its key. Any error other than a refusal is retried. */
  send(message: Message): Promise<unknown>
  /** Memory by default, which a restart empties. */
  storage?: OutboxStorage<Message>
  /** All unsent messages, on every change: one that is missing was answered or discarded. */
  onChange?(waiting: readonly Message[]): void
  /** Maps a refusal to the text that is stored and shown; its message by default. */
  wordsOf?(refusal: AfterglowError): string
  /** What is sent in the order in which it was written; lanes do not wait for each other. By default a chat each. */
  laneOf?(message: Message): Lane
  /** Runs one lane's work exclusively if several clients share the storage, such as a browser's tabs. */
  alone?(lane: Lane, work: () => Promise<void>): Promise<unknown>
  /** Delays before retries, in milliseconds; the last one repeats. */
  retryDelays?: readonly number[]
}

export type Outbox<Message extends Unsent> = {
  /** Accepts a message, which will be sent from now on. Resolves once it is stored. */
  post(message: Omit<Message, keyof Unsent>): Promise<void>
  /** Sends a refused message again. */
  sendAgain(at: number): Promise<void>
  discard(at: number): Promise<void>
  /** Reads what is stored and sends it: when the app starts, and when another client has changed the storage. */
  load(): Promise<void>
  /** The network is back, or somebody signed in: sends everything waiting for a retry at once. */
  wake(): void
  /** Stops until `load`. Stored messages stay. */
  close(): void
}

/**
 * Messages are stored before they are sent, each under its own key, and are sent in the order in which they were
 * written, one after another in each lane. A refusal ends one; any other error is retried for as long as it takes.
 */
export const openOutbox = <Message extends Unsent>({
  send,
  storage = inMemory(),
  onChange = () => {},
  wordsOf = ({ message }) => message,
  laneOf = message => (message as Partial<Waiting>).chatId ?? 0,
  alone = (_, work) => work(),
  retryDelays = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000],
}: OutboxOptions<Message>): Outbox<Message> => {
  const unsent = new UnsentMessages(storage, onChange, laneOf)
  const sender = new Sender(unsent, { send, wordsOf, alone, retryDelays })
  return {
    async post(message) {
      const at = unsent.timeOfNext()
      const taken = { ...message, at, key: newKey(at) } as Message
      await unsent.add(taken)
      void sender.run(laneOf(taken))
    },
    async sendAgain(at) {
      const found = unsent.find(at)
      if (!found) return
      const { refused: _, code: __, ...again } = found
      await unsent.rewrite(again as Message)
      void sender.run(laneOf(found))
    },
    discard: at => unsent.discard(at),
    async load() {
      if (await unsent.load()) sender.runAll()
    },
    wake: () => sender.wake(),
    close() {
      unsent.close()
      sender.endNaps()
    },
  }
}

/** Unique among one person's messages of a day; since the sender is signed in, it does not need to be secret. */
const newKey = (at: number) => `${at.toString(36)}-${Math.random().toString(36).slice(2)}`

const inMemory = <Message extends Unsent>(): OutboxStorage<Message> => {
  const kept = new Map<number, Message>()
  return {
    all: async () => [...kept.values()],
    put: async message => kept.set(message.at, message),
    remove: async at => kept.delete(at),
  }
}

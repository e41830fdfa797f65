import { AfterglowError, type FailureCode, isLasting } from './failure.ts'

/** A message to be sent. Its content is stored beside these fields, in whatever form `send` and the storage use. */
export type Waiting = {
  /** When it was written, which also identifies and orders it: no two have the same. */
  at: number
  /** The Idempotency-Key, chosen when it was written: however often it is sent, it exists once. */
  key: string
  chatId: number
  /** It is retried until it is answered. Never stored. */
  sending?: true
  /** The service refused it, with this message and code: it waits for its author. */
  refused?: string
  code?: FailureCode
}

/**
 * Where messages outlive the app: an IndexedDB store, AsyncStorage, a table. `put` replaces by `at`; `all` may return
 * any order.
 */
export type OutboxStorage<Message extends Waiting> = {
  all(): Promise<Message[]>
  put(message: Message): Promise<unknown>
  remove(at: number): Promise<unknown>
}

export type OutboxOptions<Message extends Waiting> = {
  /** Sends one message under its key. Any error other than a refusal is retried. */
  send(message: Message): Promise<unknown>
  /** Memory by default, which a restart empties. */
  storage?: OutboxStorage<Message>
  /** All unsent messages, on every change: one that is missing was answered or discarded. */
  onChange?(waiting: readonly Message[]): void
  /** What is stored of a refusal to show; its message by default. */
  wordsOf?(refusal: AfterglowError): string
  /** Runs one chat's work exclusively if several clients share the storage, such as a browser's tabs. */
  alone?(chatId: number, work: () => Promise<void>): Promise<unknown>
  /** Delays before retries, in milliseconds; the last one repeats. */
  retryDelays?: readonly number[]
}

export type Outbox<Message extends Waiting> = {
  /** Accepts a message, which will be sent from now on. Resolves once it is stored. */
  post(message: Omit<Message, Exclude<keyof Waiting, 'chatId'>>): Promise<void>
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

/** Unique among one person's messages of a day; since the sender is signed in, it does not need to be secret. */
const newKey = (at: number) => `${at.toString(36)}-${Math.random().toString(36).slice(2)}`

/**
 * Messages are stored before they are sent, each under its own key, and are sent in the order in which they were
 * written, one after another in each chat. A refusal ends one; any other error is retried for as long as it takes.
 */
export const openOutbox = <Message extends Waiting>({
  send,
  storage = inMemory(),
  onChange = () => {},
  wordsOf = ({ message }) => message,
  alone = (_, work) => work(),
  retryDelays = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000],
}: OutboxOptions<Message>): Outbox<Message> => {
  let waiting: readonly Message[] = []
  /** Messages of this client that are not stored, or not yet. */
  const unwritten = new Map<number, Promise<unknown>>()
  const gone = new Set<number>()
  const busy = new Set<number>()
  /** What is waiting for a retry, and whether it may be woken early. */
  const naps = new Map<() => void, boolean>()
  /** Incremented with each close, so that results of an earlier read are discarded. */
  let life = 0

  const show = (now: readonly Message[]) => {
    waiting = now
    onChange(now)
  }
  const change = (changed: Message) => show(waiting.map(each => (each.at === changed.at ? changed : each)))
  const write = ({ sending: _, ...message }: Message) => {
    const { at } = message
    const written = storage.put(message as Message).then(
      () => unwritten.delete(at),
      // It is still sent, but a restart would lose it.
      () => {},
    )
    unwritten.set(at, written)
    return written
  }

  const discard = async (at: number) => {
    gone.add(at)
    show(waiting.filter(each => each.at !== at))
    await unwritten.get(at)
    unwritten.delete(at)
    // After a restart it may be sent once more, but its key makes it exist once.
    await storage.remove(at).catch(() => {})
  }

  const run = async (chatId: number) => {
    if (busy.has(chatId)) return
    busy.add(chatId)
    try {
      await alone(chatId, () => sendInOrder(chatId))
    } finally {
      busy.delete(chatId)
    }
  }
  const runAll = () => {
    for (const { chatId } of waiting) void run(chatId)
  }

  const sendInOrder = async (chatId: number) => {
    for (let tries = 0; ; ) {
      const next = waiting.find(each => each.chatId === chatId && each.refused === undefined)
      // In the same turn as finding none: anything written from now on starts anew.
      if (!next) return void busy.delete(chatId)
      await unwritten.get(next.at)
      const message = { ...next, sending: true as const }
      change(message)
      try {
        await send(message)
        await discard(message.at)
        tries = 0
      } catch (fault) {
        const { sending: _, ...unsent } = message
        if (fault instanceof AfterglowError && fault.status === 401) return change(unsent as Message)
        if (isLasting(fault)) {
          await refuse(unsent as Message, fault as AfterglowError)
          tries = 0
        } else {
          const delay = retryDelays[Math.min(tries++, retryDelays.length - 1)] ?? 0
          const patience = fault instanceof AfterglowError ? (fault.retryAfterSeconds ?? 0) * 1000 : 0
          await nap(patience, false)
          await nap(delay - patience, true)
        }
      }
    }
  }

  const refuse = async (message: Message, refusal: AfterglowError) => {
    if (gone.has(message.at)) return
    const refused = { ...message, refused: wordsOf(refusal), ...(refusal.code && { code: refusal.code }) }
    change(refused)
    await write(refused)
  }

  const nap = (ms: number, wakeable: boolean) =>
    new Promise<void>(resolve => {
      const done = () => {
        clearTimeout(timer)
        naps.delete(done)
        resolve()
      }
      const timer = setTimeout(done, Math.max(ms, 0))
      naps.set(done, wakeable)
    })

  return {
    async post(message) {
      const at = Math.max(Date.now(), (waiting.at(-1)?.at ?? 0) + 1)
      const taken = { ...message, at, key: newKey(at) } as Message
      const written = write(taken)
      show([...waiting, taken])
      await written
      void run(taken.chatId)
    },
    async sendAgain(at) {
      const found = waiting.find(each => each.at === at)
      if (!found) return
      const { refused: _, code: __, ...again } = found
      change(again as Message)
      await write(again as Message)
      void run(found.chatId)
    },
    discard,
    async load() {
      const mine = life
      // A message that was stored before and is gone now was sent by another client. The read does not know about
      // messages written meanwhile.
      const before = new Set(waiting.flatMap(({ at }) => (unwritten.has(at) ? [] : at)))
      const stored = await storage.all().catch(() => undefined)
      if (mine !== life) return
      if (stored) {
        const read = stored
          .filter(({ at }) => !gone.has(at))
          .map(each => waiting.find(({ at, sending }) => sending && at === each.at) ?? each)
        const meanwhile = waiting.filter(({ at }) => !before.has(at) && !read.some(each => each.at === at))
        show([...read, ...meanwhile].sort((one, other) => one.at - other.at))
      }
      runAll()
    },
    wake() {
      for (const [done, wakeable] of naps) if (wakeable) done()
      runAll()
    },
    close() {
      life += 1
      show([])
      for (const done of naps.keys()) done()
    },
  }
}

const inMemory = <Message extends Waiting>(): OutboxStorage<Message> => {
  const kept = new Map<number, Message>()
  return {
    all: async () => [...kept.values()],
    put: async message => kept.set(message.at, message),
    remove: async at => kept.delete(at),
  }
}

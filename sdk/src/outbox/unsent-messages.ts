import type { Lane, OutboxStorage, Unsent } from '../outbox.ts'

/** The messages that wait, as they are shown and as they are stored. */
export class UnsentMessages<Message extends Unsent> {
  readonly #storage: OutboxStorage<Message>
  readonly #onChange: (waiting: readonly Message[]) => void
  readonly #laneOf: (message: Message) => Lane
  #waiting: readonly Message[] = []
  /** Messages of this client that are not stored, or not yet. */
  readonly #unwritten = new Map<number, Promise<unknown>>()
  readonly #gone = new Set<number>()
  /** Incremented with each close, so that results of an earlier read are discarded. */
  #life = 0

  constructor(
    storage: OutboxStorage<Message>,
    onChange: (waiting: readonly Message[]) => void,
    laneOf: (message: Message) => Lane,
  ) {
    this.#storage = storage
    this.#onChange = onChange
    this.#laneOf = laneOf
  }

  get lanes() {
    return new Set(this.#waiting.map(this.#laneOf))
  }

  timeOfNext() {
    return Math.max(Date.now(), (this.#waiting.at(-1)?.at ?? 0) + 1)
  }

  find(at: number) {
    return this.#waiting.find(each => each.at === at)
  }

  /** The next one to send in a lane. */
  nextIn(lane: Lane) {
    return this.#waiting.find(each => this.#laneOf(each) === lane && each.refused === undefined)
  }

  isGone(at: number) {
    return this.#gone.has(at)
  }

  /** Resolves once it is stored, or cannot be. */
  add(message: Message) {
    const written = this.#write(message)
    this.#show([...this.#waiting, message])
    return written
  }

  /** Shown, and never stored. */
  change(changed: Message) {
    this.#show(this.#waiting.map(each => (each.at === changed.at ? changed : each)))
  }

  rewrite(changed: Message) {
    this.change(changed)
    return this.#write(changed)
  }

  whenWritten(at: number) {
    return this.#unwritten.get(at)
  }

  async discard(at: number) {
    this.#gone.add(at)
    this.#show(this.#waiting.filter(each => each.at !== at))
    await this.#unwritten.get(at)
    this.#unwritten.delete(at)
    // After a restart it may be sent once more, but its key makes it exist once.
    await this.#storage.remove(at).catch(() => {})
  }

  /** Reads what is stored. False if this was closed meanwhile. */
  async load(): Promise<boolean> {
    const mine = this.#life
    // A message that was stored before and is gone now was sent by another client. The read does not know about
    // messages written meanwhile.
    const before = new Set(this.#waiting.flatMap(({ at }) => (this.#unwritten.has(at) ? [] : at)))
    const stored = await this.#storage.all().catch(() => undefined)
    if (mine !== this.#life) return false
    if (stored) {
      const read = stored
        .filter(({ at }) => !this.#gone.has(at))
        .map(each => this.#waiting.find(({ at, sending }) => sending && at === each.at) ?? each)
      const meanwhile = this.#waiting.filter(({ at }) => !before.has(at) && !read.some(each => each.at === at))
      this.#show([...read, ...meanwhile].sort((one, other) => one.at - other.at))
    }
    return true
  }

  close() {
    this.#life += 1
    this.#show([])
  }

  #show(now: readonly Message[]) {
    this.#waiting = now
    this.#onChange(now)
  }

  #write({ sending: _, ...message }: Message) {
    const { at } = message
    const written = this.#storage.put(message as Message).then(
      () => this.#unwritten.delete(at),
      // It is still sent, but a restart would lose it.
      () => {},
    )
    this.#unwritten.set(at, written)
    return written
  }
}

import { AfterglowError, isLasting, Unsendable } from '../failure.ts'
import type { Lane, OutboxOptions, Unsent } from '../outbox.ts'
import type { UnsentMessages } from './unsent-messages.ts'

type Sending<Message extends Unsent> = Required<
  Pick<OutboxOptions<Message>, 'send' | 'wordsOf' | 'alone' | 'retryDelays'>
>

/** Sends what is in each lane in its order, one after another. */
export class Sender<Message extends Unsent> {
  readonly #unsent: UnsentMessages<Message>
  readonly #options: Sending<Message>
  readonly #busy = new Set<Lane>()
  /** The pending retries, and whether each may be woken early. */
  readonly #naps = new Map<() => void, boolean>()

  constructor(unsent: UnsentMessages<Message>, options: Sending<Message>) {
    this.#unsent = unsent
    this.#options = options
  }

  async run(lane: Lane) {
    if (this.#busy.has(lane)) return
    this.#busy.add(lane)
    try {
      await this.#options.alone(lane, () => this.#sendInOrder(lane))
    } finally {
      this.#busy.delete(lane)
    }
  }

  runAll() {
    for (const lane of this.#unsent.lanes) void this.run(lane)
  }

  wake() {
    for (const [done, wakeable] of this.#naps) if (wakeable) done()
    this.runAll()
  }

  endNaps() {
    for (const done of this.#naps.keys()) done()
  }

  async #sendInOrder(lane: Lane) {
    for (let tries = 0; ; ) {
      const next = this.#unsent.nextIn(lane)
      // In the same turn as finding none: anything written from now on starts anew.
      if (!next) return void this.#busy.delete(lane)
      await this.#unsent.whenWritten(next.at)
      const message = { ...next, sending: true as const }
      this.#unsent.change(message)
      try {
        await this.#options.send(message)
        await this.#unsent.discard(message.at)
        tries = 0
      } catch (fault) {
        const { sending: _, ...unsent } = message
        if (fault instanceof AfterglowError && fault.status === 401) return this.#unsent.change(unsent as Message)
        if (fault instanceof Unsendable) this.#unsent.change({ ...unsent, refused: fault.message } as Message)
        else if (isLasting(fault)) {
          await this.#refuse(unsent as Message, fault as AfterglowError)
          tries = 0
        } else await this.#rest(fault, tries++)
      }
    }
  }

  async #refuse(message: Message, refusal: AfterglowError) {
    if (this.#unsent.isGone(message.at)) return
    const refused = { refused: this.#options.wordsOf(refusal), ...(refusal.code && { code: refusal.code }) }
    await this.#unsent.rewrite({ ...message, ...refused })
  }

  /** Before another try: as long as the service asked for, and what is left of the usual delay. */
  async #rest(fault: unknown, tries: number) {
    const { retryDelays } = this.#options
    const delay = retryDelays[Math.min(tries, retryDelays.length - 1)] ?? 0
    const patience = fault instanceof AfterglowError ? (fault.retryAfterSeconds ?? 0) * 1000 : 0
    await this.#nap(patience, false)
    await this.#nap(delay - patience, true)
  }

  #nap(ms: number, wakeable: boolean) {
    return new Promise<void>(resolve => {
      const done = () => {
        clearTimeout(timer)
        this.#naps.delete(done)
        resolve()
      }
      const timer = setTimeout(done, Math.max(ms, 0))
      this.#naps.set(done, wakeable)
    })
  }
}

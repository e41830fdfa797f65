import type { Confinement } from '../../../sandbox/confinement.ts'
import type { Task } from '../picture-task.ts'
import { type Decoder, type DecoderAnswer, DecoderEnded, type Starting, startDecoder } from './decoder.ts'
import { decoderWalls } from './decoder-walls.ts'

export type PoolOpening = Starting & {
  walls?: () => Promise<Confinement>
  idleSeconds: number
}

/**
 * Decoder processes: one is started if none is idle, and ended when it has been idle for a while or has grown too
 * large.
 */
export class DecoderPool {
  readonly #starting: Starting
  readonly #walls: () => Promise<Confinement>
  readonly #idleSeconds: number
  readonly #idle = new Map<Decoder, NodeJS.Timeout>()
  readonly #working = new Set<Decoder>()
  #closed = false

  constructor({ walls = decoderWalls, idleSeconds, ...starting }: PoolOpening) {
    this.#starting = starting
    this.#walls = walls
    this.#idleSeconds = idleSeconds
  }

  async perform(task: Task, source: string): Promise<DecoderAnswer> {
    const confinement = await this.#walls()
    if (this.#closed) throw new DecoderEnded('lost', 'closing')
    return this.#performBy(this.#fromIdle() ?? startDecoder(confinement, this.#starting), task, source)
  }

  async close() {
    this.#closed = true
    for (const timer of this.#idle.values()) clearTimeout(timer)
    await Promise.all([...this.#idle.keys(), ...this.#working].map(decoder => decoder.end()))
    this.#idle.clear()
  }

  async #performBy(decoder: Decoder, task: Task, source: string): Promise<DecoderAnswer> {
    this.#working.add(decoder)
    let swollen = false
    try {
      const answered = await decoder.perform(task, source)
      swollen = answered.swollen
      return answered
    } finally {
      this.#working.delete(decoder)
      if (this.#closed || swollen) await decoder.end()
      else if (!decoder.ended()) this.#keepIdle(decoder)
    }
  }

  #fromIdle(): Decoder | undefined {
    for (const [decoder, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(decoder)
      if (decoder.isSuspect()) void decoder.end()
      else if (!decoder.ended()) return decoder
    }
    return undefined
  }

  #keepIdle(decoder: Decoder) {
    const timer = setTimeout(() => {
      this.#idle.delete(decoder)
      void decoder.end()
    }, this.#idleSeconds * 1000)
    this.#idle.set(decoder, timer.unref())
  }
}

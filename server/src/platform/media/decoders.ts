import { type Decoder, DecoderEnded, type Starting, startDecoder } from './decoder.ts'
import type { Answer, Task } from './picture-worker.ts'

export type Decoders = { perform(task: Task): Promise<Answer>; close(): Promise<void> }

type Opening = Starting & { concurrency: number; idleSeconds: number }

/**
 * At most `concurrency` decoding processes, each with one task; the rest wait in order. A process is started when
 * none is idle and ended when it was idle for a while, or when a picture has left it swollen. `perform` throws `DecoderEnded`.
 */
export function openDecoders({ concurrency, idleSeconds, ...starting }: Opening): Decoders {
  const idle = new Map<Decoder, NodeJS.Timeout>()
  const working = new Set<Decoder>()
  const waiting: (() => void)[] = []
  let taken = 0
  let closed = false

  return {
    async perform(task) {
      if (taken < concurrency) taken += 1
      else await new Promise<void>(go => waiting.push(go))
      try {
        if (closed) throw new DecoderEnded('lost', 'closing')
        return await performBy(fromIdle() ?? startDecoder(starting), task)
      } finally {
        const next = waiting.shift()
        if (next) next()
        else taken -= 1
      }
    },

    async close() {
      closed = true
      for (const timer of idle.values()) clearTimeout(timer)
      await Promise.all([...idle.keys(), ...working].map(decoder => decoder.end()))
      idle.clear()
    },
  }

  async function performBy(decoder: Decoder, task: Task): Promise<Answer> {
    working.add(decoder)
    let swollen = false
    try {
      const answer = await decoder.perform(task)
      swollen = answer.swollen ?? false
      return answer
    } finally {
      working.delete(decoder)
      if (closed || swollen) await decoder.end()
      else if (!decoder.ended()) keepIdle(decoder)
    }
  }

  function fromIdle(): Decoder | undefined {
    for (const [decoder, timer] of idle) {
      clearTimeout(timer)
      idle.delete(decoder)
      if (!decoder.ended()) return decoder
    }
    return undefined
  }

  function keepIdle(decoder: Decoder) {
    const timer = setTimeout(() => {
      idle.delete(decoder)
      void decoder.end()
    }, idleSeconds * 1000)
    idle.set(decoder, timer.unref())
  }
}

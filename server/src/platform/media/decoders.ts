import { openFairQueue, type Turn } from '../fair-queue.ts'
import { type Decoder, DecoderEnded, type Starting, startDecoder } from './decoder.ts'
import type { Answer, Task } from './picture-worker.ts'

export type Decoders = { perform(task: Task, turn: Turn): Promise<Decoded>; close(): Promise<void> }
export type Decoded = Exclude<Answer, { cost: number }>

/** What most pictures cost at most, and what each is taken to cost, in megapixels of a JPEG. */
const usualCost = 12
/** 4 s of a processor: 50 megapixels of HEIC or of an animation. */
const usuallyAtMost = 200
/** Their files wait on disk. 60 of one phone at once are an honest evening. */
const waitingMax = 1000
const waitingMaxEach = 200
const full = 'Too many pictures wait to be read. Please try again in a moment.'

type Opening = Starting & {
  concurrency: number
  idleSeconds: number
  /** What costs more leaves a place to the others. */
  usualCostMax?: number
}

/**
 * At most `concurrency` decoding processes, each with one task; the rest wait, every asker for their share, and all but
 * one place is kept from pictures that cost much. A process is started when none is idle and ended when it was idle for a
 * while, or when a picture has left it swollen. `perform` throws `DecoderEnded` or what a queue throws.
 */
export function openDecoders({
  concurrency,
  idleSeconds,
  usualCostMax = usuallyAtMost,
  ...starting
}: Opening): Decoders {
  const idle = new Map<Decoder, NodeJS.Timeout>()
  const working = new Set<Decoder>()
  const queue = (atOnce: number) => openFairQueue({ atOnce, waitingMax, waitingMaxEach, full })
  const [all, dear] = [queue(concurrency), queue(Math.max(1, concurrency - 1))]
  let closed = false

  const performNow = (task: Task, costMax: number | null) => {
    if (closed) throw new DecoderEnded('lost', 'closing')
    return performBy(fromIdle() ?? startDecoder(starting), { ...task, costMax })
  }

  return {
    async perform(task, turn) {
      const answer = await all.run(turn, usualCost, async () => performNow(task, usualCostMax))
      if (!('cost' in answer)) return answer
      const { cost } = answer
      const begin = () => all.run(turn, cost, async () => performNow(task, null))
      return (await dear.run(turn, cost, begin)) as Decoded
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

import type { Confinement } from '../confinement.ts'
import { openFairQueue, type Turn } from '../fair-queue.ts'
import { type Answered, type Decoder, DecoderEnded, type Starting, startDecoder } from './decoder.ts'
import { decoderWalls } from './decoder-walls.ts'
import type { PictureAnswer, PictureTask } from './picture-task.ts'

export type Decoders = {
  /** Whoever asks removes the files. */
  perform(task: Omit<PictureTask, 'costMax'>, source: string, turn: Turn): Promise<Decoded>
  close(): Promise<void>
}
export type Decoded = { answer: Exclude<PictureAnswer, { cost: number }>; files: Answered['files'] }

/** What most pictures cost at most, and what each is taken to cost, in megapixels of a JPEG. */
const usualCost = 12
/** 4 s of a processor: 50 megapixels of HEIC or of an animation. */
const usuallyAtMost = 200
/** Their files wait on disk. 60 of one phone at once are an honest evening. */
const waitingMax = 1000
const waitingMaxEach = 200
const full = 'Too many pictures wait to be read. Please try again in a moment.'

type Opening = Starting & {
  walls?: () => Promise<Confinement>
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
  walls = decoderWalls,
  ...starting
}: Opening): Decoders {
  const idle = new Map<Decoder, NodeJS.Timeout>()
  const working = new Set<Decoder>()
  const queue = (atOnce: number) => openFairQueue({ atOnce, waitingMax, waitingMaxEach, full })
  const [all, dear] = [queue(concurrency), queue(Math.max(1, concurrency - 1))]
  let closed = false

  const performNow = async (task: PictureTask, source: string): Promise<Answered> => {
    const confinement = await walls()
    if (closed) throw new DecoderEnded('lost', 'closing')
    return performBy(fromIdle() ?? startDecoder(confinement, starting), task, source)
  }

  return {
    async perform(task, source, turn) {
      const first = await all.run(turn, usualCost, () => performNow({ ...task, costMax: usualCostMax }, source))
      if (!('cost' in first.answer)) return first as Decoded
      const { cost } = first.answer
      const begin = () => all.run(turn, cost, () => performNow({ ...task, costMax: null }, source))
      const second = await dear.run(turn, cost, begin)
      if ('cost' in second.answer) throw new DecoderEnded('lost', 'a price where none was asked')
      return second as Decoded
    },

    async close() {
      closed = true
      for (const timer of idle.values()) clearTimeout(timer)
      await Promise.all([...idle.keys(), ...working].map(decoder => decoder.end()))
      idle.clear()
    },
  }

  async function performBy(decoder: Decoder, task: PictureTask, source: string): Promise<Answered> {
    working.add(decoder)
    let swollen = false
    try {
      const answered = await decoder.perform(task, source)
      swollen = answered.swollen
      return answered
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
      if (decoder.isSuspect()) void decoder.end()
      else if (!decoder.ended()) return decoder
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

import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFairQueue, type Turn } from '../../../jobs/fair-queue.ts'
import { storageFailure } from '../../storage/storage.ts'
import type { MediumTask, PictureAnswer, PictureTask, StructureTask } from '../picture-task.ts'
import { type DecoderAnswer, DecoderEnded } from './decoder.ts'
import { DecoderPool, type PoolOpening } from './decoder-pool.ts'

type DecoderRequest = Omit<PictureTask, 'costMax'> | StructureTask | MediumTask

export type Decoders = {
  /** The caller removes the files. */
  perform(task: DecoderRequest, source: string, turn: Turn): Promise<DecodingResult>
  /** Waits until nothing has been decoded for a while; false if aborted before. For work that nobody waits for. */
  quiet(signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}
export type DecodingResult = { answer: Exclude<PictureAnswer, { cost: number }>; files: DecoderAnswer['files'] }

/** The most that most pictures cost, and what each is assumed to cost, in megapixels of a JPEG. */
const usualCost = 12
/** For parsing one without decoding, and for a medium size: a second of CPU. */
const fixedCosts = { structure: 0.5, medium: 50 }
/** 4 s of CPU: 50 megapixels of HEIC or of an animation. */
const usuallyAtMost = 200
/** A decoder holds a whole file in memory: two large RAW files at once would take half a gigabyte. */
const usualBytesMax = 64 * 1024 * 1024
/** Their files wait on disk. 60 from one phone at once are an honest evening. */
const waitingMax = 1000
const waitingMaxEach = 200
const full = 'Too many pictures wait to be read. Please try again in a moment.'

type DecodersOptions = PoolOpening & {
  concurrency: number
  quietSeconds?: number
  /** Anything more expensive leaves a slot to the others. */
  usualCostMax?: number
}

/**
 * At most `concurrency` decoder processes, each with one task; other tasks queue, with an equal share for every caller,
 * and expensive pictures may not use the last slot. `perform` throws `DecoderEnded` or what a queue throws.
 */
export function openDecoders(opening: DecodersOptions): Decoders {
  const { concurrency, quietSeconds = 2, usualCostMax = usuallyAtMost, ...starting } = opening
  const pool = new DecoderPool(starting)
  const queue = (atOnce: number) => openFairQueue({ atOnce, waitingMax, waitingMaxEach, full })
  const [all, dear] = [queue(concurrency), queue(Math.max(1, concurrency - 1))]
  /** Tasks that somebody waits for. */
  let awaited = 0
  let endedAt = Number.NEGATIVE_INFINITY

  const performInTurn = async (task: DecoderRequest, source: string, turn: Turn): Promise<DecodingResult> => {
    const { size } = await stat(source).catch(error => Promise.reject(storageFailure(error)))
    const usual = task.act === 'picture' ? usualCost : fixedCosts[task.act]
    const now = task.act === 'picture' ? { ...task, costMax: usualCostMax } : task
    const first = () => all.run(turn, usual, () => pool.perform(now, source))
    const isDear = size > usualBytesMax || task.act === 'medium'
    const { answer, files } = await (isDear ? dear.run(turn, usual, first) : first())
    if (!('cost' in answer)) return { answer, files }
    if (task.act !== 'picture') throw new DecoderEnded('lost', 'a price where none was asked')
    const { cost } = answer
    const begin = () => all.run(turn, cost, () => pool.perform({ ...task, costMax: null }, source))
    const second = await dear.run(turn, cost, begin)
    if ('cost' in second.answer) throw new DecoderEnded('lost', 'a price where none was asked')
    return { answer: second.answer, files: second.files }
  }

  return {
    async perform(task, source, turn) {
      if (task.act === 'medium') return performInTurn(task, source, turn)
      awaited += 1
      try {
        return await performInTurn(task, source, turn)
      } finally {
        awaited -= 1
        endedAt = performance.now()
      }
    },

    async quiet(signal) {
      const isQuiet = () => awaited === 0 && performance.now() - endedAt >= quietSeconds * 1000
      while (!signal.aborted && !isQuiet()) await sleep(quietSeconds * 1000, undefined, { signal }).catch(() => {})
      return !signal.aborted
    },

    close: () => pool.close(),
  }
}

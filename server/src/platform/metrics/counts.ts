import type { FastifyInstance } from 'fastify'
import type { ReceivedFile } from '../media/received-file.ts'
import type { Push } from '../push/senders.ts'

/** Upper bounds of the duration buckets, in seconds. */
export const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * How often a request ended within each bound (the last: beyond all of them), how often in total, and the total
 * duration.
 */
export type Durations = { within: number[]; count: number; seconds: number }

/**
 * Counters since startup, as plain numbers: counting costs a request 0.1 µs, and the text to scrape is produced on
 * request.
 */
export type Counts = {
  answers: ReadonlyMap<string, ReadonlyMap<number, Durations>>
  /** By platform and outcome. */
  pushes: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** By whether they arrived completely. */
  uploads: ReadonlyMap<string, { count: number; bytes: number }>
}

export type Counting = Counts & {
  answered(operation: string, status: number, seconds: number): void
  pushed(platform: string, result: string): void
  uploaded(result: 'taken' | 'failed', bytes: number): void
}

export const openCounts = (): Counting => {
  const answers = new Map<string, Map<number, Durations>>()
  const pushes = new Map<string, Map<string, number>>()
  const uploads = new Map<string, { count: number; bytes: number }>()

  const durationsOf = (operation: string, status: number): Durations => {
    let byStatus = answers.get(operation)
    if (!byStatus) {
      byStatus = new Map()
      answers.set(operation, byStatus)
    }
    let durations = byStatus.get(status)
    if (!durations) {
      durations = { within: new Array(bounds.length + 1).fill(0), count: 0, seconds: 0 }
      byStatus.set(status, durations)
    }
    return durations
  }

  return {
    answers,
    pushes,
    uploads,
    answered(operation, status, seconds) {
      const durations = durationsOf(operation, status)
      let at = 0
      while (at < bounds.length && seconds > (bounds[at] as number)) at += 1
      durations.within[at] = (durations.within[at] as number) + 1
      durations.count += 1
      durations.seconds += seconds
    },
    pushed(platform, result) {
      const results = pushes.get(platform) ?? new Map<string, number>()
      results.set(result, (results.get(result) ?? 0) + 1)
      pushes.set(platform, results)
    },
    uploaded(result, bytes) {
      const { count, bytes: before } = uploads.get(result) ?? { count: 0, bytes: 0 }
      uploads.set(result, { count: count + 1, bytes: before + bytes })
    },
  }
}

/** Counts responses by operation: unknown paths count as one, or an attacker could create millions. */
export const countAnswers = (server: FastifyInstance, counts: Counting): void => {
  server.addHook('onResponse', (request, reply, done) => {
    const { config, url } = request.routeOptions
    counts.answered(
      (request.actsAs ?? config.operation)?.name ?? url ?? 'unknown',
      reply.statusCode,
      reply.elapsedTime / 1000,
    )
    done()
  })
}

/** The same push, counted. */
export const countPushes = (push: Push, counts: Counting): Push => ({
  ...push,
  async send(address, message) {
    const outcome = await push.send(address, message)
    counts.pushed(address.platform, outcome.result)
    return outcome
  },
})

/** The same receiver of files, counted. */
export const countUploads =
  <Args extends unknown[]>(receive: (...args: Args) => Promise<ReceivedFile>, counts: Counting) =>
  async (...args: Args): Promise<ReceivedFile> => {
    try {
      const file = await receive(...args)
      counts.uploaded('taken', file.bytes)
      return file
    } catch (error) {
      counts.uploaded('failed', 0)
      throw error
    }
  }

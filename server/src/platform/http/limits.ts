import { isIPv6 } from 'node:net'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { SiblingProcesses } from '../process/sibling-processes.ts'
import type { SharedState } from '../redis/redis.ts'
import { TooMany } from './refusals.ts'

export const windowSeconds = 60

export type Spent = { limit: number; remaining: number }

export type RateLimits = {
  /** Uses up one request of a bucket, or several points; refuses with TooMany if none is left. A bucket's window is always the same. */
  spend(bucket: string, key: string | number, points: number, seconds?: number, amount?: number): Promise<Spent>
  /** Tells whether any of it has been used in its window. */
  isTouched(bucket: string, key: string | number, points: number, seconds?: number): Promise<boolean>
  /** Refuses with TooMany as `spend` would, but uses nothing up. */
  demandLeft(bucket: string, key: string | number, points: number, seconds?: number): Promise<void>
  /** Gives one request back, where only failures count. */
  giveBack(bucket: string, key: string | number, points: number, seconds?: number): Promise<void>
}

/**
 * Fixed windows, of a minute unless stated otherwise, one bucket per operation and key. With Redis, all processes use
 * the same buckets; while it is unavailable, and without it, each uses its own. Processes behind one port report their
 * counts to each other, so that no request waits: a caller who asks several within 20 ms may get a few more.
 */
export const openRateLimits = (factor: number, shared?: SharedState, neighbours?: SiblingProcesses): RateLimits => {
  const buckets = new Map<string, Bucket>()
  const bucketOf = (name: string, perMinute: number, duration = windowSeconds) => {
    let bucket = buckets.get(name)
    if (!bucket) {
      const options = { keyPrefix: name, points: Math.ceil(perMinute * factor), duration }
      bucket = { points: options.points, duration, own: new RateLimiterMemory(options), common: new Map() }
      buckets.set(name, bucket)
    }
    return bucket
  }
  const tellSpent = neighbours && !shared ? openTelling(neighbours, bucketOf) : () => {}
  /** Does the same to the bucket currently in use. */
  const counting = <Result>(
    bucket: Bucket,
    name: string,
    count: (limiter: RateLimiterAbstract) => Promise<Result>,
  ): Promise<Result> => {
    if (!shared) return count(bucket.own)
    return shared.ask(
      redis => {
        let common = bucket.common.get(redis)
        if (!common) {
          const { points, duration } = bucket
          common = new RateLimiterRedis({ storeClient: redis, keyPrefix: name, points, duration })
          bucket.common.set(redis, common)
        }
        return count(common)
      },
      () => count(bucket.own),
    )
  }
  return {
    async spend(name, key, points, seconds, amount = 1) {
      const bucket = bucketOf(name, points, seconds)
      tellSpent({ name, key, points, seconds, spent: amount })
      try {
        const { remainingPoints } = await counting(bucket, name, limiter => limiter.consume(key, amount))
        return { limit: bucket.points, remaining: remainingPoints }
      } catch (rejected) {
        if (rejected instanceof RateLimiterRes) throw new TooMany(bucket.points, rejected.msBeforeNext)
        throw rejected
      }
    },
    async isTouched(name, key, points, seconds) {
      return (await counting(bucketOf(name, points, seconds), name, limiter => limiter.get(key))) !== null
    },
    async demandLeft(name, key, points, seconds) {
      const bucket = bucketOf(name, points, seconds)
      const spent = await counting(bucket, name, limiter => limiter.get(key))
      if (spent && spent.consumedPoints >= bucket.points) throw new TooMany(bucket.points, spent.msBeforeNext)
    },
    async giveBack(name, key, points, seconds) {
      tellSpent({ name, key, points, seconds, spent: -1 })
      await counting(bucketOf(name, points, seconds), name, limiter => limiter.reward(key))
    },
  }
}

type Spending = { name: string; key: string | number; points: number; seconds?: number | undefined; spent: number }

const spentChannel = 'afterglow:spent'
const gatherMs = 20

/** Exchanges counts with the other processes. */
const openTelling = (
  { publish, listen }: SiblingProcesses,
  bucketOf: (name: string, points: number, seconds?: number) => Bucket,
) => {
  let gathered: Spending[] = []
  listen(spentChannel, message => {
    for (const { name, key, points, seconds, spent } of JSON.parse(message) as Spending[])
      void bucketOf(name, points, seconds).own.penalty(key, spent)
  })
  return (spending: Spending) => {
    gathered.push(spending)
    if (gathered.length > 1) return
    setTimeout(() => {
      publish(spentChannel, JSON.stringify(gathered))
      gathered = []
    }, gatherMs)
  }
}

type Bucket = { points: number; duration: number; own: RateLimiterMemory; common: Map<unknown, RateLimiterRedis> }

/** The part of an address that a household or phone cannot vary at will: an IPv4 address, or the /64 of an IPv6 one. */
export const networkOf = (address: string | undefined): string => {
  // A client that hung up before its request was read has no address any more, and nobody waits for the answer.
  if (address === undefined) return 'left'
  const mapped = address.startsWith('::ffff:') ? address.slice(7) : address
  if (!isIPv6(mapped)) return mapped
  const [head = '', tail = ''] = mapped.split('%')[0]?.split('::') ?? []
  const groups = head.split(':').filter(Boolean)
  const trailing = tail.split(':').filter(Boolean)
  const missing = Array.from({ length: Math.max(0, 8 - groups.length - trailing.length) }, () => '0')
  return [...groups, ...missing, ...trailing]
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}

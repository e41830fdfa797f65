import { isIPv6 } from 'node:net'
import type { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Shared } from '../redis.ts'
import { TooMany } from './refusals.ts'
import { type Counted, type Bucket as OwnBucket, openWindows } from './windows.ts'

const windowSeconds = 60

export type Spent = { limit: number; remaining: number }

export type RateLimits = {
  /** Spends one request of a bucket; refuses with TooMany when none is left. At once, where no memory is shared. */
  take(bucket: string, key: string | number, perMinute: number): Spent | Promise<Spent>
  /** The same, always later. */
  spend(bucket: string, key: string | number, perMinute: number): Promise<Spent>
  /** Refuses with TooMany as `spend` would, but spends nothing. */
  demandLeft(bucket: string, key: string | number, perMinute: number): Promise<void>
  /** Gives one request back, where only failures count. */
  giveBack(bucket: string, key: string | number, perMinute: number): Promise<void>
}

/**
 * Fixed windows of a minute, one bucket an operation and key. With a shared memory all processes spend from the same
 * buckets; while it is away, and without one, each from its own.
 */
export const openRateLimits = (factor: number, shared?: Shared): RateLimits => {
  const windows = openWindows(windowSeconds * 1000)
  const buckets = new Map<string, Bucket>()
  const bucketOf = (name: string, perMinute: number) => {
    let bucket = buckets.get(name)
    if (!bucket) {
      bucket = { name, points: Math.ceil(perMinute * factor), own: windows.bucket(), common: new Map() }
      buckets.set(name, bucket)
    }
    return bucket
  }
  const commonOf = ({ name, points, common }: Bucket, redis: Redis) => {
    let limiter = common.get(redis)
    if (!limiter) {
      limiter = new RateLimiterRedis({ storeClient: redis, keyPrefix: name, points, duration: windowSeconds })
      common.set(redis, limiter)
    }
    return limiter
  }

  const take: RateLimits['take'] = (name, key, perMinute) => {
    const bucket = bucketOf(name, perMinute)
    const own = () => windows.spend(bucket.own, key)
    if (!shared) return spentOf(bucket, own())
    const consume = (redis: Redis) => commonOf(bucket, redis).consume(key).catch(rejected)
    return shared.ask<Counted>(async redis => countedBy(await consume(redis)), own).then(each => spentOf(bucket, each))
  }
  return {
    take,
    spend: async (name, key, perMinute) => take(name, key, perMinute),
    async demandLeft(name, key, perMinute) {
      const bucket = bucketOf(name, perMinute)
      const own = () => windows.look(bucket.own, key)
      const look = async (redis: Redis) => countedBy(await commonOf(bucket, redis).get(key))
      const { spent, msBeforeEnd } = shared ? await shared.ask(look, own) : own()
      if (spent >= bucket.points) throw new TooMany(bucket.points, msBeforeEnd)
    },
    async giveBack(name, key, perMinute) {
      const bucket = bucketOf(name, perMinute)
      const own = () => windows.giveBack(bucket.own, key)
      if (shared) await shared.ask<unknown>(redis => commonOf(bucket, redis).reward(key), own)
      else own()
    },
  }
}

type Bucket = { name: string; points: number; own: OwnBucket; common: Map<Redis, RateLimiterRedis> }

const spentOf = ({ points }: Bucket, { spent, msBeforeEnd }: Counted): Spent => {
  if (spent > points) throw new TooMany(points, msBeforeEnd)
  return { limit: points, remaining: points - spent }
}

/** The library throws the same result when it is too much. */
const rejected = (reason: unknown): RateLimiterRes => {
  if (reason instanceof RateLimiterRes) return reason
  throw reason
}
const countedBy = (found: RateLimiterRes | null): Counted => ({
  spent: found?.consumedPoints ?? 0,
  msBeforeEnd: found?.msBeforeNext ?? windowSeconds * 1000,
})

/** What one household or phone cannot vary at will: an IPv4 address, or the /64 of an IPv6 one. */
export const networkOf = (address: string): string => {
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

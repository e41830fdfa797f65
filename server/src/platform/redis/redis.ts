import type { Redis } from 'ioredis'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../database/database.ts'

/** State shared by several processes. It may vanish, stall or be emptied at any time, and only convenience is lost. */
export type SharedState = {
  /** Queries it, or returns `otherwise` if it is unavailable or too slow. Errors of the command itself are thrown. */
  ask<Result>(command: (redis: Redis) => Promise<Result>, otherwise: () => Result | Promise<Result>): Promise<Result>
  /** Notifies every process that listens on a channel, including this one; lost while it is unavailable. */
  publish(channel: string, message: string): void
  listen(channel: string, listener: (message: string) => void): void
  close(): void
}

/** The longest that anybody waits for it. */
const patienceMs = 200
/** A failure pauses its use for this long, so that a stall slows one request a second, and not each. */
const pauseMs = 1000

/**
 * The name under which the processes of one instance use it, and no other instance does: they share its database. A
 * copy of the database's files has the same name, which a setting then replaces.
 */
export const instanceName = async (db: Db): Promise<string> => {
  const { rows } = await sql<{ name: string }>`
    select system_identifier || '.' || (select oid from pg_database where datname = current_database()) as name
    from pg_control_system()`.execute(db)
  return (rows[0] as (typeof rows)[number]).name
}

/**
 * Opens `redis://…`, whether it is up or not. Every key and channel begins with the prefix: publish and subscribe
 * ignore database numbers.
 */
export const openRedis = async (url: string, prefix: string, log: Pick<Logger, 'warn'>): Promise<SharedState> => {
  // Only loaded if a Redis is used.
  const { Redis } = await import('ioredis')
  const options = {
    keyPrefix: `${prefix}:`,
    commandTimeout: patienceMs,
    connectTimeout: 2000,
    maxRetriesPerRequest: 1,
    // An unanswered command was answered by the fallback: repeating it later would count it twice.
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, 2000),
  }
  const redis = new Redis(url, options)
  // It only waits for messages, so it may never time out.
  const hearing = new Redis(url, {
    ...options,
    commandTimeout: undefined,
    enableOfflineQueue: true,
    maxRetriesPerRequest: null,
  })
  let pausedUntil = 0
  let away = false
  const missed = (err: unknown) => {
    pausedUntil = performance.now() + pauseMs
    if (!away) log.warn({ err }, 'Redis is away: limits and presence count for this process alone')
    away = true
  }
  redis.on('error', missed)
  redis.on('ready', () => {
    pausedUntil = 0
    away = false
  })
  hearing.on('error', () => {})

  return {
    async ask(command, otherwise) {
      if (redis.status !== 'ready' || performance.now() < pausedUntil) return otherwise()
      try {
        const result = await command(redis)
        away = false
        return result
      } catch (error) {
        if (!(error instanceof Error)) throw error
        missed(error)
        return otherwise()
      }
    },
    publish(channel, message) {
      if (redis.status === 'ready' && performance.now() >= pausedUntil)
        redis.publish(`${prefix}:${channel}`, message).catch(missed)
    },
    listen(channel, listener) {
      const full = `${prefix}:${channel}`
      hearing.subscribe(full).catch(missed)
      hearing.on('message', (from: string, message: string) => {
        if (from === full) listener(message)
      })
    },
    close() {
      redis.disconnect()
      hearing.disconnect()
    },
  }
}

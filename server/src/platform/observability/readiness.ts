import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, newConnection } from '../database/connection.ts'

export type Readiness = {
  /** Whether the database answers and accepts writes, determined within a second whatever it does. */
  isReady(): Promise<boolean>
  close(): Promise<void>
}

const tellWithinMs = 800
/** A database that answered this recently is slow rather than unavailable. */
const freshMs = 5_000
const answersWithinMs = 3_000

/** Uses a connection of its own, so that a crowd waiting for all others does not make this process look dead. */
export const openReadiness = (url: string): Readiness => {
  let connection: Connection | undefined
  let asking: Promise<boolean> | undefined
  let answeredAt = Number.NEGATIVE_INFINITY

  const connected = async () => {
    const opened = newConnection(url, { name: 'afterglow readiness', answersWithinMs })
    await opened.connect()
    return opened
  }

  const ask = async () => {
    try {
      connection ??= await connected()
      const { rows } = await connection.query('select pg_is_in_recovery() as standby')
      if (rows[0]?.standby) throw new Error('a standby takes no writes')
      answeredAt = performance.now()
      return true
    } catch {
      answeredAt = Number.NEGATIVE_INFINITY
      connection?.end().catch(() => {})
      connection = undefined
      return false
    }
  }

  return {
    async isReady() {
      asking ??= ask().finally(() => {
        asking = undefined
      })
      const late = sleep(tellWithinMs, null, { ref: false }).then(() => performance.now() - answeredAt < freshMs)
      return Promise.race([asking, late])
    },
    async close() {
      await asking
      await connection?.end().catch(() => {})
    },
  }
}

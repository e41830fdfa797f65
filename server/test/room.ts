import { setTimeout as sleep } from 'node:timers/promises'

/** The databases that one worker may hold at once, and the connections that each of them takes. */
export const databasesMax = 12
export const connectionsMax = 24

/** A folder in memory, for the run's PostgreSQL. */
export const memory = '/dev/shm'

/** What everybody outside of those databases may hold: the superuser, by whom databases are made and watched. */
const others = 20

/** By construction as many as all workers together can open. */
export const connectionsOf = (workers: number): number => workers * databasesMax * connectionsMax + others

const patienceMs = 30_000
let held = 0

/** Waits until this worker holds fewer databases than it may; gives what gives the place back. */
export const takeRoom = async (): Promise<() => void> => {
  const until = performance.now() + patienceMs
  while (held >= databasesMax) {
    if (performance.now() > until) throw new Error(`This file holds ${held} databases at once; close some of them.`)
    await sleep(20)
  }
  held += 1
  return () => {
    held -= 1
  }
}

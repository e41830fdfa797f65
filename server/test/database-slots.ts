import { setTimeout as sleep } from 'node:timers/promises'

/** How many databases one worker may hold at once, and how many connections each of them takes. */
export const databasesMax = 12
export const connectionsMax = 24

/** A folder in memory, for the run's PostgreSQL. */
export const memory = '/dev/shm'

/** Connections outside of those databases: the superuser creates and watches databases. */
const others = 20

/** By construction, as many as all workers together can open. */
export const connectionsOf = (workers: number): number => workers * databasesMax * connectionsMax + others

const patienceMs = 30_000
let held = 0

/** Waits until this worker holds fewer databases than it may; returns a function that frees the place. */
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

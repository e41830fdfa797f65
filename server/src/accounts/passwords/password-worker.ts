import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

export type Task = { password: string; against: string | null }
/** The new hash, or whether the password belongs to the given one. */
export type Answer = { result: string | boolean } | { fault: unknown }

/** As a picture decoder's: requests go first, but somebody is waiting. */
const niceness = 10

// On Linux this means the calling thread, elsewhere the whole process.
if (process.platform === 'linux') setPriority(niceness)

parentPort?.on('message', (task: Task) => parentPort?.postMessage(answer(task)))

function answer({ password, against }: Task): Answer {
  try {
    return { result: against === null ? hashSync(password) : verifySync(against, password) }
  } catch (fault) {
    return { fault }
  }
}

import { compositionsOf } from '@afterglow/contract/normalization'
import { openFairQueue, type Turn } from '../../platform/jobs/fair-queue.ts'
import { onFirstUse } from '../../platform/process/first-use.ts'
import { openPasswordThreads } from './password-threads.ts'

// Argon2id with the library's 19 MiB and two passes. Hashing occupies a core for 10 ms, so only two run at once: a
// flood of sign-ins waits instead of starving everybody's reads, each network for its own share, and at most 10 s.
const hashing = openFairQueue({
  atOnce: 2,
  waitingMax: 2000,
  waitingMaxEach: 500,
  full: 'Too many people sign in. Please try again in a moment.',
})
const perform = openPasswordThreads()
/** For callers with a session. */
const members: Turn = { who: 'members' }

export const hashPassword = (password: string, turn = members): Promise<string> =>
  hashing.run(turn, 1, () => perform({ password: password.normalize(), against: null }) as Promise<string>)

const decoy = onFirstUse(() => perform({ password: 'nobody has this password', against: null }) as Promise<string>)

/**
 * Takes the same time for an account that does not exist or has no password as for a wrong password. Hashes were once
 * made of what was typed: `renew` is given one of the password's form of today if it matches in another only.
 */
export const passwordIs = async (
  password: string,
  passwordHash: string | null | undefined,
  turn = members,
  renew?: (passwordHash: string) => Promise<unknown>,
): Promise<boolean> => {
  const nobodys = await decoy()
  const against = passwordHash ?? nobodys
  for (const [at, typed] of compositionsOf(password).entries()) {
    const matches = await hashing.run(turn, 1, () => perform({ password: typed, against }))
    if (matches !== true || !passwordHash) continue
    if (at > 0) await renew?.(await hashPassword(password, turn))
    return true
  }
  return false
}

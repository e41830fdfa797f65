import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'

// Argon2id with the library's 19 MiB and two passes. Hashing blocks a core for 10 ms, so only two run at once:
// a flood of sign-ins waits in line instead of starving everybody's reads.
const atOnce = pLimit(2)

export const hashPassword = (password: string): Promise<string> => atOnce(() => hash(password))

let decoy: Promise<string> | undefined

/** Takes as long for an account that does not exist or has no password as for a wrong password. */
export const passwordIs = async (password: string, passwordHash: string | null | undefined): Promise<boolean> => {
  decoy ??= hashPassword('nobody has this password')
  const against = passwordHash ?? (await decoy)
  const matches = await atOnce(() => verify(against, password))
  return matches && Boolean(passwordHash)
}

import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CannotStart } from './cannot-start.ts'
import { writeDurably } from './durable-file.ts'

/** `id` travels in what the key signed, so that a key can be replaced while what the old one signed still runs. */
export type SigningKey = { id: string; key: Buffer }

export type Secrets = {
  /** Signs media URLs. */
  media: SigningKey
  /** Password of the embedded database's superuser. */
  databasePassword: string
}

const secretBytes = 32
const secret = z.string().refine(text => Buffer.from(text, 'base64url').length === secretBytes)
const stored = z.object({
  media: z.object({ id: z.string().regex(/^[\w-]{1,16}$/), key: secret }),
  databasePassword: secret,
})

/**
 * The secrets kept in dataDir (which the caller has locked), made when they are first asked for.
 * Throws CannotStart for a file that cannot be used: new keys in its place would lock the owner out of the database.
 */
export function openSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json')
  if (!existsSync(path)) writeDurably(path, `${JSON.stringify(freshSecrets(), null, 2)}\n`, 0o600)
  const { media, databasePassword } = readSecrets(path)
  chmodSync(path, 0o600)
  return { media: { id: media.id, key: Buffer.from(media.key, 'base64url') }, databasePassword }
}

function freshSecrets(): z.infer<typeof stored> {
  const random = () => randomBytes(secretBytes).toString('base64url')
  return { media: { id: randomBytes(4).toString('hex'), key: random() }, databasePassword: random() }
}

function readSecrets(path: string): z.infer<typeof stored> {
  try {
    return stored.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (fault) {
    const unreadable = fault instanceof Error && 'code' in fault ? ` (${fault.code})` : ''
    throw new CannotStart(
      `The secrets in ${path} cannot be read${unreadable}: put back the file from a backup, as the database and every signed link depend on it.`,
    )
  }
}

import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CannotStart } from './cannot-start.ts'
import { writeDurably } from './durable-file.ts'
import { newVapidKeys, type VapidKeys, vapidKeysShape } from './push/vapid-keys.ts'

/** `id` travels in what the key signed, so that a key can be replaced while what the old one signed still runs. */
export type SigningKey = { id: string; key: Buffer }

export type Secrets = {
  /** Signs media URLs. */
  media: SigningKey
  /** Password of the embedded database's superuser. */
  databasePassword: string
  /** By which the push services of browsers know this server. */
  vapid: VapidKeys
}

const secretBytes = 32
const secret = z.string().refine(text => Buffer.from(text, 'base64url').length === secretBytes)
const stored = z.object({
  media: z.object({ id: z.string().regex(/^[\w-]{1,16}$/), key: secret }),
  databasePassword: secret,
  // A file from before there was push has none.
  vapid: vapidKeysShape.optional(),
})
type Stored = z.infer<typeof stored>

/**
 * The secrets kept in dataDir (which the caller has locked), made when they are first asked for.
 * Throws CannotStart for a file that cannot be used: new keys in its place would lock the owner out of the database.
 */
export function openSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json')
  if (!existsSync(path)) write(path, freshSecrets())
  const kept = readSecrets(path)
  const vapid = kept.vapid ?? newVapidKeys()
  if (!kept.vapid) write(path, { ...kept, vapid })
  chmodSync(path, 0o600)
  const { media, databasePassword } = kept
  return { media: { id: media.id, key: Buffer.from(media.key, 'base64url') }, databasePassword, vapid }
}

function write(path: string, secrets: Stored) {
  writeDurably(path, `${JSON.stringify(secrets, null, 2)}\n`, 0o600)
}

function freshSecrets(): Stored {
  const random = () => randomBytes(secretBytes).toString('base64url')
  return {
    media: { id: randomBytes(4).toString('hex'), key: random() },
    databasePassword: random(),
    vapid: newVapidKeys(),
  }
}

function readSecrets(path: string): Stored {
  try {
    return stored.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (fault) {
    const unreadable = fault instanceof Error && 'code' in fault ? ` (${fault.code})` : ''
    throw new CannotStart(
      `The secrets in ${path} cannot be read${unreadable}: put back the file from a backup, as the database, every signed link and every push subscription depend on it.`,
    )
  }
}

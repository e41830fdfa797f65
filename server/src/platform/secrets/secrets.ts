import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CannotStart } from '../process/cannot-start.ts'
import { makeDurably, writeDurably } from '../process/durable-file.ts'
import { newVapidKeys, type VapidKeys, vapidKeysShape } from '../push/web-push/vapid-keys.ts'

/** `id` is part of what the key signed, so that a key can be replaced while signatures by the old one remain valid. */
export type SigningKey = { id: string; key: Buffer }

export type Secrets = {
  /** Signs media URLs. */
  media: SigningKey
  /** Password of the embedded database's superuser. */
  databasePassword: string
  /** By which the browsers' push services know this server. */
  vapid: VapidKeys
}

const secretBytes = 32
const secret = z.string().refine(text => Buffer.from(text, 'base64url').length === secretBytes)
const stored = z.object({
  media: z.object({ id: z.string().regex(/^[\w-]{1,16}$/), key: secret }),
  databasePassword: secret,
  // A file from before there were pushes has none.
  vapid: vapidKeysShape.optional(),
})
type StoredSecrets = z.infer<typeof stored>

/** The path of an instance's secrets. */
export const secretsPath = ({ dataDir, secretsFile }: { dataDir: string; secretsFile: string | null }): string =>
  secretsFile ?? join(dataDir, 'secrets.json')

/**
 * The secrets in a file, created when first needed; if several processes create them at once, all get those of one.
 * Throws CannotStart for an unusable file: new keys in its place would lock the owner out of the database.
 */
export function openSecrets(path: string): Secrets {
  if (!existsSync(path)) makeDurably(path, textOf(freshSecrets()), 0o600)
  const kept = parseSecrets(path)
  const vapid = kept.vapid ?? newVapidKeys()
  if (!kept.vapid) writeDurably(path, textOf({ ...kept, vapid }), 0o600)
  closeToOthers(path)
  return secretsOf({ ...kept, vapid })
}

/** The same without creating any: for callers that expect an existing instance. */
export function readSecrets(path: string): Secrets {
  const kept = parseSecrets(path)
  return secretsOf({ ...kept, vapid: kept.vapid ?? newVapidKeys() })
}

const secretsOf = ({ media, databasePassword, vapid }: StoredSecrets & { vapid: VapidKeys }): Secrets => ({
  media: { id: media.id, key: Buffer.from(media.key, 'base64url') },
  databasePassword,
  vapid,
})

const textOf = (secrets: StoredSecrets) => `${JSON.stringify(secrets, null, 2)}\n`

/** A file mounted read-only by an orchestrator has the mode that its operator gave it: the doctor reports it. */
function closeToOthers(path: string): void {
  if ((statSync(path).mode & 0o077) === 0) return
  try {
    chmodSync(path, 0o600)
  } catch (fault) {
    if (!['EROFS', 'EPERM'].includes((fault as NodeJS.ErrnoException).code ?? '')) throw fault
  }
}

function freshSecrets(): StoredSecrets {
  const random = () => randomBytes(secretBytes).toString('base64url')
  return {
    media: { id: randomBytes(4).toString('hex'), key: random() },
    databasePassword: random(),
    vapid: newVapidKeys(),
  }
}

function parseSecrets(path: string): StoredSecrets {
  try {
    return stored.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (fault) {
    const unreadable = fault instanceof Error && 'code' in fault ? ` (${fault.code})` : ''
    throw new CannotStart(
      `The secrets in ${path} cannot be read${unreadable}: put back the file from a backup, as the database, every signed link and every push subscription depend on it.`,
    )
  }
}

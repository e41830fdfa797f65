import { sql } from 'kysely'
import type { Transaction } from '../database/database.ts'
import { type Quotas, requireQuota } from './quotas.ts'
import { holdFiles } from './storage/file-locks.ts'
import type { Storage } from './storage/storage.ts'

type Variants = Record<string, { sha256: string; bytes: number }>

/** As a picture's row names its files. Checksums of zips have a table of their own. */
export const textOf = (variants: Record<string, object>) =>
  JSON.stringify(variants, (key, value) => (key === 'crc32' ? undefined : value))

type Adding = { id: number; ownerId: number; variants: Variants; quotas: Quotas; has: Storage['has'] }

/** Gives a stored picture, whose row the caller holds, further files. Refuses personFull, instanceFull. */
export const addVariants = async (tx: Transaction, { id, ownerId, variants, quotas, has }: Adding): Promise<void> => {
  const files = Object.values(variants)
  const more = files.reduce((sum, { bytes }) => sum + bytes, 0)
  await requireQuota(tx, ownerId, more, quotas)
  const hashes = files.map(({ sha256 }) => sha256)
  await holdFiles(tx, hashes, has)
  await sql`update media set variants = variants || ${textOf(variants)}::jsonb where id = ${id}`.execute(tx)
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '../database/database.ts'

/**
 * Why the secrets at `path` must exist, as a sentence: an instance has been here with others. Null if they exist, or if
 * this is a first start. New ones in their place would invalidate every signed link and push subscription and lock out
 * the embedded database, and nobody would know why.
 */
export async function lostSecrets(
  path: string,
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | null },
): Promise<string | null> {
  if (existsSync(path)) return null
  const known = databaseUrl === null ? existsSync(join(dataDir, 'postgres', 'cluster')) : await hasAccounts(databaseUrl)
  if (!known) return null
  const where = databaseUrl === null ? `${dataDir} holds` : 'the database holds'
  return `There are no secrets at ${path}, but ${where} an instance that was made with some: put the file back from a backup, or copy it from another process of the instance (SECRETS_FILE names it).`
}

async function hasAccounts(databaseUrl: string): Promise<boolean> {
  const db = openDatabase(databaseUrl, { connections: 1, name: 'afterglow start' })
  try {
    const { rows } = await sql<{ there: boolean }>`select to_regclass('users') is not null as there`.execute(db)
    if (!rows[0]?.there) return false
    return (await sql`select from users limit 1`.execute(db)).rows.length > 0
  } finally {
    await db.destroy()
  }
}

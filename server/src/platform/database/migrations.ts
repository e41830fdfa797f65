import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const migrationsFolder = fileURLToPath(new URL('../../../migrations/', import.meta.url))
export const frozenFile = `${migrationsFolder}frozen.json`
const repairsFolder = `${migrationsFolder}repairs/`

export type Migration = {
  name: string
  text: string
  /** Processes of older versions may continue while it is applied and after it. */
  besideOlder: boolean
  /** SHA-256 of its statements, which databases remember: a changed comment changes nothing that was applied. */
  sha256: string
  /** The hashes that databases remember for an earlier text, or for this one while whole texts were remembered. */
  texts: readonly string[]
  /** By the SHA-256 of an earlier text: the statements that turn its outcome into that of this one. */
  repairs: ReadonlyMap<string, string>
}

/**
 * The texts that databases may have applied, by the migration's name. Only additions are allowed: a test compares them
 * with the files.
 */
export type Frozen = Record<string, { statements: string; texts?: string[] }>

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

export const readFrozen = async (): Promise<Frozen> => JSON.parse(await readFile(frozenFile, 'utf8'))

/**
 * The first line of a migration that older processes survive: it adds, and holds no lock for long. Any other waits until
 * the last of them has ended.
 */
export const declaration = '-- Beside older processes.\n'

/** All migrations in the order in which they are applied. */
export async function readMigrations(): Promise<Migration[]> {
  const [frozen, names, repairs] = await Promise.all([readFrozen(), sqlIn(migrationsFolder), sqlIn(repairsFolder)])
  return Promise.all(
    names.map(async name => {
      const text = await readFile(migrationsFolder + name, 'utf8')
      const texts = frozen[name]?.texts ?? []
      const mended = texts.filter(sha256 => repairs.includes(repairOf(name, sha256)))
      const read = mended.map(async sha256 => {
        const repair = await readFile(repairsFolder + repairOf(name, sha256), 'utf8')
        return [sha256, repair] as const
      })
      const besideOlder = text.startsWith(declaration)
      return {
        name,
        text,
        besideOlder,
        sha256: sha256Of(statementsOf(text)),
        texts,
        repairs: new Map(await Promise.all(read)),
      }
    }),
  )
}

/** The file that mends what an earlier text of this migration did. */
export const repairOf = (name: string, sha256: string): string => name.replace(/\.sql$/, `.${sha256.slice(0, 12)}.sql`)

/** The text without comments, and with one space wherever there were some; what is quoted stays as it is. */
export const statementsOf = (text: string): string =>
  text
    .replace(/'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|\s+/g, piece =>
      /^(--|\/\*|\s)/.test(piece) ? ' ' : piece,
    )
    .replace(/ +/g, ' ')
    .trim()

const sqlIn = async (folder: string) => (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()

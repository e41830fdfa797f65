import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { CannotStart } from '../process/cannot-start.ts'
import { type BackedUpFile, readKept, syncDirectories } from './copy-file.ts'

const moment = z.iso.datetime()
const kept = z.object({ path: z.string(), bytes: z.int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })
const contents = z.object({
  format: z.literal(1),
  madeAt: moment,
  /** Null if only the files were copied, because the operator runs the database. */
  database: z.object({ postgresVersion: z.string(), migration: z.string(), holdsUntil: moment }).nullable(),
  directories: z.array(z.string()),
  files: z.array(kept),
})
/** The contents of a backup. It is written last: a directory without one is not a backup. */
export type Manifest = z.output<typeof contents>

const name = 'manifest.json'
const sumOf = (manifest: Manifest) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

export async function writeManifest(backup: string, manifest: Manifest): Promise<void> {
  const text = JSON.stringify({ ...manifest, checksum: sumOf(manifest) })
  await writeFile(join(backup, name), `${text}\n`, { mode: 0o600, flag: 'wx', flush: true })
  await syncDirectories([backup])
}

/** Throws CannotStart if it is not a backup, or its manifest was changed. */
export async function readManifest(backup: string): Promise<Manifest> {
  const text = await readFile(join(backup, name), 'utf8').catch(() => null)
  if (text === null) throw new CannotStart(`${backup} is no backup, or one that was not finished: it has no ${name}.`)
  const { checksum, ...listed } = parsed(text)
  const manifest = contents.safeParse(listed)
  if (!manifest.success || checksum !== sumOf(manifest.data))
    throw new CannotStart(`The ${name} of ${backup} is damaged, or of another version of Afterglow.`)
  return manifest.data
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

export type VerificationResult = { files: number; bytes: number; faults: string[] }

/** Reads every file of a backup again and reports what is missing, changed or superfluous. */
export async function verifyBackup(backup: string): Promise<VerificationResult> {
  const manifest = await readManifest(backup)
  const faults: string[] = []
  for (const file of manifest.files) {
    const fault = await faultOf(backup, file)
    if (fault) faults.push(`${file.path} ${fault}`)
  }
  const listed = new Set([name, ...manifest.files.map(({ path }) => path), ...manifest.directories])
  for (const entry of await readdir(backup, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(backup.length + 1)
    if (entry.isFile() && !listed.has(path)) faults.push(`${path} is not of this backup`)
  }
  for (const path of manifest.directories)
    if (!(await stat(join(backup, path)).catch(() => null))) faults.push(`${path} is missing`)
  return { files: manifest.files.length, bytes: bytesOf(manifest), faults }
}

export const bytesOf = ({ files }: Pick<Manifest, 'files'>) => files.reduce((sum, { bytes }) => sum + bytes, 0)

async function faultOf(backup: string, { path, bytes, sha256 }: BackedUpFile): Promise<string | null> {
  try {
    const found = await readKept(backup, path)
    return found.bytes === bytes && found.sha256 === sha256 ? null : 'has changed'
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === 'ENOENT' ? 'is missing' : `cannot be read (${fault})`
  }
}

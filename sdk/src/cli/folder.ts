import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { kindOf } from '../files.ts'
import { inShots } from '../shots.ts'

/** A file that may go into an album, as it was when the folder was read. */
export type FolderFile = { path: string; name: string; kind: 'photo' | 'video'; bytes: number; changedMs: number }
/** A photo with its RAW and Live Photo video, which are one photo, or a video. */
export type FolderShot = FolderFile & { raw?: FolderFile; live?: FolderFile }

export const filesOf = (shot: FolderShot): FolderFile[] =>
  [shot, shot.raw, shot.live].filter(file => file !== undefined)

/**
 * Every photo and video below these paths, in path order, each with the files that belong to it, and the paths of other
 * files: `strange` are those named explicitly, `others` those found in folders.
 */
export const readFolders = async (paths: readonly string[]) => {
  const found: FolderFile[] = []
  const strange: string[] = []
  const others: string[] = []
  const take = async (path: string) => {
    const name = basename(path)
    const kind = kindOf({ name })
    // A symbolic link that leads nowhere is skipped.
    const at = kind && (await stat(path).catch(() => undefined))
    if (kind && at?.isFile()) found.push({ path, name, kind, bytes: at.size, changedMs: Math.round(at.mtimeMs) })
    else others.push(path)
  }
  const walk = async (folder: string) => {
    const entries = await readdir(folder, { withFileTypes: true })
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) await walk(path)
      else await take(path)
    }
  }
  for (const path of paths) {
    if ((await stat(path)).isDirectory()) await walk(path)
    else if (kindOf({ name: basename(path) })) await take(path)
    else strange.push(path)
  }
  const shots = await inShots(found, ({ path, name, bytes: size }) => ({
    folder: dirname(path),
    name,
    size,
    open: () => openAsBlob(path),
  }))
  return { found: shots.map(({ file, ...beside }): FolderShot => ({ ...file, ...beside })), strange, others }
}

/** Streams the file, so its size does not matter. */
export const sha256Of = async ({ path }: FolderFile): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk)
  return hash.digest('hex')
}

/** With its name, which it keeps in a downloaded album; read while it is being sent. */
export const fileOf = async ({ path, name, changedMs }: FolderFile): Promise<File> =>
  new File([await openAsBlob(path)], name, { lastModified: changedMs })

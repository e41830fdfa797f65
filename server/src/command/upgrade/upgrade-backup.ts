import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { answerOf, ownerOf } from './another-version.ts'
import type { Instance } from './upgrade.ts'

/** Backs the instance up by the version it is of, into a new directory of that name and the time; returns its path. */
export async function backUp(at: Instance, tree: string, named: string): Promise<string> {
  const folder = dirname(named)
  const owner = ownerOf(at.config.dataDir)
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder))
    if (name.startsWith(`${basename(named)}-`) && !existsSync(join(folder, name, 'manifest.json')))
      rmSync(join(folder, name), { recursive: true })
  const backup = `${named}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  mkdirSync(backup, { mode: 0o700 })
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(backup, owner.uid, owner.gid)
  at.tell(`Backing up into ${backup}.`)
  await answerOf(at, tree, ['backup', backup])
  return backup
}

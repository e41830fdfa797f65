import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDataDirectoryHeld, openDataDirectory } from '../../platform/process/data-directory.ts'
import { writeDurably } from '../../platform/process/durable-file.ts'
import { ourTree, type Releases, releasesAround, switchTo, treeOf } from '../../platform/process/releases.ts'
import { versionIn } from '../../platform/process/version.ts'
import { readState } from '../../processes/state.ts'
import type { Config } from '../../settings/config.ts'
import type { Environment } from '../../settings/setting.ts'
import { type Answer, NotDone } from '../answer.ts'
import type { VersionCheck } from '../database.ts'
import { answerOf } from './another-version.ts'
import { buildBeside, buildIn, findBuilt, forgetUnfinished } from './build-version.ts'
import { requireDiskSpace } from './disk-space.ts'
import { bringIn } from './restart-into.ts'
import { backUp } from './upgrade-backup.ts'

export type Instance = { config: Config; env: Environment; tell: (progress: string) => void }

/**
 * To the version of an archive, or to the one that this command is part of. `backups` null: the operator has a backup.
 * After a kill, the same call continues where that one stopped.
 */
export const upgrade = (at: Instance, { archive, backups }: { archive: string | undefined; backups: string | null }) =>
  alone(at, async releases => {
    const { config, tell } = at
    if (backups && config.databaseUrl)
      throw new NotDone(
        'The database is one of your own (DATABASE_URL): back it up with pg_dump or what you use for it, and say --backed-up.',
      )
    const built = archive === undefined ? ourTree : await findBuilt(releases, archive)
    if (built && built === treeOf(releases, 'current')) return ending(at, await checkedBy(at, built))

    const isBuilt = built !== null && archive !== undefined
    await requireDiskSpace({ config, backups, building: isBuilt ? null : releases.folder })
    const tree = archive === undefined ? ourTree : (built ?? (await buildBeside(releases, archive, tell)))
    if (archive === undefined) await buildIn(tree, versionIn(tree), tell)
    const checked = await checkedBy(at, tree)
    const before = treeOf(releases, 'current') as string
    const backup = backups && (await backUp(at, before, join(backups, `before-${versionIn(tree)}`)))
    writeDurably(lastFile(releases), `${JSON.stringify({ backup })}\n`, 0o644)
    switchTo(releases, tree)
    tell(`Version ${versionIn(tree)} is current; restarting.`)
    const processes = processesOf(at)
    try {
      return await ending(at, checked)
    } catch (fault) {
      throw await stayedBehind(at, releases, { before, processes }, fault)
    } finally {
      await forgetUnfinished(releases)
    }
  })

export const goBack = (at: Instance): Promise<Answer> =>
  alone(at, async releases => {
    const before = treeOf(releases, 'previous')
    if (!before || before === treeOf(releases, 'current')) throw new NotDone('There is no version before this one.')
    const checked = await checkedBy(at, before).catch(fault => {
      throw new NotDone(wayBack(at, releases, before, (fault as Error).message))
    })
    switchTo(releases, before)
    at.tell(`Version ${versionIn(before)} is current again; restarting.`)
    return ending(at, checked)
  })

async function alone(at: Instance, work: (releases: Releases) => Promise<Answer>): Promise<Answer> {
  const releases = releasesAround()
  if (!releases)
    throw new NotDone(
      `${ourTree} stands by itself, so nothing can be built beside it: docs/operators.md says how it moves into releases/ ("Upgrades").`,
    )
  if (!existsSync(at.config.dataDir))
    throw new NotDone(`There is no instance in ${at.config.dataDir}: DATA_DIR names where it keeps its data.`)
  if (at.config.dataDir.startsWith(`${ourTree}/`))
    throw new NotDone(
      'DATA_DIR lies within this version, and the next one would not find it: name a directory elsewhere.',
    )
  const own = ownFolder(releases)
  if (isDataDirectoryHeld(own)) throw new NotDone('Another upgrade is under way.')
  const lock = openDataDirectory(own)
  // The service's user reads what root makes.
  const umask = process.umask(0o022)
  try {
    return await work(releases)
  } finally {
    process.umask(umask)
    lock.release()
  }
}

const ownFolder = ({ folder }: Releases) => join(folder, '.upgrade')
/** Records the backup made before the last switch. */
const lastFile = (releases: Releases) => join(ownFolder(releases), 'last.json')

const checkedBy = (at: Instance, tree: string) =>
  answerOf<VersionCheck>(at, tree, ['database', 'check']).catch(fault => {
    throw new NotDone(`Version ${versionIn(tree)} does not take this database: ${(fault as Error).message}`)
  })

async function ending(at: Instance, checked: VersionCheck): Promise<Answer> {
  const releases = releasesAround() as Releases
  const version = versionIn(treeOf(releases, 'current') as string)
  const { say, serves } = await bringIn(at, checked)
  return { say: `${say}\nNow run doctor.`, json: { version, serves, migrations: checked.missing } }
}

/** The new version is not running: the database decides whether the previous one may continue. */
async function stayedBehind(
  at: Instance,
  releases: Releases,
  { before, processes }: { before: string; processes: string },
  fault: unknown,
): Promise<NotDone> {
  const why = fault instanceof Error ? fault.message : String(fault)
  try {
    const checked = await checkedBy(at, before)
    switchTo(releases, before)
    // Unless the first of them was refused and all are as they were.
    if (processes === '' || processesOf(at) !== processes) await bringIn(at, checked)
    return new NotDone(
      `${why}\nVersion ${versionIn(before)} goes on: the database is as it was, and current leads to it.`,
    )
  } catch (other) {
    return new NotDone(`${why}\n${wayBack(at, releases, before, (other as Error).message)}`)
  }
}

const processesOf = ({ config }: Instance) => readState(config.dataDir)?.processes.join(' ') ?? ''

function wayBack({ config }: Instance, releases: Releases, before: string, why: string): string {
  const backup = lastBackup(releases)
  return [
    why,
    'What a newer version has migrated no older one reads, and no migration is undone. The way back is the backup, and what was written since it would be lost; the way on is a version that mends what is wrong. To go back all the same, with the service stopped:',
    ...(config.databaseUrl
      ? ['  restore your own database from its backup of before']
      : [
          `  mv ${config.dataDir} ${config.dataDir}.newer`,
          `  cd ${before} && DATA_DIR=${config.dataDir} npm run afterglow -- restore ${backup ?? '<the backup>'}`,
        ]),
    `  ln -sfn releases/${before.slice(releases.folder.length + 1)} ${releases.home}/current`,
    'and start it.',
  ].join('\n')
}

function lastBackup(releases: Releases): string | null {
  try {
    return JSON.parse(readFileSync(lastFile(releases), 'utf8')).backup
  } catch {
    return null
  }
}

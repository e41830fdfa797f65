import { resolve } from 'node:path'
import type { Command } from 'commander'
import { pino } from 'pino'
import { takeBackup } from '../platform/backup/backup.ts'
import { noteBackup } from '../platform/backup/last-backup.ts'
import { verifyBackup } from '../platform/backup/manifest.ts'
import { restoreBackup } from '../platform/backup/restore.ts'
import { mediaDirectory } from '../platform/media/storage/open-storage.ts'
import { secretsPath } from '../platform/secrets/secrets.ts'
import type { Config } from '../settings/config.ts'
import { type Answer, NotDone } from './answer.ts'
import { reachInstance } from './instance.ts'

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
const until = (moment: Date | null) => (moment ? ` It holds everything up to ${moment.toISOString()}.` : '')

export function backupCommands(
  program: Command,
  config: () => Config,
  run: (work: () => Promise<Answer>) => Promise<void>,
): void {
  const backup = program
    .command('backup')
    .description('copy the whole instance, while it runs, into a new directory')
    .argument('<directory>', 'missing or empty')
    .option('--without-database', 'only photos, videos and secrets: for a database of your own')
    .action((directory, { withoutDatabase }) => run(() => take(config(), directory, Boolean(withoutDatabase))))

  backup
    .command('verify')
    .description('read every file of a backup again and compare it with what was copied')
    .argument('<directory>')
    .action(directory =>
      run(async () => {
        const verified = await verifyBackup(resolve(directory))
        const { files, bytes, faults } = verified
        const say =
          faults.length > 0 ? faults.join('\n') : `All ${files} files (${megabytes(bytes)}) are as they were copied.`
        return { say, json: verified, failed: faults.length > 0 }
      }),
    )

  program
    .command('restore')
    .description('put a backup into DATA_DIR, which must be missing or empty')
    .argument('<directory>', 'of the backup')
    .action(directory =>
      run(async () => {
        const { dataDir, ...rest } = config()
        const log = pino({ level: 'silent' })
        const target = { dataDir, secretsPath: secretsPath({ dataDir, ...rest }), log }
        const restored = await restoreBackup(resolve(directory), target)
        const { files, bytes, holdsUntil } = restored
        const say = `${files} files (${megabytes(bytes)}) are in ${dataDir}, and the database starts.${until(holdsUntil)}`
        return { say, json: restored }
      }),
    )
}

async function take(config: Config, directory: string, withoutDatabase: boolean): Promise<Answer> {
  const { dataDir, databaseUrl } = config
  if (databaseUrl && !withoutDatabase)
    throw new NotDone(
      'The database is one of your own (DATABASE_URL): back it up first, with pg_dump or what you use for it, then the rest with --without-database. docs/operators.md says how.',
    )
  const instance = databaseUrl ? null : await reachInstance(config)
  try {
    const source = {
      dataDir,
      mediaDir: mediaDirectory(config),
      secretsPath: secretsPath(config),
      superuserUrl: instance?.superuserUrl ?? null,
    }
    const taken = await takeBackup(source, directory)
    noteBackup(dataDir)
    const { files, bytes, holdsUntil, damaged } = taken
    const elsewhere = config.storage.at === 'disk' ? '' : '\nPhotos and videos lie in S3, and were not copied.'
    const rot = damaged.map(path => `\n${path} was damaged before it was copied.`).join('')
    const say = `${files} files (${megabytes(bytes)}) are in ${resolve(directory)}.${until(holdsUntil)}${elsewhere}${rot}`
    return { say, json: taken, failed: damaged.length > 0 }
  } finally {
    await instance?.close()
  }
}

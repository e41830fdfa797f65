import { sql } from 'kysely'
import { lastBackup } from '../../platform/backup/last-backup.ts'
import type { Database } from '../../platform/database/database.ts'
import { livingProcesses } from '../../platform/database/registered-process.ts'
import { type CountedJobs, countJobs } from '../../platform/jobs/operators-store.ts'
import { freeBytesOf } from '../../platform/media/storage/free-disk.ts'
import { version } from '../../platform/process/version.ts'
import type { Config } from '../../settings/config.ts'
import { reachDatabase } from '../instance.ts'
import { type Finding, fault, good, mind, wordsOf } from './finding.ts'

/** The operator's promises to the guests, a line each: kept, or the advice. */
export async function examinePromises(config: Config): Promise<Finding[]> {
  const backups = examineBackups(config)
  try {
    const { db, close } = await reachDatabase(config)
    try {
      const jobs = await countJobs(db)
      return [
        backups,
        examineMails(jobs, config),
        examineJobs(jobs),
        await examinePace(db, config),
        await examineVersions(db),
      ]
    } finally {
      await close()
    }
  } catch (error) {
    return [backups, fault('promises', wordsOf(error), 'Mend the database first: without it none is kept.')]
  }
}

const daysBetweenBackups = 2
const dayMs = 86_400_000

function examineBackups({ dataDir, databaseUrl }: Config): Finding {
  const at = lastBackup(dataDir)
  const what = databaseUrl ? 'Files and secrets were' : 'The instance was'
  const beside = databaseUrl ? ' Only you know whether its database is backed up, too.' : ''
  if (!at)
    return mind(
      'backups',
      'No backup by `afterglow backup` is known.',
      'Make one every night: docs/operators.md says how.',
    )
  const days = (Date.now() - at.getTime()) / dayMs
  const found = `${what} backed up at ${at.toISOString()}.${beside}`
  return days <= daysBetweenBackups
    ? good('backups', found)
    : fault('backups', found, `That is ${Math.floor(days)} days ago: look why it is not made every night.`)
}

const mailTasks = ['sendMail', 'sendDigest']
const failingSeconds = 15 * 60
const sum = (jobs: readonly CountedJobs[]) => jobs.reduce((all, { count }) => all + count, 0)
const isLate = ({ state, seconds }: CountedJobs) =>
  (state === 'retrying' && seconds > failingSeconds) || (state === 'waiting' && seconds > failingSeconds)

function examineMails(jobs: readonly CountedJobs[], { mail }: Config): Finding {
  const mails = jobs.filter(({ task }) => mailTasks.includes(task))
  const stuck = mails.filter(isLate)
  if (stuck.length > 0)
    return fault(
      'mails',
      `${sum(stuck)} mails wait for the mail server, the oldest for ${spanOf(stuck)}.`,
      'The line "mail" above says whether it takes us, `npm run afterglow -- jobs list` what it said.',
    )
  const lost = mails.filter(({ state }) => state === 'failed')
  if (lost.length > 0)
    return mind(
      'mails',
      `${sum(lost)} mails of the last month could not leave in time.`,
      '`npm run afterglow -- jobs list --state failed` names their kinds; `jobs drop` once you know.',
    )
  return good('mails', mail.smtpUrl === null ? 'They are written to files.' : 'Every mail has left.')
}

function examineJobs(jobs: readonly CountedJobs[]): Finding {
  const late = jobs.filter(isLate)
  const lost = jobs.filter(({ state, task }) => state === 'failed' && !mailTasks.includes(task))
  const tasksOf = (some: readonly CountedJobs[]) =>
    [...new Set(some.map(({ task, count }) => `${task} ${count}`))].join(', ')
  const advice = '`npm run afterglow -- jobs list` says why, and `jobs retry` and `jobs drop` decide.'
  if (late.length > 0) return fault('jobs', `Jobs wait or fail for ${spanOf(late)}: ${tasksOf(late)}.`, advice)
  if (lost.length > 0) return mind('jobs', `Jobs of the last month were given up: ${tasksOf(lost)}.`, advice)
  return good('jobs', 'They go, and none was given up.')
}

const spanOf = (jobs: readonly CountedJobs[]) => {
  const minutes = Math.max(...jobs.map(({ seconds }) => seconds)) / 60
  return minutes < 120 ? `${Math.round(minutes)} minutes` : `${Math.round(minutes / 60)} hours`
}

/** A video and its sizes take a few times the uploaded bytes. */
const keptPerByte = 2

async function examinePace(db: Database, { dataDir, limits, storage }: Config): Promise<Finding> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(original_bytes), 0)::float8 as bytes from media
    where created_at > now() - interval '7 days'`.execute(db)
  const week = storage.at === 'disk' ? (rows[0]?.bytes ?? 0) * keptPerByte : 0
  const free = (await freeBytesOf(dataDir)) - limits.freeBytesMin
  const gigabytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GiB`
  const found = `The last seven days took about ${gigabytes(week)}, and ${gigabytes(Math.max(0, free))} are left until uploads are refused.`
  return free > week ? good('room', found) : fault('room', found, 'Make room, or move photos to S3 (README.md).')
}

async function examineVersions(db: Database): Promise<Finding> {
  const { said, silent } = await livingProcesses(db)
  const versions = new Set(said.map(one => one.version))
  if (silent > 0) versions.add('a version before 0.2')
  const others = [...versions].filter(one => one !== version)
  if (others.length > 0)
    return mind(
      'upgrade',
      `Processes of several versions serve: ${[...versions].join(', ')}.`,
      `Bring the others to ${version}, one after the other.`,
    )
  return good('upgrade', said.length > 0 ? `All ${said.length} processes are of ${version}.` : 'No process serves now.')
}

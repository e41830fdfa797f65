import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/app.ts'
import { openJobs } from './jobs.ts'

const { db, url } = await cloneDatabase()

const opened = async (crontab: string) => {
  const done: string[] = []
  const jobs = await openJobs({
    url,
    tasks: { tidy: async () => void done.push('tidy'), sweep: async () => void done.push('sweep') },
    crontab,
    log: { warn() {}, error() {} },
    pollMs: 50,
  })
  return { done, jobs }
}
const lastDone = (task: string, ago: string) =>
  sql`update graphile_worker._private_known_crontabs set last_execution = now() - ${ago}::interval
    where identifier = ${task}`.execute(db)
const known = async () => (await sql`select identifier from graphile_worker._private_known_crontabs`.execute(db)).rows

test('a line is done once by all processes, also when nobody was up at its minute, but not when that is long ago', async () => {
  const crontab = '* * * * * tidy ?queue=tidy\n0 0 1 1 * sweep ?fill=1h'
  const first = await opened(crontab)
  await expect.poll(known).toHaveLength(2)
  await first.jobs.close()
  await lastDone('tidy', '10 minutes')
  await lastDone('sweep', '400 days')
  const both = await Promise.all([opened(crontab), opened(crontab)])
  const done = () => both.flatMap(each => each.done)
  await expect.poll(done).toContain('tidy')
  for (const { jobs } of both) await jobs.close()
  const midnight = new Date().toISOString().slice(5, 11) === '01-01T'
  if (!midnight) expect(done()).toEqual(['tidy'])
})

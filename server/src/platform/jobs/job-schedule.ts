import { parseCrontab } from 'graphile-worker'
import type { JobsConnection } from './jobs-store.ts'

const minuteMs = 60_000
/** How late a line still runs if nothing was running at its minute and it says nothing itself (`?fill=`). */
const fillMs = 60 * minuteMs

/** The lines of a crontab, in UTC: one process runs each of them once, even if the service was down at that minute. */
export const openSchedule = (crontab: string) => {
  const lines = parseCrontab(crontab)
  const identifiers = lines.map(({ identifier }) => identifier)

  return {
    /** Adds the jobs that are due by the database's clock. */
    async addDue({ query }: Pick<JobsConnection, 'query'>) {
      if (lines.length === 0) return
      // A new line counts from now on.
      await query(
        `insert into graphile_worker._private_known_crontabs (identifier, known_since)
         select identifier, now() from unnest($1::text[]) identifier on conflict do nothing`,
        [identifiers],
      )
      const { rows } = await query(
        `select identifier, coalesce(last_execution, known_since) as since, now()
         from graphile_worker._private_known_crontabs where identifier = any($1::text[])`,
        [identifiers],
      )
      for (const { identifier, task, match, options } of lines) {
        const { since, now } = rows.find(row => row.identifier === identifier)
        const from = Math.max(since.getTime(), now.getTime() - Math.max(options.backfillPeriod, fillMs))
        const at = latestMinute(now.getTime(), from, match)
        if (at) await query(addText, [identifier, new Date(at), task, options.queueName ?? null])
      }
    },
  }
}

/** The latest minute after `from` that the line names, if there was one. */
const latestMinute = (now: number, from: number, match: ReturnType<typeof parseCrontab>[number]['match']) => {
  for (let at = Math.floor(now / minuteMs) * minuteMs; at > from; at -= minuteMs) {
    const time = new Date(at)
    const [month, date, dow] = [time.getUTCMonth() + 1, time.getUTCDate(), time.getUTCDay()]
    if (match({ min: time.getUTCMinutes(), hour: time.getUTCHours(), date, month, dow })) return at
  }
  return undefined
}

/** Only for the process that is first to record it. */
const addText = `
  with first as (
    update graphile_worker._private_known_crontabs set last_execution = $2
    where identifier = $1 and coalesce(last_execution, known_since) < $2 returning 1)
  select graphile_worker.add_job($3, '{}'::json, queue_name => $4) from first`

import { growing } from './platform/database/growing-tables.ts'
import { schedule, tidyUp } from './platform/jobs/housekeeping.ts'
import { type Jobs, openJobs } from './platform/jobs/job-worker.ts'
import { limited, type Task } from './platform/jobs/jobs.ts'
import { mediumTasks } from './platform/media/medium-sizes.ts'
import { storageTasks } from './platform/media/storage/storage-tasks.ts'
import { type OpenedSlice, type Parts, tablesOf } from './slice.ts'

/** The job queues of this process, with the jobs of all slices and the platform. */
export const openWork = async (parts: Parts, opened: readonly OpenedSlice[]) => {
  const { slices, background, databaseUrl: url, mailer, config, traces, log } = parts
  const closing = new AbortController()
  const tables = growing(tablesOf(slices))
  const prunes = Object.assign({}, ...opened.map(each => each.prunes))
  const tasks: Record<string, Task> = {
    tidyUp: limited({ minutes: 3 * 60 }, async () => {
      await mailer.expire()
      await tidyUp(background, tables, prunes)
    }),
    ...storageTasks({
      ...parts,
      db: background,
      sources: slices.flatMap(({ files = [] }) => files),
      everyDays: { sweep: config.storage.sweepEveryDays, reread: config.storage.rereadEveryDays },
      signal: closing.signal,
    }),
    ...Object.assign({}, ...opened.map(each => each.tasks)),
  }
  const scheduled = [...schedule, ...slices.flatMap(slice => slice.schedule ?? [])]
  const longTasks: Record<string, Task> = Object.assign(
    // Uploads are decoded here, too, when several processes share the work: it waits for those.
    mediumTasks({ ...parts, db: background, quotas: parts.numbers, signal: closing.signal }),
    ...opened.map(each => each.longTasks),
  )
  const { jobs, films } = config.work
  const queues: Jobs[] = []
  const names = Object.keys(tasks)
  const longNames = [...Object.keys(longTasks), ...opened.flatMap(each => each.longTaskNames ?? [])]
  if (jobs)
    queues.push(
      await openJobs({
        url,
        tasks: traces?.ofJobs(tasks) ?? tasks,
        others: longNames,
        schedule: scheduled,
        log,
      }),
    )
  if (films) queues.push(await openJobs({ url, tasks: longTasks, others: [...names, ...longNames], log, atOnce: 1 }))
  return {
    async close() {
      closing.abort()
      await parts.endWaits()
      await Promise.all(queues.map(queue => queue.close()))
    },
  }
}

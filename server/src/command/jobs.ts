import { type Command, InvalidArgumentError } from 'commander'
import type { Database } from '../platform/database/database.ts'
import * as jobs from '../platform/jobs/operators-store.ts'
import { columns, NotDone } from './answer.ts'
import type { OnDatabase } from './users.ts'

const number = (value: string) => {
  if (!/^[1-9]\d{0,15}$/.test(value)) throw new InvalidArgumentError('Give a whole number.')
  return Number(value)
}
const states = [...jobs.jobStates, 'later']
const state = (value: string) => {
  if (!states.includes(value)) throw new InvalidArgumentError(`Give one of ${states.join(', ')}.`)
  return value
}

export function jobsCommands(program: Command, onDatabase: OnDatabase): void {
  const group = program.command('jobs').description('work in the background: what fails, and what to do about it')

  group
    .command('list')
    .description('jobs that failed for good, are retried, run or wait, in this order')
    .option('--state <state>', `only those that are ${states.join(', ')}`, state)
    .option('--task <name>', 'only those of a task')
    .option('--most <number>', 'how many', number, 50)
    .action(listing =>
      onDatabase(async db => {
        const rows = await jobs.listJobs(db, listing)
        return { say: columns(rows, 'No jobs.'), json: rows }
      }),
    )

  group
    .command('show')
    .description('one job, with its payload; addresses are left out')
    .argument('<id>', 'of the job', number)
    .action(id =>
      onDatabase(async db => {
        const found = await jobs.showJob(db, id)
        if (!found) throw new NotDone(`There is no job ${id}: it is done, or was dropped.`)
        const job = { ...found, payload: withoutAddresses(found.payload) }
        const rows = Object.entries(job).map(([field, value]) => ({ field, value }))
        return { say: columns(rows, ''), json: job }
      }),
    )

  decision('retry', 'try a job again now, with all its tries before it', {
    work: jobs.retryJobs,
    done: 'due now',
  })
  decision('drop', 'forget a job: it is never done', { work: jobs.dropJobs, done: 'dropped' })

  function decision(
    name: string,
    description: string,
    { work, done }: { work: (db: Database, which: jobs.Chosen) => Promise<number>; done: string },
  ) {
    group
      .command(name)
      .description(description)
      .argument('[id]', 'of the job', number)
      .option('--task <name>', 'all jobs of a task that failed')
      .action((id: number | undefined, { task }: { task?: string }) =>
        onDatabase(async db => {
          if ((id === undefined) === (task === undefined)) throw new NotDone('Name a job, or a task by --task.')
          const count = await work(db, id === undefined ? { task: task as string } : { id })
          if (count === 0) throw new NotDone(await whyNone(db, id))
          return { say: `${count === 1 ? 'A job is' : `${count} jobs are`} ${done}.`, json: { done: true, count } }
        }),
      )
  }
}

const whyNone = async (db: Database, id: number | undefined) => {
  if (id === undefined) return 'No job of this task failed.'
  return (await jobs.showJob(db, id)) ? `Job ${id} runs at the moment.` : `There is no job ${id}.`
}

const withoutAddresses = (payload: string) => payload.replaceAll(/[^\s"<>@]+@[^\s"<>@]+/g, '(hidden)')

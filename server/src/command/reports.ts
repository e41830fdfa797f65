import { type Command, InvalidArgumentError } from 'commander'
import { closeReport, listForOperator } from '../people/reports.ts'
import { columns, NotDone } from './answer.ts'
import type { OnDatabase } from './users.ts'

const id = (value: string) => {
  if (!/^[1-9]\d{0,15}$/.test(value)) throw new InvalidArgumentError('Give the id of a report.')
  return Number(value)
}

export function reportsCommands(program: Command, onDatabase: OnDatabase): void {
  const reports = program.command('reports').description('what people reported to the operator')

  reports
    .command('list')
    .description('reports that wait for somebody, the oldest first')
    .option('--all', 'resolved ones as well')
    .action(({ all }) =>
      onDatabase(async db => {
        const rows = await listForOperator(db, { all: Boolean(all) })
        return { say: columns(rows, 'No reports.'), json: rows }
      }),
    )

  reports
    .command('resolve')
    .description('close a report that was dealt with')
    .argument('<id>', 'of the report', id)
    .action(report =>
      onDatabase(async db => {
        if (!(await closeReport(db, report))) throw new NotDone(`There is no open report ${report}.`)
        return { say: `Report ${report} is resolved.`, json: { done: true, id: report } }
      }),
    )
}

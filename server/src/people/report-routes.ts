import * as contract from '@afterglow/contract/people'
import type { Person } from '../accounts/persons.ts'
import { personsById } from '../accounts/persons-sql.ts'
import type { Db } from '../platform/database/database.ts'
import { rangeOf } from '../platform/http/pages.ts'
import type { Serve } from '../platform/http/serve.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { presentReport } from './present.ts'
import { type Reportable, readerOf, report, resolveReport, visibleOf } from './reports.ts'
import * as reports from './reports-store.ts'

export const reportRoutes = (serve: Serve, { reportable }: { reportable: Reportable }) => {
  serve(
    contract.report,
    async ({ viewer, input, once }) => {
      const { report_type: type, report_id: id, report_reason: reason, event_id: eventId } = input
      return once(async db => {
        await report(db, viewer, reportable, { type, id, eventId, reason })
        return { done: true as const }
      })
    },
    // The reply reveals nothing about the target, so a repeat needs no door.
    { replay: async (_, kept: { done: true }) => kept },
  )

  const showing = async (db: Db, viewer: Viewer, rows: readonly reports.ReportRow[], urls: Urls) => {
    const visible = await visibleOf(db, viewer, reportable, rows)
    const persons = await personsById(
      db,
      rows.flatMap(row => [row.about_user_id, row.reporter_id, row.resolved_by].filter(id => id !== null)),
    )
    const person = (id: number) => persons.get(id) as Person
    return (row: reports.ReportRow) => presentReport(row, { visible: visible.has(row.id), person, urls })
  }

  serve(contract.listReports, async ({ db, viewer, input, urls, page }) => {
    const asked = { eventId: input.event_id, status: input.report_status }
    const rows = await reports.listReports(db, await readerOf(db, viewer), asked, rangeOf(input))
    return page(rows, await showing(db, viewer, rows, urls))
  })

  serve(contract.resolveReport, async ({ db, viewer, input, urls }) => {
    const row = await resolveReport(db, viewer, input.report_id)
    return (await showing(db, viewer, [row], urls))(row)
  })
}

import * as contract from '@afterglow/contract/people'
import type { Person } from '../accounts/persons.ts'
import { personsById } from '../accounts/persons-sql.ts'
import { presentMinimalUser } from '../accounts/present-person.ts'
import type { Db } from '../platform/database/database.ts'
import { rangeOf } from '../platform/http/pages.ts'
import type { Serve } from '../platform/http/serve.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { personFor } from './access.ts'
import * as friends from './friends.ts'
import { presentDetails, presentReport, presentWithFriend } from './present.ts'
import { type Reportable, readerOf, report, resolveReport, visibleOf } from './reports.ts'
import * as reports from './reports-store.ts'
import { searchPeople } from './search-store.ts'
import * as store from './store.ts'

export const peopleRoutes = (serve: Serve, { reportable }: { reportable: Reportable }) => {
  serve(contract.searchUsers, async ({ db, viewer, input, urls, page }) =>
    page(await searchPeople(db, viewer.id, input.name, rangeOf(input)), person => presentWithFriend(person, urls)),
  )

  serve(contract.readUser, async ({ db, viewer, input, urls }) =>
    presentDetails(await personFor(db, viewer, input.user_id), urls),
  )

  serve(contract.befriend, async ({ db, viewer, input }) => ({
    friend_status: await friends.befriend(db, viewer, input.user_id),
  }))

  serve(contract.unfriend, async ({ db, viewer, input }) => ({
    friend_status: await friends.unfriend(db, viewer, input.user_id),
  }))

  serve(contract.listFriends, async ({ db, viewer, input, urls, page }) =>
    page(await store.listFriends(db, viewer.id, rangeOf(input)), person =>
      presentWithFriend({ ...person, friend: true }, urls),
    ),
  )

  serve(contract.listFriendRequests, async ({ db, viewer, input, urls, page }) =>
    page(await store.listRequests(db, viewer.id, rangeOf(input)), person => presentMinimalUser(person, urls)),
  )

  serve(contract.block, async ({ db, viewer, input }) => {
    await friends.block(db, viewer, input.user_id)
    return { blocked: true }
  })

  serve(contract.unblock, async ({ db, viewer, input }) => {
    await friends.unblock(db, viewer, input.user_id)
    return { blocked: false }
  })

  serve(contract.listBlocked, async ({ db, viewer, input, urls, page }) =>
    page(await store.listBlocked(db, viewer.id, rangeOf(input)), person => presentMinimalUser(person, urls)),
  )

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

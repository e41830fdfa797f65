import * as contract from '@afterglow/contract/links/sent-away'
import type { z } from 'zod'
import type { Person } from '../../accounts/persons.ts'
import { personsById } from '../../accounts/persons-sql.ts'
import { presentMinimalUser } from '../../accounts/present-person.ts'
import type { Db } from '../../platform/database/database.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Urls } from '../../platform/http/urls.ts'
import { eventFor, requireCapability } from '../access.ts'
import * as sentAway from './sent-away.ts'
import { listSentAway, type SentAwayRow } from './sent-away-store.ts'

export const sentAwayRoutes = (serve: Serve) => {
  serve(contract.sendAwayByLink, async ({ db, viewer, input, urls }) => {
    const away = await sentAway.sendAwayByLink(db, viewer, input.link_id, input.since ?? null)
    return (await showingSentAway(db, [away], urls))(away)
  })

  serve(contract.listSentAway, async ({ db, viewer, input, urls, page }) => {
    requireCapability(await eventFor(db, viewer, input.event_id), 'manage')
    const rows = await listSentAway(db, input.event_id, rangeOf(input))
    return page(rows, await showingSentAway(db, rows, urls))
  })

  serve(contract.undoSentAway, async ({ db, viewer, input }) => {
    await sentAway.undoSentAway(db, viewer, input.away_id)
    return { done: true as const }
  })
}

/** How to present these, each with who sent the guests away. */
const showingSentAway = async (db: Db, rows: readonly SentAwayRow[], urls: Urls) => {
  const persons = await personsById(
    db,
    rows.map(row => row.sent_by),
  )
  return (row: SentAwayRow): z.output<typeof contract.SentAway> => ({
    id: row.id,
    event_id: row.event_id,
    link_id: row.link_id,
    away_since: row.since.toISOString(),
    away_people_count: row.people,
    away_undo_until: row.undo_until.toISOString(),
    away_undone: row.undone,
    sent_by: presentMinimalUser(persons.get(row.sent_by) as Person, urls),
    created_at: row.created_at.toISOString(),
  })
}

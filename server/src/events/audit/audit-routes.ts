import { listAudit } from '@afterglow/contract/events/audit'
import { nobody } from '../../accounts/persons.ts'
import { personsById } from '../../accounts/persons-sql.ts'
import { presentMinimalUser } from '../../accounts/present-person.ts'
import type { Db } from '../../platform/database/database.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { eventFor, requireCapability } from '../access.ts'
import type { Acquaintance } from '../members/invitations.ts'
import { everIn } from '../members/members-store.ts'
import * as store from './audit-store.ts'

export const auditRoutes = (serve: Serve, acquaintance: Acquaintance) => {
  /** People whom the viewer may currently see: anyone who was ever in the event, and anyone they may find anyway. */
  const personsSeen = async (db: Db, viewer: Viewer, eventId: number, ids: readonly number[]) => {
    const [inside, findable] = [await everIn(db, eventId, ids), await acquaintance.findableOf(db, viewer, ids)]
    return personsById(
      db,
      ids.filter(id => inside.has(id) || findable.has(id)),
    )
  }

  serve(listAudit, async ({ db, viewer, input, urls, page }) => {
    const event = requireCapability(await eventFor(db, viewer, input.event_id), 'manage')
    const rows = await store.listAudit(db, event, rangeOf(input))
    const named = rows.flatMap(row => (row.user_id === null ? row.actor_id : [row.actor_id, row.user_id]))
    const persons = await personsSeen(db, viewer, input.event_id, named)
    const person = (id: number) => presentMinimalUser(persons.get(id) ?? nobody(id), urls)
    return page(rows, row => ({
      id: row.id,
      audit_act: row.act,
      user: person(row.actor_id),
      subject_id: row.subject_id,
      about: row.user_id === null ? null : person(row.user_id),
      audit_reason: row.reason,
      created_at: row.created_at.toISOString(),
    }))
  })
}

import * as contract from '@afterglow/contract/announcements'
import { can } from '@afterglow/contract/capabilities'
import { nobody, type Person } from '../../accounts/persons.ts'
import { personsById } from '../../accounts/persons-sql.ts'
import { presentMinimalUser } from '../../accounts/present-person.ts'
import type { Db } from '../../platform/database/database.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Urls } from '../../platform/http/urls.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { eventFor, requireMember } from '../access.ts'
import * as announcements from './announcements.ts'
import { type AnnouncementRow, listAnnouncements } from './announcements-store.ts'

const done = { done: true } as const

type Persons = ReadonlyMap<number, Person>
const namedIn = (rows: readonly AnnouncementRow[]) => rows.flatMap(row => [row.user_id, ...row.seens])

type Viewing = { announces: boolean; persons: Persons; seen: ReadonlySet<number>; urls: Urls }

/** Only those who announce see who has read it, and nobody a photo that they would not see in the album. */
const present = (row: AnnouncementRow, { announces, persons, seen, urls }: Viewing) => {
  const person = (id: number) => presentMinimalUser(persons.get(id) ?? nobody(id), urls)
  return {
    id: row.id,
    event_id: row.event_id,
    announcement_text: row.text,
    announcement_photo_ids: row.photo_ids.filter(id => seen.has(id)),
    announced_by: person(row.user_id),
    announcement_seen: row.seen,
    announcement_seens: announces ? row.seens.map(person) : null,
    announcement_seens_count: announces ? row.seens_count : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export const announcementRoutes = (serve: Serve, beside: announcements.AnnouncementTools) => {
  const { photosSeenAmong } = beside
  const viewing = async (db: Db, viewer: Viewer, rows: readonly AnnouncementRow[]) => {
    const ids = rows.flatMap(row => row.photo_ids)
    return {
      persons: await personsById(db, namedIn(rows)),
      seen: rows[0] && ids.length > 0 ? await photosSeenAmong(db, viewer.id, rows[0].event_id, ids) : new Set<number>(),
    }
  }
  const show = async (db: Db, viewer: Viewer, id: number, urls: Urls) => {
    const row = await announcements.announcementFor(db, viewer, id)
    return present(row, { announces: true, ...(await viewing(db, viewer, [row])), urls })
  }

  serve(
    contract.makeAnnouncement,
    async ({ viewer, input, once, urls }) =>
      once(async db => {
        const said = { text: input.announcement_text, photoIds: input.event_photo_ids ?? [] }
        const asked = { eventId: input.event_id, ...said }
        const id = await announcements.makeAnnouncement(db, viewer, asked, beside)
        return show(db, viewer, id, urls)
      }),
    {
      keep: ({ id }) => ({ id }),
      replay: ({ db, viewer, urls }, { id }: { id: number }) => show(db, viewer, id, urls),
    },
  )

  serve(contract.listAnnouncements, async ({ db, viewer, input, urls, page }) => {
    const { standing } = requireMember(await eventFor(db, viewer, input.event_id))
    const rows = await listAnnouncements(db, viewer.id, input.event_id, rangeOf(input))
    const seen = await viewing(db, viewer, rows)
    return page(rows, row => present(row, { announces: can(standing, 'announce'), ...seen, urls }))
  })

  serve(contract.seeAnnouncement, async ({ db, viewer, input }) => {
    await announcements.seeAnnouncement(db, viewer, input.announcement_id)
    return done
  })

  serve(contract.withdrawAnnouncement, async ({ db, viewer, input }) => {
    await announcements.withdrawAnnouncement(db, viewer, input.announcement_id, beside)
    return done
  })
}

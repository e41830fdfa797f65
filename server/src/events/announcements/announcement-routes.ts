import * as contract from '@afterglow/contract/announcements'
import { can } from '@afterglow/contract/capabilities'
import { nobody, type Person } from '../../accounts/persons.ts'
import { personsById } from '../../accounts/persons-sql.ts'
import { presentMinimalUser } from '../../accounts/present-person.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import type { Serve } from '../../platform/http/serve.ts'
import type { Urls } from '../../platform/http/urls.ts'
import { demandInEvent, eventFor } from '../access.ts'
import * as announcements from './announcements.ts'
import { type AnnouncementRow, listAnnouncements } from './announcements-store.ts'

const done = { done: true } as const

type Persons = ReadonlyMap<number, Person>
const namedIn = (rows: readonly AnnouncementRow[]) => rows.flatMap(row => [row.user_id, ...row.seens])

/** Only those who announce see who has read it. */
const present = (row: AnnouncementRow, announces: boolean, persons: Persons, urls: Urls) => {
  const person = (id: number) => presentMinimalUser(persons.get(id) ?? nobody(id), urls)
  return {
    id: row.id,
    event_id: row.event_id,
    announcement_text: row.text,
    announcement_photo_ids: row.photo_ids,
    announced_by: person(row.user_id),
    announcement_seen: row.seen,
    announcement_seens: announces ? row.seens.map(person) : null,
    announcement_seens_count: announces ? row.seens_count : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export const announcementRoutes = (serve: Serve, photosSeenAmong: announcements.PhotosSeenAmong) => {
  serve(
    contract.makeAnnouncement,
    async ({ viewer, input, once, urls }) =>
      once(async db => {
        const said = { text: input.announcement_text, photoIds: input.event_photo_ids ?? [] }
        const asked = { eventId: input.event_id, ...said }
        const id = await announcements.makeAnnouncement(db, viewer, asked, photosSeenAmong)
        const row = await announcements.announcementFor(db, viewer, id)
        return present(row, true, await personsById(db, namedIn([row])), urls)
      }),
    {
      keep: ({ id }) => ({ id }),
      replay: async ({ db, viewer, urls }, { id }: { id: number }) => {
        const row = await announcements.announcementFor(db, viewer, id)
        return present(row, true, await personsById(db, namedIn([row])), urls)
      },
    },
  )

  serve(contract.listAnnouncements, async ({ db, viewer, input, urls, page }) => {
    const { standing } = demandInEvent(await eventFor(db, viewer, input.event_id))
    const rows = await listAnnouncements(db, viewer.id, input.event_id, rangeOf(input))
    const persons = await personsById(db, namedIn(rows))
    return page(rows, row => present(row, can(standing, 'announce'), persons, urls))
  })

  serve(contract.seeAnnouncement, async ({ db, viewer, input }) => {
    await announcements.seeAnnouncement(db, viewer, input.announcement_id)
    return done
  })

  serve(contract.withdrawAnnouncement, async ({ db, viewer, input }) => {
    await announcements.withdrawAnnouncement(db, viewer, input.announcement_id)
    return done
  })
}

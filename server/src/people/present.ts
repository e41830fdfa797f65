import type { MinimalUserWithFriend } from '@afterglow/contract/accounts/user'
import type { Report, UserDetails } from '@afterglow/contract/people'
import type { z } from 'zod'
import type { Person } from '../accounts/persons.ts'
import { avatarUrl, presentMinimalUser } from '../accounts/present-person.ts'
import type { Urls } from '../platform/http/urls.ts'
import { friendStatusOf } from './access.ts'
import type { PersonMet } from './relations-sql.ts'
import type { ReportRow } from './reports-store.ts'

export const presentWithFriend = (
  person: Person & { friend: boolean },
  urls: Urls,
): z.output<typeof MinimalUserWithFriend> => ({ ...presentMinimalUser(person, urls), friend: person.friend })

export const presentDetails = (person: PersonMet, urls: Urls): z.output<typeof UserDetails> => ({
  ...presentWithFriend(person, urls),
  user_avatar_url: avatarUrl(person, urls, 'display'),
  friend_status: friendStatusOf(person),
  blocked: person.blocked,
  created_at: person.created_at.toISOString(),
})

type ReportContext = { visible: boolean; person(id: number): Person; urls: Urls }

export const presentReport = (row: ReportRow, { visible, person, urls }: ReportContext): z.output<typeof Report> => {
  const shown = (id: number | null) => (id === null ? null : presentMinimalUser(person(id), urls))
  return {
    id: row.id,
    report_type: row.type,
    report_target_id: row.target_id,
    report_target_visible: visible,
    report_reason: row.reason,
    report_status: row.status,
    event_id: row.event_id,
    event_photo_id: row.type === 'photo' ? row.target_id : row.photo_id,
    about: shown(row.about_user_id),
    reported_by: shown(row.reporter_id),
    resolved_by: shown(row.resolved_by),
    resolved_at: row.resolved_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}

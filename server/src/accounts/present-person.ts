import type { MinimalUser, SeenUser } from '@afterglow/contract/accounts/user'
import type { z } from 'zod'
import type { Urls } from '../platform/http/urls.ts'
import type { Person } from './persons.ts'

/** `display` is 512 px wide, for a profile page; `preview` is 128 px, for lists. */
export const avatarUrl = (
  person: Pick<Person, 'id' | 'first_name' | 'last_name' | 'avatar_media_id' | 'avatar_ending'>,
  urls: Urls,
  variant: 'display' | 'preview',
) =>
  person.avatar_media_id
    ? urls.media(person.avatar_media_id, variant, 0, person.avatar_ending)
    : urls.initials(`${person.first_name} ${person.last_name}`, person.id)

export const presentSeenUser = (person: Person, urls: Urls): z.output<typeof SeenUser> => ({
  id: person.id,
  user_first_name: person.first_name,
  user_middle_name: person.middle_name,
  user_last_name: person.last_name,
  user_avatar_url: avatarUrl(person, urls, 'preview'),
})

export const presentMinimalUser = (person: Person, urls: Urls): z.output<typeof MinimalUser> => ({
  ...presentSeenUser(person, urls),
  user_username: person.username,
  user_visible: person.visible ? '1' : '0',
})

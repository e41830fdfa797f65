import type { MinimalUserWithFriend } from '@afterglow/contract/accounts'
import type { UserDetails } from '@afterglow/contract/people'
import type { z } from 'zod'
import { type Person, presentMinimalUser } from '../accounts/persons.ts'
import type { Urls } from '../platform/http/urls.ts'
import { friendStatusOf, type PersonMet } from './access.ts'

export const presentWithFriend = (
  person: Person & { friend: boolean },
  urls: Urls,
): z.output<typeof MinimalUserWithFriend> => ({ ...presentMinimalUser(person, urls), friend: person.friend })

export const presentDetails = (person: PersonMet, urls: Urls): z.output<typeof UserDetails> => ({
  ...presentWithFriend(person, urls),
  friend_status: friendStatusOf(person),
  blocked: person.blocked,
  created_at: person.created_at.toISOString(),
})

import { type MinimalUser, type SeenUser, userStatus } from '@afterglow/contract/accounts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../platform/database.ts'
import type { Urls } from '../platform/http/urls.ts'

/** A user as everybody else may see them. */
export type Person = {
  id: number
  first_name: string
  middle_name: string | null
  last_name: string
  username: string
  visible: boolean
  avatar_media_id: number | null
}

export const personColumns = [
  'users.id',
  'users.first_name',
  'users.middle_name',
  'users.last_name',
  'users.username',
  'users.visible',
  'users.avatar_media_id',
] as const

/** For standing: who is suspended stands nowhere. Of one person it is asked once a statement, however many rows that has. */
export const notSuspended = (userId: number | RawBuilder<unknown>) => sql`
  not exists (select from users suspended where suspended.id = ${userId} and suspended.status = ${sql.lit(userStatus.suspended)})`

/** What a row has of the person whom it names, who is read with it: a statement of their own would be one more round trip. */
export type PersonBeside = Omit<Person, 'id'>
/** For a query with `users u`. */
export const personBeside = sql`u.first_name, u.middle_name, u.last_name, u.username, u.visible, u.avatar_media_id`
export const personOf = (row: PersonBeside, id: number): Person => ({
  id,
  first_name: row.first_name,
  middle_name: row.middle_name,
  last_name: row.last_name,
  username: row.username,
  visible: row.visible,
  avatar_media_id: row.avatar_media_id,
})

/** How an erased account is shown, and so whoever a reader may not see: the two must not be told apart. */
export const nobody = (id: number): Person => ({
  id,
  first_name: 'Deleted',
  middle_name: null,
  last_name: 'user',
  // No username and no e-mail that somebody may choose has a tilde, so this is nobody else's ever.
  username: `deleted~${id}`,
  visible: false,
  avatar_media_id: null,
})

/** The people of a page in one query; every id that a row of ours names is in the map. */
export const personsById = async (db: Db, ids: Iterable<number>): Promise<ReadonlyMap<number, Person>> => {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const persons = await db
    .selectFrom('users')
    .select(personColumns)
    .where('users.id', '=', eb => eb.fn.any(eb.val(wanted)))
    .execute()
  return new Map(persons.map(person => [person.id, person]))
}

/** `display` is 512 px wide, for a page about somebody; `preview` 128, for the many of a list. */
export const avatarUrl = (
  person: Pick<Person, 'id' | 'first_name' | 'last_name' | 'avatar_media_id'>,
  urls: Urls,
  variant: 'display' | 'preview',
) =>
  person.avatar_media_id
    ? urls.media(person.avatar_media_id, variant, 0)
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

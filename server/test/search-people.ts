import { sql } from 'kysely'
import type { TestApp } from './app.ts'
import type { Member } from './cast.ts'

export type Traits = { middle?: string; username?: string; visible?: boolean; status?: number }

let added = 0

/** Functions with which the search tests change people and search as them; without a viewer, this one searches. */
export const searching = (app: TestApp, viewer: Member) => {
  const searchAs = async (member: Member, name: string, page = 1, page_length = 50) =>
    (await member.api.people.searchUsers({ name, page, page_length })).data
  return {
    searchAs,
    /** The ids found, in order. */
    find: async (name: string, member = viewer) => (await searchAs(member, name)).map(({ id }) => id),
    add: async (first_name: string, last_name: string, { middle, username, ...traits }: Traits = {}) => {
      added += 1
      const { id } = await app.db
        .insertInto('users')
        .values({
          first_name,
          middle_name: middle ?? null,
          last_name,
          username: username ?? `zz${added}`,
          email: `added.${added}@example.com`,
          timezone: 'UTC',
          ...traits,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    befriend: (one: number, other: number) =>
      sql`insert into friendships (user_id, friend_id, found_by)
        select a, b, line_of(u) from (values (${one}::bigint, ${other}::bigint), (${other}, ${one})) as pair (a, b)
        join users u on u.id = b`.execute(app.db),
    set: (id: number, changes: Record<string, unknown>) =>
      app.db.updateTable('users').set(changes).where('id', '=', id).execute(),
  }
}

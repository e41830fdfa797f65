/** A user as everybody else may see them. */
export type Person = {
  id: number
  first_name: string
  middle_name: string | null
  last_name: string
  username: string
  visible: boolean
  avatar_media_id: number | null
  avatar_ending: string
}

/** Columns of the person whom a row names, read along with it: a separate statement would be another round trip. */
export type PersonBeside = Omit<Person, 'id'>
export const personOf = (row: PersonBeside, id: number): Person => ({
  id,
  first_name: row.first_name,
  middle_name: row.middle_name,
  last_name: row.last_name,
  username: row.username,
  visible: row.visible,
  avatar_media_id: row.avatar_media_id,
  avatar_ending: row.avatar_ending,
})

/** How an erased account is shown, and anyone a reader may not see: the two must be indistinguishable. */
export const nobody = (id: number): Person => ({
  id,
  first_name: 'Deleted',
  middle_name: null,
  last_name: 'user',
  // No username or e-mail address that anybody can choose contains a tilde, so this never belongs to anybody else.
  username: `deleted~${id}`,
  visible: false,
  avatar_media_id: null,
  avatar_ending: 'jpg',
})
